"""Bad input, with the real programs: each says what is wrong in words a person can act on."""

import json
import os
import pathlib
import shutil
import socket
import subprocess
import unittest

from fleet import BIN, Fleet, FleetTest, one_line

GOOD_FILE = """\
project: demo
method:
  rounds: 2
wake:
  loops: [epoll]
  cases: [frame.ready]
"""

# name, job file, what the error must name
BAD_FILES = [
    ("unknown field", GOOD_FILE + "colour: red\n", ["job.yaml:7", "colour"]),
    ("unknown nested field", GOOD_FILE.replace("rounds: 2", "rouns: 2"), ["job.yaml:3", "rouns"]),
    ("duplicate field", GOOD_FILE + "project: again\n", ["job.yaml:7", "project"]),
    ("wrong type", GOOD_FILE.replace("rounds: 2", "rounds: many"), ["job.yaml:3", "rounds", "many"]),
    ("zero rounds", GOOD_FILE.replace("rounds: 2", "rounds: 0"), ["job.yaml:3", "method.rounds", "0"]),
    ("too many rounds", GOOD_FILE.replace("rounds: 2", "rounds: 1001"), ["job.yaml:3", "method.rounds", "1001"]),
    ("unknown case", GOOD_FILE.replace("frame.ready", "frame.unready"), ["job.yaml:6", "wake.cases[0]", "frame.unready"]),
    ("unknown variant", GOOD_FILE + "  variants: [magic]\n", ["job.yaml:7", "wake.variants[0]", "magic"]),
    ("bad selector", GOOD_FILE + "host_selector: 'a in ('\n", ["job.yaml:7", "host_selector"]),
    ("no suite", "project: demo\n", ["suite"]),
    ("too deep", "labels: " + "{a: " * 40 + "1" + "}" * 40 + "\n", ["job.yaml:1", "nesting"]),
    ("too large", "# " + "x" * 300_000 + "\n" + GOOD_FILE, ["job.yaml", "bytes"]),
    ("not YAML", "wake: [\n", ["job.yaml:"]),
    ("two documents", GOOD_FILE + "---\n" + GOOD_FILE, ["job.yaml:"]),
]

# arguments, what the one line must name
BAD_SERVER_FLAGS = [
    (["--nonsense"], ["nonsense"]),
    (["--listen", "nowhere"], ["--listen", "nowhere"]),
    (["--listen", "127.0.0.1:99999"], ["--listen", "99999"]),
    (["--listen", "0.0.0.0:0"], ["--listen", "0.0.0.0:0", "--insecure"]),
    (["--http", "[::]:0"], ["--http", "[::]:0"]),
    (["--lease-ttl", "1s"], ["--lease-ttl", "1s"]),
    (["--sync-hang", "soon"], ["--sync-hang", "soon"]),
    (["--log-level", "loud"], ["--log-level", "loud"]),
]
BAD_WORKER_FLAGS = [
    (["--nonsense"], ["nonsense"]),
    (["--name", "no/slashes"], ["name", "no/slashes"]),
    (["--label", "host=x"], ["label", "host"]),
    (["--label", "novalue"], ["label", "novalue"]),
]


class RefusalTest(FleetTest):
    def test_bad_job_files_name_line_and_field_and_store_nothing(self):
        with Fleet() as fleet:
            fleet.start_server()
            for name, text, words in BAD_FILES:
                with self.subTest(name):
                    path = fleet.folder / "job.yaml"
                    path.write_text(text)
                    result = fleet.client("run", path, "--detach")
                    self.assert_exit(result, 2)
                    self.assertEqual(result.stdout, "")
                    for word in words:
                        self.assertIn(word, result.stderr)
            self.assertEqual(fleet.json("jobs")["jobs"], [])

    def test_every_wrong_field_is_named_at_once(self):
        with Fleet() as fleet:
            fleet.start_server()
            path = fleet.folder / "job.yaml"
            path.write_text("project: NOT GOOD\nmethod: {rounds: 0, margin: 2}\nwake: {loops: [libuv], cases: [nap]}\n")
            result = fleet.client("run", path)
            self.assert_exit(result, 2)
            for field in ("project", "method.rounds", "method.margin", "wake.loops[0]", "wake.cases[0]"):
                self.assertIn(field, result.stderr)

    def test_a_good_file_is_taken(self):
        with Fleet() as fleet:
            fleet.start_server()
            (fleet.folder / "job.yaml").write_text(GOOD_FILE)
            self.assert_exit(fleet.client("run", fleet.folder / "job.yaml", "--detach"), 0)
            as_json = {"project": "demo", "method": {"rounds": 2}, "wake": {"loops": ["epoll"]}}
            (fleet.folder / "job.json").write_text(json.dumps(as_json))
            self.assert_exit(fleet.client("run", fleet.folder / "job.json", "--detach"), 0)
            self.assertEqual(len(fleet.json("jobs")["jobs"]), 2)

    def test_bad_client_usage_is_exit_2(self):
        with Fleet() as fleet:
            for args in (["nonsense"], ["run"], ["run", "wake", "--rounds", "x"], ["run", "wake", "--budget", "soon"],
                         ["run", "no-such-file.yaml"], ["job"], ["run", "wake", "--label", "novalue"]):
                with self.subTest(args):
                    self.assert_exit(fleet.client(*args), 2)

    def test_no_server_is_exit_6(self):
        with Fleet() as fleet:
            for args in (["jobs"], ["health"], ["run", "wake", "--detach"]):
                with self.subTest(args):
                    result = fleet.client(*args)
                    self.assert_exit(result, 6)
                    self.assertIn("127.0.0.1:1", result.stderr)

    def test_what_does_not_exist_is_said(self):
        with Fleet() as fleet:
            fleet.start_server()
            for args in (["job", "nothing"], ["report", "nothing"], ["cancel", "nothing"], ["wait", "nothing"]):
                with self.subTest(args):
                    result = fleet.client(*args)
                    self.assert_exit(result, 2)
                    self.assertIn("nothing", result.stderr)


