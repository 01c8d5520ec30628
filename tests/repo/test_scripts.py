"""The scripts a newcomer meets: their arguments, and what they do to the machine."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).parents[2]


def run(*command, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    return subprocess.run(command, cwd="/", text=True, capture_output=True, timeout=60, **options)


class ArgumentsTest(unittest.TestCase):
    def test_help_goes_to_standard_output(self):
        for script in ("quickstart", "run-tests", "tools/install_packages"):
            with self.subTest(script):
                done = run(str(ROOT / script), "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("--no-install", done.stdout)

    def test_a_wrong_argument_is_one_clear_line_and_exit_code_2(self):
        for command in (["quickstart", "--fast"], ["quickstart", "--budget"], ["run-tests", "fast"],
                        ["run-tests", "--only"], ["run-tests", "--only", "nothing"],
                        ["tools/install_packages"], ["tools/install_packages", "all"]):
            with self.subTest(command):
                done = run(str(ROOT / command[0]), *command[1:])
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertRegex(done.stderr, r"\A.+\(see --(help|list)\)\n\Z")

    def test_steps_are_listed_from_fast_to_slow(self):
        done = run(str(ROOT / "run-tests"), "--list")
        names = [line.split()[0] for line in done.stdout.splitlines()]
        self.assertEqual(names[:5], ["packages", "configure", "repo", "build", "unit"])

    def test_a_bare_environment_is_enough(self):
        done = run(str(ROOT / "run-tests"), "--no-install", "--only", "packages", env={"PATH": os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.endswith("tests: 0 passed, 0 failed, 0 skipped\n"), done.stdout)

    def test_ci_runs_the_tests_and_nothing_else(self):
        lines = (ROOT / ".ci/run").read_text().splitlines()
        self.assertEqual(len(lines), 2)
        self.assertTrue(lines[1].endswith("exec ./run-tests"), lines[1])


class SkipsTest(unittest.TestCase):
    LOG = ("3/9 Test #3: a.runs .......   Passed    0.01 sec\n"
           "4/9 Test #4: a.needs_root ...***Skipped   0.00 sec\n")

    def check(self, allowed, *arguments):
        with tempfile.TemporaryDirectory() as folder:
            log, list_ = pathlib.Path(folder, "log"), pathlib.Path(folder, "allowed")
            log.write_text(self.LOG)
            list_.write_text(allowed)
            return run(str(ROOT / "tools/check_skips.py"), "--allowed", str(list_), *arguments, str(log))

    def test_only_a_listed_skip_passes(self):
        self.assertEqual(self.check("a\\.needs_.* # containers have no root\n").returncode, 0)
        self.assertEqual(self.check("a\\.needs # another name\n").returncode, 1)
        done = self.check("")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.needs_root: not in tools/allowed_skips", done.stdout)
        self.assertEqual(self.check("", "--allow-all").returncode, 0)

    def test_a_line_without_a_reason_is_refused(self):
        self.assertNotEqual(self.check("a\\.needs_root\n").returncode, 0)


class PackagesTest(unittest.TestCase):
    """install_packages against a machine made of four stub programs."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.machine = pathlib.Path(folder.name)
        self.policy = self.machine / "usr/sbin/policy-rc.d"
        self.policy.parent.mkdir(parents=True)
        (self.machine / "bin").mkdir()
        self.stub("apt-get", 'echo "$@" >>"$DESTDIR/calls"; sh "$DESTDIR/usr/sbin/policy-rc.d"; '
                             'echo "policy $?" >>"$DESTDIR/calls"; exit ${APT_CODE:-0}')
        self.stub("systemctl", 'echo "$@" >>"$DESTDIR/calls"')
        self.stub("dpkg", "echo /lib/systemd/system/prometheus.service")
        self.stub("sudo", "exit 1")
        self.installed("")

    def stub(self, name, body):
        path = self.machine / "bin" / name
        path.write_text(f"#!/bin/sh\n{body}\n")
        path.chmod(0o755)

    def installed(self, pattern):
        self.stub("dpkg-query", f'for p; do :; done; case $p in {pattern or "none"}) echo installed ;; *) exit 1 ;; esac')

    def install(self, *arguments, uid=0, **environment):
        self.stub("id", f"echo {uid}")
        return run(str(ROOT / "tools/install_packages"), *arguments,
                   env={"PATH": f"{self.machine}/bin:/usr/bin:/bin", "DESTDIR": str(self.machine), **environment})

    def calls(self):
        path = self.machine / "calls"
        return path.read_text().splitlines() if path.exists() else []

    def test_nothing_happens_when_nothing_is_missing(self):
        self.installed("*")
        self.assertEqual(self.install("test").returncode, 0)
        self.assertEqual(self.calls(), [])

    def test_nothing_happens_when_told_not_to(self):
        self.assertEqual(self.install("--no-install", "test").returncode, 0)
        self.assertEqual(self.calls(), [])

    def test_only_what_is_missing_is_installed_and_its_service_kept_down(self):
        self.installed("[!p]*|python*|pkg*|proto*|prometheus-*")
        done = self.install("test")
        self.assertEqual(done.returncode, 0, done.stderr)
        update, policy, install, policy_too, disable = self.calls()
        self.assertTrue(update.endswith(" update"), update)
        self.assertTrue(install.endswith(" install -y --no-install-recommends prometheus"), install)
        self.assertEqual((policy, policy_too), ("policy 101", "policy 101"))
        self.assertEqual(disable, "disable --quiet prometheus.service")
        self.assertFalse(self.policy.exists())

    def test_the_machines_own_policy_comes_back_after_an_error(self):
        self.policy.write_text("exit 7\n")
        self.assertEqual(self.install("build", APT_CODE="100").returncode, 1)
        self.assertIn("policy 101", self.calls())
        self.assertEqual(self.policy.read_text(), "exit 7\n")
        self.assertEqual(len(list(self.policy.parent.iterdir())), 1)

    def test_who_may_not_install_is_told_the_one_line(self):
        self.installed("[!c]*")
        done = self.install("build", uid=1000)
        self.assertEqual(done.returncode, 2)
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends ccache cmake\n", done.stderr)
        self.assertEqual(self.calls(), [])

    def test_the_list_is_sound(self):
        lines = [line.split() for line in (ROOT / "tools/packages").read_text().splitlines() if line[0] != "#"]
        self.assertTrue(all(len(line) in (2, 3) and line[0] in ("build", "test", "image") for line in lines), lines)
        self.assertTrue(all(re.fullmatch(r"[a-z0-9][a-z0-9+.-]+", line[1]) for line in lines), lines)
        for purpose in ("build", "test", "image"):
            names = [line[1] for line in lines if line[0] == purpose]
            self.assertEqual(names, sorted(set(names)))


if __name__ == "__main__":
    unittest.main()
