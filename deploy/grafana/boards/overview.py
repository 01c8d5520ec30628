"""What the fleet found last and how the service is."""

from .blocks import (RESULT, TARGET, VERDICT_COLORS, bars, colored, dashboard, now, override, query, stat, table,
                     timeseries, variable)

GROUP = RESULT + ',suite=~"$suite"'
WALL = GROUP + ',measure="wall"'
RATE = "[$__rate_interval]"

ARM = "project, host, suite, case, variant"
COMPARISON = "project, host, suite, kind, base_case, base_variant, contender_case, contender_variant"


def newest(labels, expr):
    """One series for each combination of the labels: a table's key, free of names and of scrape labels."""
    return query(f"max by ({labels}) ({expr})")


FLEET = [
    stat("Workers", "Workers by state: idle ones wait for work, offline ones are not heard of.", "none",
         [now(f"sum by (state) (benchfleet_workers{{{TARGET}}})", "{{state}}")], width=6),
    stat("Jobs", "Jobs that have not ended, by state.", "none",
         [now(f"sum by (state) (benchfleet_jobs{{{TARGET}}})", "{{state}}")]),
    stat("Oldest queued run", "How long the run that was queued first has waited.", "s",
         [now(f"time() - min(benchfleet_queue_oldest_timestamp_seconds{{{TARGET}}})")],
         defaults={"noValue": "nothing waits"}),
    stat("Coordinator up", "Whether every coordinator answered the last scrape.", "bool_yes_no",
         [now(f"min(up{{{TARGET}}})")], width=3),
    stat("Alerts", "Alerts of the shipped rules that fire.", "none",
         [now(f'count(ALERTS{{{TARGET},alertname=~"Benchfleet.+",alertstate="firing"}}) or vector(0)')], width=3),
    stat("Results", "Projects, hosts and suites with a result of the last 14 days.", "none",
         [now(f"count(benchfleet_run_last_success_timestamp_seconds{{{GROUP}}})")]),
]

RESULTS = [
    table("Newest results", "The newest succeeded run of each project, host and suite. Its figures are below.",
          "none",
          ["project", "host", "suite", ("Value #A", "ended"), "branch", "commit", ("Value #B", "failed measurements")],
          [query(f"max by (project, host, suite) (benchfleet_run_last_success_timestamp_seconds{{{GROUP}}}) * 1000"),
           newest("project, host, suite", f"benchfleet_run_failed_samples{{{GROUP}}}"),
           newest("project, host, suite, branch, commit", f"benchfleet_run_info{{{GROUP}}}")],
          width=14, hidden=["Value #C"], overrides=[override("byName", "ended", unit="dateTimeFromNow")]),
    timeseries("Age of the results", "Time since the newest succeeded run ended. A saw: it falls when a run ends.",
               "s", [query(f"time() - benchfleet_run_last_success_timestamp_seconds{{{GROUP}}}",
                           "{{project}} {{suite}} on {{host}}")], width=10),
    table("Medians", "Wall time of one operation: the median over the rounds of the newest run and the interval that "
          "holds it. No interval means too few rounds for one.", "s",
          ["project", "host", "suite", "case", "variant", ("Value #A", "median"), ("Value #B", "lower"),
           ("Value #C", "upper"), ("Value #D", "rounds")],
          [newest(ARM, f"benchfleet_median_seconds{{{WALL}}}"),
           newest(ARM, f"benchfleet_median_seconds_lower{{{WALL}}}"),
           newest(ARM, f"benchfleet_median_seconds_upper{{{WALL}}}"),
           newest(ARM, f"benchfleet_median_seconds_rounds{{{WALL}}}")],
          height=10, overrides=[override("byName", "rounds", unit="none")]),
    table("Verdicts", "Each comparison of the newest runs: contender / base within the same rounds, so below 1 is "
          "faster. The verdict rests on the whole interval, never on the ratio alone.", "none",
          ["project", "host", "suite", "kind", "base_case", "base_variant", "contender_case", "contender_variant",
           "verdict", ("Value #B", "ratio"), ("Value #C", "lower"), ("Value #D", "upper")],
          [newest(COMPARISON + ", verdict", f"benchfleet_comparison_verdict{{{WALL}}} == 1"),
           newest(COMPARISON, f"benchfleet_comparison_ratio{{{WALL}}}"),
           newest(COMPARISON, f"benchfleet_comparison_ratio_lower{{{WALL}}}"),
           newest(COMPARISON, f"benchfleet_comparison_ratio_upper{{{WALL}}}")],
          width=18, height=10, hidden=["Value #A"],
          overrides=[override("byRegexp", "ratio|lower|upper", decimals=3),
                     override("byName", "verdict", mappings=colored(VERDICT_COLORS),
                              custom__cellOptions={"type": "color-text"})]),
    bars("Verdicts by word", "How many comparisons of the newest runs ended in each verdict.", "none",
         [now(f"sum by (suite, verdict) (benchfleet_comparison_verdict{{{WALL}}})", "{{suite}}: {{verdict}}")],
         width=6, height=10),
]

