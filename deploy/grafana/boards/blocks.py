"""The parts dashboards are made of: variables, panels, their places on the page.

What a panel asks is written as PromQL; everything else here is Grafana's classic JSON model,
which every Grafana since 8 imports and newer ones migrate.
"""

DATASOURCE = {"type": "prometheus", "uid": "${datasource}"}
PAGE_WIDTH = 24  # of Grafana's grid

# What every expression matches on: which Prometheus job and coordinator, then whose results.
TARGET = 'job=~"$job",instance=~"$instance"'
RESULT = TARGET + ',project=~"$project",host=~"$host"'

VERDICT_COLORS = {"slower": "red", "faster": "green", "same": "text", "inconclusive": "yellow"}
OUTCOME_COLORS = {"accepted": "green", "refused": "orange", "crashed": "red", "killed": "red",
                  "infrastructure": "purple", "timeout": "purple"}


def colored(colors):
    """Value mappings that give words their colour."""
    return [{"type": "value", "options": {word: {"text": word, "color": color, "index": index}
                                          for index, (word, color) in enumerate(colors.items())}}]


def query(expr, legend="", **more):
    return {"datasource": DATASOURCE, "expr": expr, "legendFormat": legend, **more}


def now(expr, legend="", **more):
    """The newest value only."""
    return query(expr, legend, instant=True, range=False, **more)


def panel(kind, title, description, unit, queries, width, height, options, defaults=None, overrides=(), **more):
    for ref, one in zip("ABCDEFGH", queries, strict=False):
        one["refId"] = ref
    return {"type": kind, "title": title, "description": description, "datasource": DATASOURCE,
            "gridPos": {"w": width, "h": height}, "targets": list(queries),
            "fieldConfig": {"defaults": {"unit": unit, **(defaults or {})}, "overrides": list(overrides)},
            "options": options, **more}


def override(matcher, option, **properties):
    return {"matcher": {"id": matcher, "options": option},
            "properties": [{"id": name.replace("__", "."), "value": value} for name, value in properties.items()]}


def timeseries(title, description, unit, queries, width=12, height=8, **more):
    """Lines in steps: a figure holds until the next run."""
    return panel("timeseries", title, description, unit, queries, width, height,
                 {"legend": {"displayMode": "table", "placement": "bottom", "showLegend": True,
                             "calcs": ["lastNotNull", "min", "max"]},
                  "tooltip": {"mode": "multi", "sort": "desc"}},
                 {"custom": {"drawStyle": "line", "lineInterpolation": "stepAfter", "lineWidth": 1, "fillOpacity": 0,
                             "showPoints": "never", "spanNulls": False}}, **more)


REDUCE = {"calcs": ["lastNotNull"], "fields": "", "values": False}


def stat(title, description, unit, queries, width=4, height=4, defaults=None):
    return panel("stat", title, description, unit, queries, width, height,
                 {"reduceOptions": REDUCE, "colorMode": "value", "graphMode": "none", "justifyMode": "auto",
                  "orientation": "auto", "textMode": "auto"}, defaults)


def bars(title, description, unit, queries, width=12, height=8, **more):
    return panel("bargauge", title, description, unit, queries, width, height,
                 {"reduceOptions": REDUCE, "displayMode": "basic", "orientation": "horizontal", "showUnfilled": True,
                  "valueMode": "color"},
                 {"min": 0, "color": {"mode": "palette-classic"}}, **more)


def table(title, description, unit, columns, queries, width=24, height=8, overrides=(), hidden=(), **more):
    """Queries joined by the labels they share. `columns` names the fields in their order:
    a label, or (field, heading)."""
    fields = [column if isinstance(column, tuple) else (column, column) for column in columns]
    for one in queries:
        one.update(format="table", instant=True, range=False)
    organize = {"excludeByName": {name: True for name in ("Time", *hidden)},
                "indexByName": {field: index for index, (field, _) in enumerate(fields)},
                "renameByName": {field: heading for field, heading in fields if field != heading}}
    joined = [{"id": "merge", "options": {}}] if len(queries) > 1 else []
    return panel("table", title, description, unit, queries, width, height,
                 {"showHeader": True, "cellHeight": "sm"},
                 {"custom": {"filterable": True}}, overrides,
                 transformations=[*joined, {"id": "organize", "options": organize}], **more)


