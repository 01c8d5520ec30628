"""A fleet of real programs on this machine, for tests: one coordinator, some workers, the client.

Everything listens on ports the kernel chooses and keeps its state in a folder of its own;
whatever happens, nothing is left running.
"""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

BIN = pathlib.Path(os.environ["BENCHFLEET_BIN_DIR"])
PATIENCE_SECONDS = 60  # a watch-dog, never a measure

# The smallest job that measures something: one native case, two variants, one round.
SMALL_JOB = ["--loop", "epoll", "--case", "frame.ready", "--variant", "lookup", "--variant", "counted",
             "--rounds", "2"]


def wait_until(condition, what, seconds=PATIENCE_SECONDS):
    """Waits for a condition that other processes bring about; returns its value."""
    deadline = time.monotonic() + seconds
    tick = threading.Event()
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"did not happen within {seconds} s: {what}")
        tick.wait(0.02)


class Program:
    """A running program whose output is kept."""

    def __init__(self, argv, log_path, env=None):
        self.log_path = log_path
        with open(log_path, "ab") as log:
            self.process = subprocess.Popen(argv, stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=env)

    def log(self):
        return self.log_path.read_text(errors="replace")

    def running(self):
        return self.process.poll() is None

    def stop(self, sig=signal.SIGTERM):
        if self.running():
            self.process.send_signal(sig)
        return self.process.wait(PATIENCE_SECONDS)


class Fleet:
    """Use as a context manager."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="benchfleet-e2e-"))
        self.programs = []
        self.server = None
        self.grpc = None
        self.http = None

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for program in reversed(self.programs):
            with contextlib.suppress(subprocess.TimeoutExpired, ProcessLookupError):
                program.stop(signal.SIGTERM)
            if program.running():
                program.process.kill()
                program.process.wait()
        if exception[0] is not None:
            for program in self.programs:
                print(f"--- {program.log_path.name}\n{program.log()}")
        shutil.rmtree(self.folder, ignore_errors=True)

    def start_server(self, *flags, listen="127.0.0.1:0", http="127.0.0.1:0"):
        port_file = self.folder / "ports"
        port_file.unlink(missing_ok=True)
        self.server = Program([BIN / "benchfleet-server", "--listen", listen, "--http", http, "--state-dir",
                               self.folder / "server", "--port-file", port_file, *flags], self.folder / "server.log")
        self.programs.append(self.server)
        wait_until(lambda: port_file.exists() or not self.server.running(), "the coordinator writes its port file")
        if not port_file.exists():
            raise AssertionError(f"the coordinator did not start:\n{self.server.log()}")
        ports = dict(line.split("=", 1) for line in port_file.read_text().split())
        self.grpc, self.http = ports["grpc"], ports["http"]
        return self.server

    def start_worker(self, name="alpha", *flags):
        worker = Program([BIN / "benchfleet-worker", "--server", self.grpc, "--name", name, "--state-dir",
                          self.folder / name, *flags], self.folder / f"{name}.log", env=self.environment())
        self.programs.append(worker)
        return worker

    def environment(self):
        env = {key: value for key, value in os.environ.items() if not key.startswith("BENCHFLEET_")}
        env["BENCHFLEET_SERVER"] = self.grpc or "127.0.0.1:1"
        env["XDG_CONFIG_HOME"] = str(self.folder / "config")
        return env

    def client(self, *args, timeout=300, stdin=None):
        return subprocess.run([BIN / "benchfleet", *map(str, args)], capture_output=True, text=True, timeout=timeout,
                              env=self.environment(), input=stdin)

    def json(self, *args):
        result = self.client(*args, "--output", "json")
        if result.returncode != 0:
            raise AssertionError(f"benchfleet {args} ended with {result.returncode}: {result.stderr}")
        return json.loads(result.stdout)

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.http}{path}", timeout=30) as response:
            return response.read().decode()

    def wait_for_worker(self, name="alpha"):
        def online():
            workers = self.json("workers")["workers"]
            return any(w["name"] == name and w["state"] != "offline" for w in workers)
        wait_until(online, f"worker {name} is online")


class FleetTest(unittest.TestCase):
    def assert_exit(self, result, code):
        self.assertEqual(result.returncode, code, f"stdout:\n{result.stdout}\nstderr:\n{result.stderr}")


def one_line(text):
    """The one line a program said; fails when it said more or nothing."""
    lines = [line for line in text.splitlines() if line.strip()]
    assert len(lines) == 1, f"expected one line, got:\n{text}"
    return lines[0]
