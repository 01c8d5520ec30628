"""A real Prometheus scrapes a real run and finds the report's medians."""

import json
import shutil
import subprocess
import unittest
import urllib.error
import urllib.parse
import urllib.request

from fleet import SMALL_JOB, Fleet, FleetTest, Program, wait_until

CONFIG = """\
global:
  scrape_interval: 1s
scrape_configs:
  - job_name: benchfleet
    static_configs:
      - targets: ["{target}"]
"""


class Prometheus:
    def __init__(self, fleet, text=None):
        config = fleet.folder / "prometheus.yml"
        config.write_text(text or CONFIG.format(target=fleet.http))
        self.log = fleet.folder / "prometheus.log"
        program = Program(["prometheus", f"--config.file={config}", f"--storage.tsdb.path={fleet.folder / 'tsdb'}",
                           "--web.listen-address=127.0.0.1:0"], self.log)
        fleet.programs.append(program)
        self.address = wait_until(self._address, "Prometheus listens")
        wait_until(self._ready, "Prometheus is ready")

    def _address(self):
        for line in self.log.read_text().splitlines():
            if "Listening on" in line or "address=127.0.0.1:" in line:
                port = line.rsplit("127.0.0.1:", 1)[-1].split()[0].strip('"')
                if port.isdigit() and port != "0":
                    return f"127.0.0.1:{port}"
        return None

    # It listens before it can answer.
    def _ready(self):
        try:
            with urllib.request.urlopen(f"http://{self.address}/-/ready", timeout=30) as response:
                return response.status == 200
        except urllib.error.HTTPError:
            return False

    def query(self, expression):
        url = f"http://{self.address}/api/v1/query?" + urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(url, timeout=30) as response:
            return json.load(response)["data"]["result"]


@unittest.skipIf(shutil.which("prometheus") is None, "prometheus is not installed")
class PrometheusTest(FleetTest):
    def test_the_medians_of_the_report_are_scraped(self):
        with Fleet() as fleet:
            fleet.start_server()
            fleet.start_worker()
            self.assert_exit(fleet.client("run", "wake", *SMALL_JOB, "--project", "demo"), 0)
            job_id = fleet.json("jobs")["jobs"][0]["id"]
            report = fleet.json("report", job_id)

            check = subprocess.run(["promtool", "check", "metrics"], input=fleet.get("/metrics"), text=True,
                                   capture_output=True)
            self.assertEqual((check.returncode, check.stdout + check.stderr), (0, ""))

            prometheus = Prometheus(fleet)
            scraped = wait_until(lambda: prometheus.query("benchfleet_median_seconds"), "the medians are scraped")
            got = {(s["metric"]["case"], s["metric"]["variant"]): float(s["value"][1]) for s in scraped}
            want = {(s["case"], s["variant"]): s["median"] for s in report["summaries"] if s["measure"] == "wall"}
            self.assertEqual(got, want)
            for series in scraped:
                self.assertEqual(series["metric"]["project"], "demo")
                self.assertEqual(series["metric"]["host"], "alpha")
                self.assertEqual(series["metric"]["suite"], "wake")
            ratios = prometheus.query("benchfleet_comparison_ratio")
            self.assertEqual(sorted(float(s["value"][1]) for s in ratios),
                             sorted(c["ratio"] for c in report["comparisons"]))

            self.assertEqual(prometheus.query("up")[0]["value"][1], "1")
            finished = prometheus.query('benchfleet_jobs_finished_total{suite="wake",outcome="succeeded"}')
            self.assertEqual(finished[0]["value"][1], "1")
            self.assertGreater(float(prometheus.query("process_resident_memory_bytes")[0]["value"][1]), 1e6)
            # A second scrape adds no series: names and labels do not churn.
            wait_until(lambda: prometheus.query("scrape_series_added == 0"), "a scrape adds no series")

    def test_a_restart_shows_the_same_figures(self):
        with Fleet() as fleet:
            server = fleet.start_server()
            fleet.start_worker()
            self.assert_exit(fleet.client("run", "wake", *SMALL_JOB), 0)

            def medians():
                return [line for line in fleet.get("/metrics").splitlines() if line.startswith("benchfleet_median")]

            before = medians()
            self.assertTrue(before)
            self.assertEqual(server.stop(), 0)
            fleet.start_server()
            self.assertEqual(medians(), before)


if __name__ == "__main__":
    unittest.main()
