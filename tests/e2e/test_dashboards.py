"""What deploy/ ships, against a real fleet: Prometheus runs with our configuration and rules, and
every expression of every dashboard is executed with its variables filled in. A renamed metric or
label shows as an empty panel, a column without a field or a legend without a label."""

import json
import math
import pathlib
import re
import shutil
import time
import unittest
import urllib.error
import urllib.parse
import urllib.request

from fleet import Fleet, FleetTest, wait_until
from test_prometheus import Prometheus

DEPLOY = pathlib.Path(__file__).parents[2] / "deploy"
BOARDS = {path.stem: json.loads(path.read_text()) for path in (DEPLOY / "grafana/dashboards").glob("*.json")}

# Six rounds: with fewer there is no interval at 95 %.
WAKE_JOB = ["run", "wake", "--loop", "epoll", "--rounds", "6"]
COMPILE_JOB = ["run", "compile", "--compiler", "gcc", "--mode", "compile", "--limit", "2", "--variant", "threads",
               "--variant", "event_loop", "--rounds", "6"]
ALL = ".+"  # what a dashboard's variable stands for when nothing is chosen
RATE_INTERVAL = "10m"  # holds every scrape of this test

# What shows nothing in this fleet: (dashboard, panel or annotation, query) and why.
MAY_BE_EMPTY = {
    ("benchfleet-overview", "Alerts", "annotation"): "a sound fleet has no alert",
    ("benchfleet-wake", "Alerts", "annotation"): "a sound fleet has no alert",
    ("benchfleet-compile", "Alerts", "annotation"): "a sound fleet has no alert",
}

LABEL_VALUES = re.compile(r"label_values\((.*), (\w+)\)")
VARIABLE = re.compile(r"\$(?:\{(\w+)\}|(\w+))")


def fill(expression, values):
    """Variables replaced as Grafana does; one without a value is an error of the dashboard."""
    return VARIABLE.sub(lambda match: values[match[1] or match[2]], expression)


def one_value(text):
    """A single value as Grafana writes it into a regular expression inside a PromQL string."""
    return re.sub(r"([$^*{}\[\]'+?.()|])", r"\\\\\1", text.replace("\\", "\\\\\\\\"))


def used_variables(expression):
    return {match[1] or match[2] for match in VARIABLE.finditer(expression)} - {"__rate_interval"}


def has_figure(series):
    return any(math.isfinite(float(one["value"][1])) for one in series)


def labels_of(series):
    return set().union(*(one["metric"] for one in series))


class Api:
    """Prometheus' HTTP API; an error is told with the expression that caused it."""

    def __init__(self, prometheus):
        self.address = prometheus.address

    def get(self, path, **parameters):
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters, doseq=True)}"
        try:
            with urllib.request.urlopen(url, timeout=30) as response:
                return json.load(response)["data"]
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{parameters}: {error.read().decode()}") from error

    def now(self, expression):
        return self.get("query", query=expression)["result"]

    def lately(self, expression):
        end = time.time()
        return self.get("query_range", query=expression, start=end - 60, end=end, step="5")["result"]


def configuration(fleet):
    """Ours, for this coordinator and in a test's time."""
    text = (DEPLOY / "prometheus/prometheus.yml").read_text()
    for old, new in (('targets: ["127.0.0.1:7481"]', f'targets: ["{fleet.http}"]'),
                     ("scrape_interval: 15s", "scrape_interval: 1s"),
                     ("evaluation_interval: 15s", "evaluation_interval: 1s")):
        if text.count(old) != 1:
            raise AssertionError(f"prometheus.yml has not one '{old}'")
        text = text.replace(old, new)
    shutil.copytree(DEPLOY / "prometheus/rules", fleet.folder / "rules")
    return text


def start(fleet):
    """A coordinator, a worker, a Prometheus that sees all of it, a result of each suite, a job that waits."""
    fleet.start_server()
    fleet.start_worker()
    fleet.wait_for_worker()
    api = Api(Prometheus(fleet, configuration(fleet)))
    wait_until(lambda: has_figure(api.now("up == 1")), "the coordinator is scraped")
    about = ["--project", "demo", "--commit", "c0ffee", "--branch", "main"]
    for job in (WAKE_JOB, COMPILE_JOB):
        result = fleet.client(*job, *about)
        if result.returncode != 0:
            raise AssertionError(f"{job} ended with {result.returncode}: {result.stderr}")
    fleet.client(*WAKE_JOB, "--hosts", "pool=none", "--detach")
    # The rule that is evaluated after the others of its group has seen both suites.
    wait_until(lambda: has_figure(api.now("count(count by (suite) (arm:benchfleet_times_fastest:ratio)) == 2 and on () "
                                          'benchfleet_jobs{state="queued"} == 1')), "the results are scraped")
    return api


