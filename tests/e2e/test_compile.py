"""The compile suite from one call, with real compilers: that it is sound, and the two figures promised of it."""

import re
import shutil
import subprocess
import sys
import unittest

import grpc

from fleet import Fleet, FleetTest
from reflection import Reflection

NATIVE = ["serial", "threads", "processes", "event_loop"]
PYTHON = ["asyncio", "thread_pool_executor", "process_pool_executor"]
PROBES = {"fortran": 16, "c": 12}
CONTROLS = 3
# In every one of so many rounds slower: p = 1/4096 for equal strategies.
ROUNDS = 12


def python_version():
    return "%d.%d.%d" % sys.version_info[:3]


def processes_with(text):
    found = subprocess.run(["pgrep", "-f", text], capture_output=True, text=True, check=False)
    return found.stdout.split()


class CompileTest(FleetTest):
    def run_job(self, fleet, *flags):
        fleet.start_server()
        fleet.start_worker()
        run = fleet.client("run", "compile", "--interpreter", python_version(), *flags, timeout=600)
        self.assert_exit(run, 0)
        self.job_id = fleet.json("jobs")["jobs"][0]["id"]
        return run, fleet.json("report", self.job_id)

    def summaries(self, report, measure):
        return {(s["case"], s["variant"]): s for s in report["summaries"] if s["measure"] == measure}

    @unittest.skipUnless(shutil.which("gfortran"), "no gfortran")
    def test_strategies_are_measured_like_for_like(self):
        with Fleet() as fleet:
            run, report = self.run_job(fleet, "--compiler", "gfortran", "--mode", "link", "--rounds", str(ROUNDS),
                                       "--budget", "10m")  # for a busy machine
            variants = NATIVE + [f"{name}@{python_version()}" for name in PYTHON]
            wall = self.summaries(report, "wall")
            self.assertEqual(sorted(variant for _, variant in wall), sorted(variants))
            (case,) = {case for case, _ in wall}
            limit = int(re.fullmatch(r"gfortran@[0-9.]+/link/j(\d+)", case)[1])

            for (_, variant), summary in wall.items():
                counters = summary["counters"]
                self.assertEqual(summary["rounds"], ROUNDS, variant)
                self.assertEqual(counters["compiles"], PROBES["fortran"] + CONTROLS, variant)
                self.assertEqual(counters["accepted"] + counters["refused"], counters["compiles"], variant)
                most = 1 if variant == "serial" else limit
                self.assertLessEqual(counters["peak_children"], most, variant)
                self.assertGreater(counters["peak_children"], 0 if most == 1 else 1, variant)
            for measure in ("cpu", "overhead", "launch", "longest", "efficiency"):
                self.assertEqual(self.summaries(report, measure).keys(), wall.keys(), measure)
            for arm, summary in self.summaries(report, "efficiency").items():
                self.assertTrue(0 < summary["median"] <= 1, f"{arm}: {summary['median']}")

            compared = {(c["base"]["variant"], c["contender"]["variant"]) for c in report["comparisons"]}
            others = [v for v in variants if v not in ("threads", "serial")]
            self.assertEqual(compared, {(base, v) for base in ("threads", "serial") for v in others}
                             | {("serial", "threads")})
            self.assertIn("gfortran@", run.stdout)
            self.assertIn("event_loop", run.stdout)

            with self.subTest("the event loop is not slower than any other strategy at the same limit"):
                values = self.round_values(fleet)
                for variant in variants:
                    slower = [values["event_loop"][i] > seconds for i, seconds in values[variant].items()]
                    self.assertEqual(len(slower), ROUNDS)
                    self.assertFalse(variant != "event_loop" and all(slower), f"slower than {variant} in every round")
            with self.subTest("next to nothing is spent outside the compilers"):
                cpu = self.summaries(report, "cpu")
                for measure in ("overhead", "runner_cpu"):
                    for variant in NATIVE:
                        share = self.summaries(report, measure)[case, variant]["median"] / cpu[case, variant]["median"]
                        self.assertLessEqual(share, 0.03, f"{measure} of {variant}")
            self.assertEqual(processes_with("benchfleet-compile-pass|compile_driver.py"), [])

    def round_values(self, fleet):
        """Wall seconds by variant, then round."""
        with grpc.insecure_channel(fleet.grpc) as channel:
            reflection = Reflection(channel)
            reflection.load("benchfleet.v1.BenchmarkService")
            request = reflection.message("benchfleet.v1.GetReportRequest")(job_id=self.job_id, round_values=True)
            answer = channel.unary_unary("/benchfleet.v1.BenchmarkService/GetReport",
                                         request_serializer=lambda m: m.SerializeToString(),
                                         response_deserializer=reflection.message("benchfleet.v1.Report").FromString)
            report = answer(request, timeout=30)
        return {s.variant: dict(zip(s.round_indices, s.round_values)) for s in report.summaries if s.measure == "wall"}

    def test_a_compiler_shows_what_it_can_do(self):
        with Fleet() as fleet:
            run, report = self.run_job(fleet, "--compiler", "gcc", "--variant", "event_loop", "--variant", "asyncio",
                                       "--rounds", "2")
            outcomes = {(c["mode"], c["probe"]): c["outcome"] for c in report["capabilities"]}
            self.assertEqual(len(outcomes), 2 * (PROBES["c"] + CONTROLS))
            self.assertEqual({c["compiler"] for c in report["capabilities"]}, {"gcc"})
            for mode in ("compile", "link"):
                self.assertEqual(outcomes[mode, "c_minimal"], "accepted")
                self.assertEqual(outcomes[mode, "neg_syntax"], "refused")
            # Only the linker knows that a symbol is nowhere.
            self.assertEqual(outcomes["compile", "neg_link"], "accepted")
            self.assertEqual(outcomes["link", "neg_link"], "refused")
            self.assertIn("c_minimal", run.stdout)
            subjects = report["runs"][0]["subjects"]
            self.assertEqual([s["parts"]["mode"] for s in subjects], ["compile", "link"])
            self.assertEqual({s["parts"]["compiler"] for s in subjects}, {"gcc"})

            workers = fleet.json("workers")["workers"]
            self.assertIn("compiler/gcc", workers[0]["labels"])
            self.assertIn("suite/compile", workers[0]["labels"])

    def test_what_the_host_lacks_is_named(self):
        with Fleet() as fleet:
            fleet.start_server()
            fleet.start_worker()
            run = fleet.client("run", "compile", "--compiler", "gcc@0.1", "--rounds", "1")
            self.assert_exit(run, 4)
            self.assertIn("this host has no gcc 0.1, it has", run.stdout + run.stderr)

    def test_local_needs_no_server(self):
        with Fleet() as fleet:
            run = fleet.client("run", "compile", "--local", "--compiler", "gcc", "--mode", "compile", "--variant",
                               "threads", "--rounds", "1")
            self.assert_exit(run, 0)
            self.assertIn("gcc@", run.stdout)


if __name__ == "__main__":
    unittest.main()
