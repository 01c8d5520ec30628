"""quickstart with stand-ins for the three programs: what it starts, stops and returns."""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]

# One program under three names. The services say where they listen and wait for a signal; the
# client prints its arguments, and does as CLIENT says: an exit code, or "wait" for a signal.
PROGRAM = r"""
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void end(int signal) { _exit(128 + signal); }
int main(int argc, char** argv) {
  if (strstr(argv[0], "benchfleet-worker") && getenv("WORKER_DIES")) return 3;
  if (strstr(argv[0], "benchfleet-")) {
    signal(SIGINT, end);
    for (int i = 1; i + 1 < argc; i++) {
      if (strcmp(argv[i], "--port-file")) continue;
      FILE* file = fopen(argv[i + 1], "w");
      fprintf(file, "grpc=%s\nhttp=%s\n", argv[2], argv[4]);
      fclose(file);
    }
    pause();
  }
  if (!strcmp(argv[1], "health")) return 0;
  signal(SIGINT, end);
  for (int i = 1; i < argc; i++) printf("%s ", argv[i]);
  printf("\n");
  fflush(stdout);
  if (!strcmp(getenv("CLIENT"), "wait")) pause();
  return atoi(getenv("CLIENT"));
}
"""


class QuickstartTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.program = pathlib.Path(cls.folder.name, "program")
        subprocess.run(["cc", "-x", "c", "-", "-o", str(cls.program)], input=PROGRAM, text=True, check=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout = pathlib.Path(folder.name).resolve()
        bin_ = self.checkout / "build/release/bin"
        bin_.mkdir(parents=True)
        for name in ("benchfleet", "benchfleet-server", "benchfleet-worker"):
            shutil.copy(self.program, bin_ / name)
        (self.checkout / "build/release/build.ninja").touch()
        (self.checkout / "tools").mkdir()
        shutil.copy(ROOT / "tools/lib.sh", self.checkout / "tools")
        shutil.copy(ROOT / "quickstart", self.checkout)
        for stub in ("tools/install_packages", "cmake"):
            (self.checkout / stub).write_text("#!/bin/sh\n")
            (self.checkout / stub).chmod(0o755)
        self.addCleanup(self.kill_strays)

    def start(self, *arguments, client="0", **environment):
        environment = {**os.environ, **environment, "CLIENT": client, "PATH": f"{self.checkout}:{os.environ['PATH']}"}
        process = subprocess.Popen([str(self.checkout / "quickstart"), *arguments], cwd="/", text=True, env=environment,
                                   start_new_session=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def run_to_end(self, *arguments, **options):
        process = self.start(*arguments, **options)
        out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def await_client(self, process):
        self.assertEqual(process.stdout.readline(), "\n")
        self.assertIn("run wake", process.stdout.readline())

    def running(self):
        """Pids by name of the programs that run from this checkout."""
        found = {}
        for exe in pathlib.Path("/proc").glob("[0-9]*/exe"):
            with contextlib.suppress(OSError):
                target = pathlib.Path(os.readlink(exe))
                if target.is_relative_to(self.checkout):
                    found[target.name] = int(exe.parent.name)
        return found

    def kill_strays(self):
        for pid in self.running().values():
            os.kill(pid, signal.SIGKILL)

    def test_the_exit_code_is_the_clients_and_nothing_stays(self):
        for code in (0, 1, 4):
            with self.subTest(code):
                got, out, err = self.run_to_end("--budget", "5s", client=str(code))
                self.assertEqual(got, code, err)
                self.assertEqual(re.findall(r"run (\w+) --server 127\.0\.0\.1:\d+ --report html=(\S+) --budget 5s", out),
                                 [(suite, f"{self.checkout}/.benchfleet/{suite}.html") for suite in ("wake", "compile")])
                self.assertEqual(self.running(), {})

    def test_keep_leaves_both_running_until_stop(self):
        code, _, err = self.run_to_end("--keep")
        self.assertEqual(code, 0, err)
        kept = self.running()
        self.assertEqual(sorted(kept), ["benchfleet-server", "benchfleet-worker"])
        for word in ("/metrics", "--stop", *map(str, kept.values())):
            self.assertIn(word, err)

        code, _, err = self.run_to_end()
        self.assertEqual((code, self.running()), (0, kept), err)

        self.assertEqual(self.run_to_end("--stop")[0], 0)
        self.assertEqual(self.running(), {})
        code, _, err = self.run_to_end("--stop")
        self.assertEqual((code, err), (0, "quickstart: nothing is running\n"))

    def test_a_signal_reaches_the_client_once_and_nothing_stays(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.start(client="wait")
                self.await_client(process)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=60), 128 + number)
                self.assertNotIn("run compile", process.stdout.read())
                self.assertEqual(self.running(), {})

    def test_ctrl_c_on_a_terminal_reaches_the_client_through_the_script_alone(self):
        process = self.start(client="wait")
        self.await_client(process)
        for name, pid in self.running().items():
            self.assertNotEqual(os.getpgid(pid), process.pid, name)
        os.killpg(process.pid, signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), 130)
        self.assertEqual(self.running(), {})

    def test_a_service_that_dies_ends_the_client(self):
        code, _, err = self.run_to_end(client="wait", WORKER_DIES="1")
        self.assertEqual(code, 7)
        self.assertIn("benchfleet-worker ended", err)
        self.assertEqual(self.running(), {})

    def test_a_taken_port_is_said_and_avoided(self):
        with socket.socket() as taken:
            taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            with contextlib.suppress(OSError):  # somebody else has it: as good
                taken.bind(("127.0.0.1", 7480))
                taken.listen()
            code, out, err = self.run_to_end()
        self.assertEqual(code, 0, err)
        self.assertIn("taken; using free ports instead", err)
        self.assertIn("--server 127.0.0.1:0 ", out)


if __name__ == "__main__":
    unittest.main()