@unittest.skipIf(shutil.which("prometheus") is None, "prometheus is not installed")
class DashboardsTest(FleetTest):
    @classmethod
    def setUpClass(cls):
        cls.api = start(cls.enterClassContext(Fleet()))
        cls.values = {uid: cls.values_of(board) for uid, board in BOARDS.items()}

    @classmethod
    def values_of(cls, board):
        """What each of the dashboard's variables can be, as its own query says."""
        found = {}
        for variable in board["templating"]["list"]:
            if variable["type"] != "query":
                continue
            selector, label = LABEL_VALUES.fullmatch(variable["query"]["query"]).groups()
            everything = {name: ALL for name in found}
            found[variable["name"]] = cls.api.get(f"label/{label}/values", **{"match[]": fill(selector, everything)})
        return found

    def panels(self):
        for uid, board in BOARDS.items():
            for panel in board["panels"]:
                if panel["type"] != "row":
                    yield uid, panel

    def expressions(self):
        """(dashboard, what it belongs to, which of its queries, expression)"""
        for uid, panel in self.panels():
            for target in panel["targets"]:
                yield uid, panel["title"], target["refId"], target["expr"]
        for uid, board in BOARDS.items():
            for annotation in board["annotations"]["list"]:
                yield uid, annotation["name"], "annotation", annotation["expr"]

    def everything(self, uid):
        return {**{name: ALL for name in self.values[uid]}, "__rate_interval": RATE_INTERVAL}

    def ask(self, uid, target):
        return self.api.now(fill(target["expr"], self.everything(uid)))

    def test_every_variable_has_values(self):
        self.assertEqual(set(BOARDS), {"benchfleet-overview", "benchfleet-wake", "benchfleet-compile"})
        for uid, values in self.values.items():
            for name, found in values.items():
                with self.subTest(dashboard=uid, variable=name):
                    self.assertTrue(found)

    def test_every_expression_shows_something(self):
        for uid, title, query, expression in self.expressions():
            with self.subTest(dashboard=uid, panel=title, query=query, expression=expression):
                shown = has_figure(self.api.now(fill(expression, self.everything(uid))))
                self.assertTrue(shown or (uid, title, query) in MAY_BE_EMPTY, "shows nothing")

    def test_every_expression_works_with_each_single_value(self):
        for uid, title, query, expression in self.expressions():
            for name in used_variables(expression):
                with self.subTest(dashboard=uid, panel=title, query=query, expression=expression, variable=name):
                    filled = [fill(expression, {**self.everything(uid), name: one_value(value)})
                              for value in self.values[uid][name]]
                    shown = any([has_figure(self.api.now(one)) for one in filled])
                    self.assertTrue(shown or (uid, title, query) in MAY_BE_EMPTY, "shows nothing with any value")

    def test_what_may_be_empty_exists(self):
        self.assertLessEqual(set(MAY_BE_EMPTY), {key for *key, _ in self.expressions() for key in [tuple(key)]})

    def test_lines_have_points(self):
        for uid, panel in self.panels():
            if panel["type"] != "timeseries":
                continue
            for target in panel["targets"]:
                with self.subTest(dashboard=uid, panel=panel["title"], expression=target["expr"]):
                    self.assertTrue(self.api.lately(fill(target["expr"], self.everything(uid))))

    def test_legends_name_labels_that_exist(self):
        for uid, panel in self.panels():
            for target in panel["targets"]:
                with self.subTest(dashboard=uid, panel=panel["title"], legend=target["legendFormat"]):
                    named = set(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"]))
                    self.assertLessEqual(named, labels_of(self.ask(uid, target)))

    # Two series with one legend could not be told apart.
    def test_legends_tell_series_apart(self):
        for uid, panel in self.panels():
            if panel["type"] == "table":
                continue
            repeated = panel.get("repeat")
            for value in self.values[uid][repeated] if repeated else [None]:
                values = {**self.everything(uid), **({repeated: one_value(value)} if repeated else {})}
                for target in panel["targets"]:
                    with self.subTest(dashboard=uid, panel=panel["title"], legend=target["legendFormat"]):
                        names = re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])
                        series = self.api.now(fill(target["expr"], values))
                        shown = [tuple(one["metric"].get(name) for name in names) for one in series]
                        self.assertEqual(len(shown), len(set(shown)))

    def test_tables_show_fields_that_exist(self):
        for uid, panel in self.panels():
            if panel["type"] != "table":
                continue
            targets = panel["targets"]
            fields = {"Time"} | ({"Value"} if len(targets) == 1 else {f"Value #{t['refId']}" for t in targets})
            fields |= set().union(*(labels_of(self.ask(uid, target)) for target in targets))
            for transformation in panel["transformations"]:
                options = transformation["options"]
                if transformation["id"] == "organize":
                    shown = set(options["indexByName"])
                    named = shown | set(options["excludeByName"]) | set(options["renameByName"])
                    with self.subTest(dashboard=uid, panel=panel["title"]):
                        self.assertLessEqual(named, fields)
                        self.assertEqual(fields - named, set(), "neither shown nor hidden")
                if transformation["id"] == "groupingToMatrix":
                    with self.subTest(dashboard=uid, panel=panel["title"]):
                        self.assertLessEqual(set(options.values()), fields)

    def test_jobs_are_counted_by_suite(self):
        for suite in ("wake", "compile"):
            ended = self.api.now(f'benchfleet_jobs_finished_total{{suite="{suite}",outcome="succeeded"}}')
            self.assertEqual([one["value"][1] for one in ended], ["1"], suite)

    def test_every_rule_is_evaluated(self):
        rules = [rule for group in self.api.get("rules")["groups"] for rule in group["rules"]]
        text = "".join(path.read_text() for path in (DEPLOY / "prometheus/rules").glob("*.yml"))
        self.assertEqual(len(rules), len(re.findall(r"^ *- (?:record|alert):", text, re.MULTILINE)))
        for rule in rules:
            with self.subTest(rule=rule["name"]):
                self.assertEqual((rule["health"], rule.get("lastError")), ("ok", None))
                shown = self.api.now(rule["query"])
                if rule["type"] == "recording":
                    self.assertTrue(has_figure(shown), "records nothing")
                    self.assertTrue(has_figure(self.api.now(rule["name"])))
                elif rule["name"] != "BenchfleetMeasurementsFail":  # a busy host may fail one
                    self.assertEqual(shown, [], "an alert in a sound fleet")


if __name__ == "__main__":
    unittest.main()