class StartTest(FleetTest):
    def check(self, program, args, words):
        result = subprocess.run([BIN / program, *map(str, args)], capture_output=True, text=True, timeout=60)
        self.assert_exit(result, 2)
        line = one_line(result.stderr)
        for word in words:
            self.assertIn(word, line)

    def test_bad_server_flags(self):
        with Fleet() as fleet:
            for args, words in BAD_SERVER_FLAGS:
                with self.subTest(args):
                    self.check("benchfleet-server", [*args, "--state-dir", fleet.folder / "s"], words)

    def test_bad_worker_flags(self):
        with Fleet() as fleet:
            for args, words in BAD_WORKER_FLAGS:
                with self.subTest(args):
                    self.check("benchfleet-worker", [*args, "--state-dir", fleet.folder / "w"], words)

    def test_a_used_port(self):
        with Fleet() as fleet, socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            for flag, other in (("--listen", "--http"), ("--http", "--listen")):
                with self.subTest(flag):
                    self.check("benchfleet-server", [flag, address, other, "127.0.0.1:0", "--state-dir",
                                                     fleet.folder / "s"], [address])

    def test_a_state_directory_that_cannot_be_used(self):
        with Fleet() as fleet:
            file = fleet.folder / "file"
            file.write_text("not a folder")
            for program in ("benchfleet-server", "benchfleet-worker"):
                for path in (file, pathlib.Path("/proc/nothing")):
                    with self.subTest(program=program, path=path):
                        self.check(program, ["--state-dir", path], [str(path)])

    @unittest.skipIf(os.geteuid() != 0, "needs root to become somebody else")
    def test_a_state_directory_of_somebody_else(self):
        with Fleet() as fleet:
            fleet.folder.chmod(0o755)
            state = fleet.folder / "private"
            state.mkdir(mode=0o700)
            for name in ("benchfleet-server", "benchfleet-worker", "benchfleet-runner"):
                shutil.copy(BIN / name, fleet.folder)  # where anybody may run them
            for program in ("benchfleet-server", "benchfleet-worker"):
                with self.subTest(program):
                    result = subprocess.run([fleet.folder / program, "--state-dir", state], capture_output=True, text=True,
                                            timeout=60, user=65534, group=65534, extra_groups=[])
                    self.assert_exit(result, 2)
                    self.assertIn(str(state), one_line(result.stderr))

    def test_a_damaged_database(self):
        with Fleet() as fleet:
            (fleet.folder / "server").mkdir()
            (fleet.folder / "server" / "benchfleet.db").write_text("this is not a database, but long enough " * 100)
            self.check("benchfleet-server", ["--state-dir", fleet.folder / "server", "--listen", "127.0.0.1:0",
                                             "--http", "127.0.0.1:0"], ["benchfleet.db"])

    def test_a_second_coordinator_on_the_same_state(self):
        with Fleet() as fleet:
            server = fleet.start_server()
            self.check("benchfleet-server", ["--state-dir", fleet.folder / "server", "--listen", "127.0.0.1:0",
                                             "--http", "127.0.0.1:0"], [str(server.process.pid)])

    def test_a_second_worker_on_the_same_state(self):
        with Fleet() as fleet:
            fleet.start_server()
            worker = fleet.start_worker()
            fleet.wait_for_worker()
            self.check("benchfleet-worker", ["--server", fleet.grpc, "--state-dir", fleet.folder / "alpha"],
                       [str(worker.process.pid)])


if __name__ == "__main__":
    unittest.main()
