"""What deploy/ ships, without running it: the rules of Grafana's dashboard linter for the dashboards,
promtool for Prometheus' configuration, and that the files agree with one another.
tests/e2e/test_dashboards.py executes the expressions."""

import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
sys.path.insert(0, str(DEPLOY / "grafana"))
import generate  # noqa: E402

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
PANELS = {"timeseries", "stat", "table", "bargauge", "state-timeline"}  # part of every Grafana
UNITS = {"none", "string", "s", "percentunit", "bytes", "ops", "reqps", "bool_yes_no", "dateTimeFromNow"}
MATCHERS = ('job=~"$job"', 'instance=~"$instance"')

TEXT = re.compile(r'"[^"]*"')
# Names of metrics, recorded ones too; labels are never named so.
METRIC = re.compile(r"(?<!\w)((?:benchfleet|grpc_server|process)_\w+|up|ALERTS|\w+:\w+:\w+)(?!\w)(\{[^{}]*\})?")
RANGE = re.compile(r"(\w+)\(\s*([\w:]+)(?:\{[^{}]*\})?\[([^\]]*)\]\)")
VARIABLE = re.compile(r"\$\{?(\w+)\}?")


def blank_texts(expression):
    """The expression with what is between quotes blanked, every position as it was."""
    return TEXT.sub(lambda match: '"' + " " * (len(match[0]) - 2) + '"', expression)


def expression_problems(expression):
    bare = blank_texts(expression)
    selectors = list(METRIC.finditer(bare))
    if not selectors:
        yield "names no metric"
    for selector in selectors:
        name, matchers = selector[1], expression[selector.start(2):selector.end(2)] if selector[2] else ""
        for matcher in MATCHERS:
            if matcher not in matchers:
                yield f"{name} has no matcher {matcher}"
    ranged = {match[2] for match in RANGE.finditer(bare) if match[1] in ("rate", "irate", "increase")}
    for match in RANGE.finditer(bare):
        if match[1] in ("rate", "irate", "increase") and match[3] != "$__rate_interval":
            yield f"{match[1]} over [{match[3]}], not $__rate_interval"
    for name in {selector[1] for selector in selectors}:
        if re.search(r"_(total|bucket|sum|count)$", name) and name not in ranged:
            yield f"{name} is a counter without rate or increase"


def variable_problems(board):
    variables = {one["name"]: one for one in board["templating"]["list"]}
    sources = [one for one in variables.values() if one["type"] == "datasource"]
    if [(one["name"], one["label"], one["query"]) for one in sources] != [("datasource", "Data source", "prometheus")]:
        yield "needs one data source variable 'datasource' with label 'Data source'"
    for name, label in (("job", "Job"), ("instance", "Instance")):
        if variables.get(name, {}).get("label") != label:
            yield f"needs a variable '{name}' with label '{label}'"
    for name, one in variables.items():
        if one["type"] == "datasource":
            continue
        want = {"type": "query", "datasource": DATASOURCE, "multi": True, "includeAll": True, "allValue": ".+",
                "refresh": 2}
        yield from (f"variable '{name}': {key} is {one.get(key)!r}" for key in want if one.get(key) != want[key])


def target_problems(panel, target, known):
    yield from expression_problems(target["expr"])
    if target["datasource"] != DATASOURCE:
        yield "a query with another data source"
    lines = panel["type"] in ("timeseries", "bargauge") or (panel["type"] == "stat" and " by (" in target["expr"])
    if lines and not target["legendFormat"]:
        yield "several series without a legend"
    yield from (f"unknown variable ${name}" for name in VARIABLE.findall(target["expr"])
                if name not in known | {"__rate_interval"})


