"""What it costs an event loop to resume a parked future."""

from .blocks import (RESULT, VERDICT_COLORS, bars, colored, dashboard, now, override, query, repeated, table,
                     timeseries, variable)

SUITE = RESULT + ',suite="wake"'
ARM = SUITE + ',case=~"$case",variant=~"$variant",measure="wall"'
CONTENDER = SUITE + ',contender_case=~"$case",contender_variant=~"$variant",measure="wall"'
COMPARISON = "project, host, contender_case, contender_variant, base_variant"

MEDIANS = [
    repeated(bars("$case: newest", "Wall time of one operation, median over the rounds of the newest run.", "s",
                  [now(f"benchfleet_median_seconds{{{ARM}}}", "{{host}} {{variant}}")]), "case"),
    repeated(timeseries("$case: over time",
                        "The median of each run, between the ends of its interval (thin lines). Where the intervals "
                        "of two lines overlap, nothing is proven; the ratios below decide.", "s",
                        [query(f"benchfleet_median_seconds{{{ARM}}}", "{{host}} {{variant}}"),
                         query(f"benchfleet_median_seconds_lower{{{ARM}}}", "{{host}} {{variant}} lower"),
                         query(f"benchfleet_median_seconds_upper{{{ARM}}}", "{{host}} {{variant}} upper")],
                        overrides=[override("byRegexp", ".* (lower|upper)", custom__lineWidth=0.5,
                                            custom__lineStyle={"fill": "dash", "dash": [4, 4]})]), "case"),
]

COMPARISONS = [
    timeseries("Variants against their baseline",
               "contender / base within the same rounds: what disturbs both cancels out. Below 1 is faster.", "none",
               [query(f'benchfleet_comparison_ratio{{{CONTENDER},kind="variant"}}',
                      "{{host}} {{contender_case}}: {{contender_variant}} / {{base_variant}}")], height=10),
    table("Verdicts of the newest runs", "The ratio with its interval. Same: all of it lies within the margin.",
          "none", ["project", "host", "contender_case", "contender_variant", "base_variant", "verdict",
                   ("Value #B", "ratio"), ("Value #C", "lower"), ("Value #D", "upper")],
          [query(f"max by ({COMPARISON}, verdict) "
                 f'(benchfleet_comparison_verdict{{{CONTENDER},kind="variant"}} == 1)'),
           *[query(f'max by ({COMPARISON}) (benchfleet_comparison_ratio{end}{{{CONTENDER},kind="variant"}})')
             for end in ("", "_lower", "_upper")]],
          width=12, height=10, hidden=["Value #A"],
          overrides=[override("byRegexp", "ratio|lower|upper", decimals=3),
                     override("byName", "verdict", mappings=colored(VERDICT_COLORS),
                              custom__cellOptions={"type": "color-text"})]),
    timeseries("Inside the loop against outside",
               "What it adds to be called from inside the running loop: the same variant, handle_call.in_loop / "
               "handle_call.outside_loop.", "none",
               [query(f'benchfleet_comparison_ratio{{{CONTENDER},kind="in_loop_against_outside"}}',
                      "{{host}} {{contender_case}}: {{contender_variant}}")]),
    timeseries("Times the fastest variant", "Wall time over that of the fastest variant of the same case.", "none",
               [query(f"arm:benchfleet_times_fastest:ratio{{{ARM}}}", "{{host}} {{case}}: {{variant}}")]),
]

REASONS = [
    table("Counted per operation", "What the variants did while they were timed: the reason for the times.", "none",
          ["project", "host", "case", "variant", "counter", ("Value", "per operation")],
          [query("max by (project, host, case, variant, counter) "
                 f"(benchfleet_counts_per_operation{{{ARM}}})")], width=12, height=10,
          overrides=[override("byName", "per operation", decimals=3)]),
    timeseries("Greatest round over least round",
               "How far the rounds of one run lie apart: near 1 on a quiet host. A noisy host widens every interval.",
               "none", [query(f"benchfleet_median_seconds_max{{{ARM}}} / benchfleet_median_seconds_min{{{ARM}}}",
                              "{{host}} {{case}}: {{variant}}")], height=10),
]


def board():
    case = variable("case", "Case", f"benchfleet_median_seconds{{{SUITE}}}")
    variant = variable("variant", "Variant", f'benchfleet_median_seconds{{{SUITE},case=~"$case"}}')
    return dashboard("benchfleet-wake", "Benchfleet / Wake",
                     "What it costs an event loop to resume a parked future: variants compared per case and host.",
                     "wake", [case, variant],
                     [("Medians", MEDIANS), ("Comparisons", COMPARISONS), ("Reasons", REASONS)])