HOST = ("host, cpu_model, cpus_online, smt, governor, boost, kernel, virtualization, cpuset, cpu_quota, microcode, "
        "host_key")

IDENTITY = [
    table("Hosts", "What each host was in its newest succeeded run. Figures of unlike host keys are of unlike hosts.",
          "none", HOST.split(", "), [newest(HOST, f'benchfleet_host_info{{{TARGET},host=~"$host"}}')],
          width=14, hidden=["Value"]),
    table("What was measured", "Compilers, interpreters and loops of the newest runs. A new digest is a new subject, "
          "and a step in its figures.", "none", ["project", "host", "suite", "subject", "digest"],
          [newest("project, host, suite, subject, digest", f"benchfleet_subject_info{{{GROUP}}}")],
          width=10, hidden=["Value"]),
]

SERVICE = [
    timeseries("Jobs ended", "Jobs that reached a final state around each point, by suite.", "none",
               [query(f"sum by (suite, outcome) (increase(benchfleet_jobs_finished_total{{{TARGET}}}{RATE})) > 0",
                      "{{suite}} {{outcome}}")], width=8),
    timeseries("Leases", "Leases offered, not accepted, and lost without a result, per second.", "ops",
               [query(f"sum(rate(benchfleet_lease_offers_total{{{TARGET}}}{RATE}))", "offered"),
                query(f"sum(rate(benchfleet_lease_offers_unaccepted_total{{{TARGET}}}{RATE}))", "not accepted"),
                query(f"sum by (cause) (rate(benchfleet_lease_expirations_total{{{TARGET}}}{RATE}))",
                      "lost: {{cause}}")], width=8),
    timeseries("Chunks of samples", "Chunks that workers sent, per second. Late ones belong to a lost lease.", "ops",
               [query(f"sum by (outcome) (rate(benchfleet_chunks_total{{{TARGET}}}{RATE}))", "{{outcome}}")], width=8),
    timeseries("Calls", "Calls that ended, per second, by method.", "reqps",
               [query(f"sum by (grpc_method) (rate(grpc_server_handled_total{{{TARGET}}}{RATE})) > 0",
                      "{{grpc_method}}")], width=8),
    timeseries("Calls that failed", "Share of calls that failed for a reason of the server, over 5 minutes.",
               "percentunit", [query(f"method:grpc_server_failures:ratio_rate5m{{{TARGET}}}", "{{grpc_method}}")],
               width=8),
    timeseries("Time of calls", "99 % of the unary calls were answered within this time.", "s",
               [query("histogram_quantile(0.99, sum by (le, grpc_method) "
                      f"(rate(grpc_server_handling_seconds_bucket{{{TARGET}}}{RATE})))", "{{grpc_method}}")], width=8),
    timeseries("Commits", "99 % and half of the commits took no longer, sync to disk included.", "s",
               [query(f"histogram_quantile({share}, sum by (le) "
                      f"(rate(benchfleet_db_commit_seconds_bucket{{{TARGET}}}{RATE})))", legend)
                for share, legend in ((0.99, "99 %"), (0.5, "median"))], width=8),
    timeseries("Log messages", "Warnings and errors the coordinator logged, per second.", "ops",
               [query(f'sum by (level) (rate(benchfleet_log_messages_total{{{TARGET},level=~"warning|error"}}{RATE}))',
                      "{{level}}")], width=8),
    timeseries("Memory", "Resident memory of the coordinator.", "bytes",
               [query(f"process_resident_memory_bytes{{{TARGET}}}", "{{instance}}")], width=8),
    timeseries("Series on the metrics page", "Series served, left out above the cap, and left out as duplicates.",
               "none",
               [query(f"benchfleet_metrics_series{{{TARGET}}}", "served by {{instance}}"),
                query(f"benchfleet_metrics_dropped_series{{{TARGET}}}", "dropped by {{instance}}"),
                query(f"benchfleet_metrics_duplicate_series{{{TARGET}}}", "duplicates of {{instance}}")]),
    timeseries("Time to collect the metrics page", "Prometheus gives up after 10 seconds by default.", "s",
               [query(f"benchfleet_metrics_collect_seconds{{{TARGET}}}", "{{instance}}")]),
]


def board():
    suite = variable("suite", "Suite", f"benchfleet_run_info{{{RESULT}}}")
    return dashboard("benchfleet-overview", "Benchfleet / Overview",
                     "Newest results, verdicts, hosts, workers and the coordinator itself.", "$suite", [suite],
                     [("The fleet now", FLEET), ("Results", RESULTS), ("Hosts and subjects", IDENTITY),
                      ("The coordinator", SERVICE)])