def panel_problems(panel, known):
    if panel["type"] not in PANELS:
        yield f"type {panel['type']} is not one that every Grafana has"
        return
    yield from (f"no {field}" for field in ("title", "description") if not panel.get(field))
    units = [panel["fieldConfig"]["defaults"].get("unit")]
    units += [one["value"] for override in panel["fieldConfig"]["overrides"] for one in override["properties"]
              if one["id"] == "unit"]
    yield from (f"unit {unit!r} is not known" for unit in units if unit not in UNITS)
    if panel["datasource"] != DATASOURCE:
        yield "another data source"
    if not panel["targets"]:
        yield "no query"
    if len({target["refId"] for target in panel["targets"]}) != len(panel["targets"]):
        yield "two queries with one refId"
    if panel.get("repeat", "datasource") not in known:
        yield f"repeats for the unknown variable {panel['repeat']}"
    for target in panel["targets"]:
        yield from target_problems(panel, target, known)


def cells(panel):
    x, y, width, height = (panel["gridPos"][key] for key in "xywh")
    return {(column, row) for column in range(x, x + width) for row in range(y, y + height)}


def layout_problems(panels):
    taken = set()
    for panel in panels:
        if any(x >= 24 for x, _ in cells(panel)):
            yield f"{panel['title']}: wider than the page"
        if cells(panel) & taken:
            yield f"{panel['title']}: lies over another panel"
        taken |= cells(panel)
    if len({panel["id"] for panel in panels}) != len(panels):
        yield "two panels with one id"


def problems(board):
    """What the linter, or a Grafana that provisions the file, would not like."""
    if board["id"] is not None or not 0 < len(board["uid"]) <= 40:
        yield "needs id null and a uid of at most 40 characters"
    if not 39 <= board["schemaVersion"] <= 42 or "iteration" in board or "__inputs" in board:
        yield "is not the classic model that file provisioning reads"
    if board["editable"] is not False:
        yield "is editable, although its file is the truth"
    known = {one["name"] for one in board["templating"]["list"]}
    yield from variable_problems(board)
    yield from layout_problems(board["panels"])
    for panel in board["panels"]:
        if panel["type"] != "row":
            yield from (f"{panel['title']}: {problem}" for problem in panel_problems(panel, known))
    for annotation in board["annotations"]["list"]:
        yield from (f"{annotation['name']}: {problem}" for problem in expression_problems(annotation["expr"]))
        if annotation["datasource"] != DATASOURCE:
            yield f"{annotation['name']}: another data source"


def first(board, kind):
    return next(panel for panel in board["panels"] if panel["type"] == kind)


def edit_expression(old, new):
    def edit(board):
        target = next(target for panel in board["panels"] for target in panel.get("targets", ())
                      if old in target["expr"])
        target["expr"] = target["expr"].replace(old, new)
    return edit


def variable(board, name):
    return next(one for one in board["templating"]["list"] if one["name"] == name)


# (how to break the overview, what the report must say)
BROKEN = [
    (lambda board: board.update(id=7), "id null"),
    (lambda board: board.update(uid="u" * 41), "40 characters"),
    (lambda board: board.update(editable=True), "editable"),
    (lambda board: board.update(schemaVersion=38), "classic model"),
    (lambda board: board.update(__inputs=[]), "classic model"),
    (lambda board: variable(board, "datasource").update(label="Source"), "data source variable"),
    (lambda board: variable(board, "job").update(allValue=".*"), "variable 'job': allValue"),
    (lambda board: variable(board, "instance").update(name="server"), "a variable 'instance'"),
    (lambda board: variable(board, "host").update(refresh=1), "variable 'host': refresh"),
    (lambda board: variable(board, "host").update(datasource="Prometheus"), "variable 'host': datasource"),
    (lambda board: first(board, "stat").update(description=""), "no description"),
    (lambda board: first(board, "stat").update(title=""), "no title"),
    (lambda board: first(board, "stat").update(type="piechart"), "piechart"),
    (lambda board: first(board, "stat").update(targets=[]), "no query"),
    (lambda board: first(board, "stat").update(repeat="nothing"), "unknown variable nothing"),
    (lambda board: first(board, "stat").update(datasource=None), "another data source"),
    (lambda board: first(board, "stat")["fieldConfig"]["defaults"].update(unit="furlong"), "furlong"),
    (lambda board: first(board, "stat")["gridPos"].update(y=0), "lies over"),
    (lambda board: first(board, "stat")["gridPos"].update(x=20), "wider than the page"),
    (lambda board: first(board, "stat").update(id=1), "one id"),
    (lambda board: first(board, "timeseries")["targets"][0].update(legendFormat=""), "without a legend"),
    (lambda board: first(board, "timeseries")["targets"][0].update(datasource=None), "query with another"),
    (edit_expression('job=~"$job"', 'job=~".+"'), 'no matcher job=~"$job"'),
    (edit_expression('instance=~"$instance"', 'instance="a"'), 'no matcher instance=~"$instance"'),
    (edit_expression("$project", "$team"), "unknown variable $team"),
    (edit_expression("[$__rate_interval]", "[5m]"), "not $__rate_interval"),
    (edit_expression("rate(benchfleet_lease_offers_total", "(benchfleet_lease_offers_total"), "without rate"),
    (lambda board: board["annotations"]["list"][0].update(expr="1"), "names no metric"),
]


