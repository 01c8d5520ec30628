"""One real wake job, from submission to the table, with the real programs."""

import re
import unittest

from fleet import SMALL_JOB, Fleet, FleetTest, wait_until


class JobTest(FleetTest):
    def test_a_job_gives_a_table_and_can_be_read_afterwards(self):
        with Fleet() as fleet:
            fleet.start_server()
            fleet.start_worker()
            run = fleet.client("run", "wake", *SMALL_JOB, "--project", "demo")
            self.assert_exit(run, 0)
            self.assertIn("epoll/frame.ready", run.stdout)
            self.assertRegex(run.stdout, r"\bns\b")
            self.assertIn("1 case x 2 variants, 2 rounds", run.stderr, "the plan is told")
            self.assertIn("round 3 of 3", run.stderr, "so is the progress")

            jobs = fleet.json("jobs")["jobs"]
            self.assertEqual(len(jobs), 1)
            job_id = jobs[0]["id"]
            self.assertEqual(jobs[0]["state"], "succeeded")

            report = fleet.json("report", job_id)
            self.assertEqual(report["job"]["project"], "demo")
            self.assertEqual(report["runs"][0]["host"], "alpha")
            self.assertEqual(report["runs"][0]["rounds"], 2)
            arms = {(s["case"], s["variant"]) for s in report["summaries"] if s["measure"] == "wall"}
            self.assertEqual(arms, {("epoll/frame.ready", "lookup"), ("epoll/frame.ready", "counted")})
            for summary in report["summaries"]:
                self.assertGreater(summary["median"], 0)
                self.assertLessEqual(summary["min"], summary["median"])
                self.assertLessEqual(summary["median"], summary["max"])
            comparison = report["comparisons"][0]
            self.assertEqual(comparison["base"]["variant"], "lookup")
            self.assertEqual(comparison["verdict"], "inconclusive")
            self.assertIn("too_few_rounds", comparison["notes"])

            self.assert_exit(fleet.client("job", job_id), 0)
            self.assertEqual(fleet.client("report", job_id).stdout.count("epoll/frame.ready"),
                             run.stdout.count("epoll/frame.ready"))
            self.assert_exit(fleet.client("wait", job_id), 0)
            self.assert_exit(fleet.client("health"), 0)
            self.assertIn("alpha", fleet.client("workers").stdout)

    def test_local_gives_the_same_table_without_a_server(self):
        with Fleet() as fleet:
            run = fleet.client("run", "wake", "--local", *SMALL_JOB)
            self.assert_exit(run, 0)
            self.assertIn("epoll/frame.ready", run.stdout)

    def test_a_job_waits_for_a_worker_and_says_so(self):
        with Fleet() as fleet:
            fleet.start_server()
            fleet.start_worker("plain")
            fleet.wait_for_worker("plain")
            job_id = fleet.client("run", "wake", *SMALL_JOB, "--hosts", "pool=lab", "--detach").stdout.strip()
            job = fleet.client("job", job_id)
            self.assertIn("no worker online matches 'pool=lab,suite/wake'", job.stdout + job.stderr)
            fleet.start_worker("lab", "--label", "pool=lab")
            self.assert_exit(fleet.client("wait", job_id), 0)
            self.assertEqual(fleet.json("report", job_id)["runs"][0]["host"], "lab")

    def test_giving_up_waiting_is_exit_5(self):
        with Fleet() as fleet:
            fleet.start_server()
            run = fleet.client("run", "wake", *SMALL_JOB, "--timeout", "1s")
            self.assert_exit(run, 5)
            self.assertIn("no worker", run.stderr)
            self.assertEqual(fleet.json("jobs")["jobs"][0]["state"], "cancelled")

    def test_fan_out_all_runs_on_every_host(self):
        with Fleet() as fleet:
            fleet.start_server()
            none = fleet.client("run", "wake", *SMALL_JOB, "--all-hosts")
            self.assert_exit(none, 5)
            for name in ("alpha", "beta"):
                fleet.start_worker(name)
                fleet.wait_for_worker(name)
            # Both are on this kernel, so they take turns.
            self.assert_exit(fleet.client("run", "wake", *SMALL_JOB, "--all-hosts"), 0)
            job_id = fleet.json("jobs")["jobs"][0]["id"]
            self.assertEqual({run["host"] for run in fleet.json("report", job_id)["runs"]}, {"alpha", "beta"})

    def test_cancel_stops_a_running_job(self):
        with Fleet() as fleet:
            fleet.start_server()
            fleet.start_worker()
            job_id = fleet.client("run", "wake", "--rounds", "1000", "--loop", "epoll", "--budget", "10m",
                                  "--detach").stdout.strip()
            wait_until(lambda: "running" in fleet.client("job", job_id).stdout, "the job runs")
            self.assert_exit(fleet.client("cancel", job_id), 0)
            self.assert_exit(fleet.client("wait", job_id), 4)
            self.assertEqual(fleet.json("jobs")["jobs"][0]["state"], "cancelled")

    def test_once_takes_one_job_and_ends(self):
        with Fleet() as fleet:
            fleet.start_server()
            worker = fleet.start_worker("alpha", "--once")
            self.assert_exit(fleet.client("run", "wake", *SMALL_JOB), 0)
            self.assertEqual(worker.process.wait(60), 0)

    def test_a_lost_worker_costs_an_attempt_and_no_sample(self):
        with Fleet() as fleet:
            fleet.start_server("--sync-hang", "1s", "--lease-ttl", "5s")
            worker = fleet.start_worker()
            job_id = fleet.client("run", "wake", "--loop", "epoll", "--rounds", "30", "--detach").stdout.strip()
            wait_until(lambda: re.search(r"round [2-9]", fleet.client("job", job_id).stdout), "some rounds are done")
            worker.process.kill()
            worker.process.wait()
            fleet.start_worker()
            self.assert_exit(fleet.client("wait", job_id), 0)
            report = fleet.json("report", job_id)
            self.assertEqual(report["runs"][0]["attempts"], 2)
            self.assertEqual(report["runs"][0]["rounds"], 30)
            for summary in report["summaries"]:
                self.assertEqual(summary["rounds"], 30)

    def test_the_coordinator_may_be_killed_in_mid_run(self):
        with Fleet() as fleet:
            server = fleet.start_server()
            fleet.start_worker()
            job_id = fleet.client("run", "wake", "--loop", "epoll", "--rounds", "30", "--detach").stdout.strip()
            wait_until(lambda: re.search(r"round [2-9]", fleet.client("job", job_id).stdout), "some rounds are done")
            grpc = fleet.grpc
            server.process.kill()
            server.process.wait()
            fleet.start_server(listen=grpc)
            self.assert_exit(fleet.client("wait", job_id), 0)
            report = fleet.json("report", job_id)
            self.assertEqual(report["runs"][0]["attempts"], 1)
            self.assertEqual(report["runs"][0]["rounds"], 30)


if __name__ == "__main__":
    unittest.main()