def matrix(title, description, column, row, value, expr, mappings, width=24, height=16, **more):
    """One cell for each pair of a column's and a row's label."""
    cells = {"custom": {"cellOptions": {"type": "color-text"}}, "mappings": mappings}
    return panel("table", title, description, "string", [now(expr, format="table")], width, height,
                 {"showHeader": True, "cellHeight": "sm"}, cells,
                 transformations=[{"id": "groupingToMatrix",
                                   "options": {"columnField": column, "rowField": row, "valueField": value}}], **more)


def repeated(one, variable, per_row=2):
    """A copy of the panel for each value of the variable; together they take the page's width."""
    place = {**one["gridPos"], "w": PAGE_WIDTH}
    return {**one, "gridPos": place, "repeat": variable, "repeatDirection": "h", "maxPerRow": per_row}


def variable(name, label, metric, of=None):
    """One, some or all of the values that a label has; `of` is the label when it is not `name`."""
    text = f"label_values({metric}, {of or name})"
    return {"name": name, "label": label, "type": "query", "datasource": DATASOURCE, "definition": text,
            "query": {"query": text, "refId": name}, "refresh": 2, "sort": 1, "multi": True, "includeAll": True,
            "allValue": ".+", "current": {"selected": True, "text": ["All"], "value": ["$__all"]}, "options": [],
            "regex": "", "hide": 0, "skipUrlSync": False}


def place(rows):
    """Panels from left to right, each row of them under a heading."""
    placed, y = [], 0
    for heading, panels in rows:
        placed.append({"type": "row", "title": heading, "collapsed": False, "panels": [],
                       "gridPos": {"x": 0, "y": y, "w": PAGE_WIDTH, "h": 1}})
        x, y, tallest = 0, y + 1, 0
        for one in panels:
            width, height = one["gridPos"]["w"], one["gridPos"]["h"]
            if x + width > PAGE_WIDTH:
                x, y, tallest = 0, y + tallest, 0
            placed.append({**one, "gridPos": {"x": x, "y": y, "w": width, "h": height}})
            x, tallest = x + width, max(tallest, height)
        y += tallest
    return [{"id": number, **one} for number, one in enumerate(placed, start=1)]


def annotations(suite):
    """A mark where a run ended, at the time that is the metric's value, and where an alert fired."""
    runs = f"benchfleet_run_last_success_timestamp_seconds{{{RESULT},suite=~\"{suite}\"}} * 1000"
    alerts = f'ALERTS{{{TARGET},alertname=~"Benchfleet.+",alertstate="firing"}}'
    return [{"name": "Runs", "datasource": DATASOURCE, "enable": True, "iconColor": "blue", "expr": runs,
             "useValueForTime": True, "step": "60s", "titleFormat": "{{suite}} on {{host}}",
             "textFormat": "project {{project}}", "tagKeys": "suite,host"},
            {"name": "Alerts", "datasource": DATASOURCE, "enable": True, "iconColor": "red", "expr": alerts,
             "step": "60s", "titleFormat": "{{alertname}}", "textFormat": "{{severity}}", "tagKeys": "alertname"}]


def dashboard(uid, title, description, suite, variables, rows):
    datasource = {"name": "datasource", "label": "Data source", "type": "datasource", "query": "prometheus",
                  "current": {}, "options": [], "regex": "", "refresh": 1, "multi": False, "includeAll": False,
                  "hide": 0, "skipUrlSync": False}
    common = [datasource,
              variable("job", "Job", "benchfleet_build_info"),
              variable("instance", "Instance", 'benchfleet_build_info{job=~"$job"}'),
              variable("project", "Project", f"benchfleet_run_info{{{TARGET}}}"),
              variable("host", "Host", f'benchfleet_run_info{{{TARGET},project=~"$project"}}')]
    return {"id": None, "uid": uid, "title": title, "description": description, "tags": ["benchfleet"],
            "schemaVersion": 39, "version": 1, "editable": False, "graphTooltip": 1, "timezone": "",
            "time": {"from": "now-7d", "to": "now"}, "refresh": "1m",
            "timepicker": {}, "fiscalYearStartMonth": 0, "liveNow": False, "weekStart": "",
            "links": [{"type": "dashboards", "title": "Benchfleet", "tags": ["benchfleet"], "asDropdown": True,
                       "includeVars": True, "keepTime": True, "targetBlank": False, "icon": "external link",
                       "tooltip": "", "url": ""}],
            "annotations": {"list": annotations(suite)}, "templating": {"list": [*common, *variables]},
            "panels": place(rows)}