class DashboardsTest(unittest.TestCase):
    def test_the_files_are_what_the_generator_writes(self):
        files = {path.name: path.read_text() for path in generate.FOLDER.iterdir()}
        self.assertEqual(set(files), set(generate.files()))
        for name, text in generate.files().items():
            self.assertTrue(files[name] == text, f"run deploy/grafana/generate.py: {name} is not what it writes")

    def test_the_dashboards_have_no_problem(self):
        for name, text in generate.files().items():
            with self.subTest(name=name):
                self.assertEqual(list(problems(json.loads(text))), [])

    def test_everything_broken_is_reported(self):
        sound = json.loads(generate.files()["benchfleet-overview.json"])
        for number, (damage, want) in enumerate(BROKEN):
            with self.subTest(number=number, want=want):
                board = copy.deepcopy(sound)
                damage(board)
                self.assertTrue(any(want in problem for problem in problems(board)), list(problems(board)))

    def test_provisioning_and_readme_name_the_same_folder(self):
        provider = (DEPLOY / "grafana/provisioning/dashboards/benchfleet.yaml").read_text()
        path = re.search(r"^ *path: (\S+)$", provider, re.MULTILINE)[1]
        self.assertIn(f"deploy/grafana/dashboards:{path}:ro", (DEPLOY / "README.md").read_text())


@unittest.skipIf(shutil.which("promtool") is None, "promtool is not installed")
class PrometheusFilesTest(unittest.TestCase):
    def promtool(self, *arguments):
        result = subprocess.run(["promtool", *arguments], cwd=DEPLOY / "prometheus", capture_output=True, text=True,
                                timeout=60)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return result.stdout

    def test_the_configuration_is_valid_and_finds_the_rules(self):
        self.assertIn("1 rule files found", self.promtool("check", "config", "prometheus.yml"))

    def test_the_rules_have_no_lint(self):
        self.promtool("check", "rules", "--lint=all", "--lint-fatal", "rules/benchfleet.yml")

    def test_the_rules_do_what_their_tests_say(self):
        self.promtool("test", "rules", "tests/benchfleet_test.yml")

    def test_every_rule_has_a_test_that_sees_it(self):
        rules = (DEPLOY / "prometheus/rules/benchfleet.yml").read_text()
        tests = (DEPLOY / "prometheus/tests/benchfleet_test.yml").read_text()
        for alert in re.findall(r"- alert: (\w+)", rules):
            self.assertRegex(tests, rf"alertname: {alert}\n *eval_time: \w+\n *exp_alerts:\n")
        for record in re.findall(r"- record: (\S+)", rules):
            self.assertRegex(tests, rf"expr: {record}\n *eval_time: \w+\n *exp_samples:\n")


if __name__ == "__main__":
    unittest.main()
