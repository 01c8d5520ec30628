"""What a strategy for running many compilers costs and gains, and what the compilers accept."""

from .blocks import (OUTCOME_COLORS, RESULT, bars, colored, dashboard, matrix, now, query, repeated, table,
                     timeseries, variable)

SUITE = RESULT + ',suite="compile"'
ARM = SUITE + ',case=~"$case",variant=~"$variant"'
CONTENDER = SUITE + ',contender_case=~"$case",contender_variant=~"$variant",measure="wall"'
CAPABILITY = SUITE + ',compiler=~"$compiler"'
LEGEND = "{{host}} {{case}}: {{variant}}"


def measure(name):
    return f'benchfleet_median_seconds{{{ARM},measure="{name}"}}'


def seconds(title, description, name, **more):
    return timeseries(title, description, "s", [query(measure(name), LEGEND)], width=8, **more)


STRATEGIES = [
    repeated(bars("$case: newest", "Wall time of one pass over all probes, from the first launch to the last reap: "
                  "median over the rounds of the newest run, by strategy.", "s",
                  [now(measure("wall"), "{{host}} {{variant}}")]), "case"),
    repeated(timeseries("$case: over time", "The median of each run, by strategy.", "s",
                        [query(measure("wall"), "{{host}} {{variant}}")]), "case"),
    table("Fastest strategy", "The strategy with the least median of each case. Whether its lead is proven, the "
          "verdicts of the overview say.", "s",
          ["project", "host", "case", "variant", ("Value", "wall")],
          [query("max by (project, host, case, variant) (" + measure("wall") + " == ignoring (variant) group_left () "
                 f'case:benchfleet_median_seconds:min{{{SUITE},case=~"$case",measure="wall"}})')], width=12),
    timeseries("Times the fastest strategy", "Wall time over that of the fastest strategy of the same case.", "none",
               [query(f"arm:benchfleet_times_fastest:ratio{{{ARM}}}", LEGEND)]),
    timeseries("Against threads", "Wall time over that of native threads, within the same rounds. Below 1 is faster.",
               "none", [query(f'benchfleet_comparison_ratio{{{CONTENDER},base_variant="threads"}}',
                              "{{host}} {{contender_case}}: {{contender_variant}}")]),
    timeseries("Speed-up over one after the other",
               "How many times faster than the serial strategy, within the same rounds. At most the limit of the case.",
               "none", [query(f'1 / benchfleet_comparison_ratio{{{CONTENDER},base_variant="serial"}}',
                              "{{host}} {{contender_case}}: {{contender_variant}}")]),
]

LIMITS = [
    bars("Efficiency of the newest run",
         "Physical limit over wall time: 100 % leaves nothing to gain. The limit is the largest of the CPU time spread "
         "over the CPUs, the longest single compile, and all launches one after the other.", "percentunit",
         [now(f'benchfleet_median_ratio{{{ARM},measure="efficiency"}}', LEGEND)], height=10),
    timeseries("Efficiency", "The same over time.", "percentunit",
               [query(f'benchfleet_median_ratio{{{ARM},measure="efficiency"}}', LEGEND)], height=10),
    timeseries("CPU beside wall", "CPU time of the compiles and the strategy together, and the wall time of the pass. "
               "A strategy that wins by more CPU time loses on a busy host.", "s",
               [query(f'benchfleet_median_seconds{{{ARM},measure=~"wall|cpu"}}', LEGEND + " {{measure}}")], height=10),
    timeseries("CPUs kept busy", "CPU time over wall time.", "none",
               [query(f'{measure("cpu")} / ignoring (measure) {measure("wall")}', LEGEND)], height=10),
]

COSTS = [
    seconds("Launch", "Time to start one compile, median of a pass.", "launch"),
    seconds("Overhead", "CPU time of the strategy itself in a pass, its helpers included.", "overhead"),
    seconds("Longest compile", "The longest single compile of a pass, from launch to reap: no strategy can be faster.",
            "longest"),
    seconds("CPU time of the runner", "What the measuring process itself used while the pass ran; it should be near 0.",
            "runner_cpu"),
    timeseries("Compiles alive at once", "The most that were seen together. The limit of the case is never exceeded.",
               "none", [query(f'benchfleet_counts_per_operation{{{ARM},counter="peak_children"}}', LEGEND)], width=8),
    timeseries("Compiles of a pass by outcome",
               "How the compiles of a pass ended. Some probes are refused on purpose; a change is a finding.", "none",
               [query(f'benchfleet_counts_per_operation{{{ARM},counter=~"{"|".join(OUTCOME_COLORS)}"}}',
                      LEGEND + " {{counter}}")], width=8),
]

CAPABILITIES = [
    repeated(matrix("$host: what each compiler makes of each feature probe",
                    "From the plan of the newest run; every round found the same.", "toolchain", "probe", "outcome",
                    'max by (toolchain, probe, outcome) (label_join(benchfleet_capability_info'
                    f'{{{CAPABILITY}}}, "toolchain", " ", "compiler", "version", "mode"))',
                    colored(OUTCOME_COLORS)), "host", per_row=1),
    timeseries("Probes by outcome", "How many feature probes each compiler accepts, refuses or crashes on.", "none",
               [query(f"sum by (host, compiler, version, mode, outcome) (benchfleet_capability_info{{{CAPABILITY}}})",
                      "{{host}} {{compiler}} {{version}} {{mode}}: {{outcome}}")]),
    table("Compilers", "The compilers of the newest run. A new digest is a new compiler, and a step in its figures.",
          "none", ["project", "host", "subject", "digest"],
          [query(f"max by (project, host, subject, digest) (benchfleet_subject_info{{{SUITE}}})")],
          width=12, hidden=["Value"]),
]


def board():
    variables = [variable("compiler", "Compiler", f"benchfleet_capability_info{{{SUITE}}}"),
                 variable("case", "Case", f'benchfleet_median_seconds{{{SUITE},case=~"($compiler)@.+"}}'),
                 variable("variant", "Strategy", f'benchfleet_median_seconds{{{SUITE},case=~"$case"}}')]
    return dashboard("benchfleet-compile", "Benchfleet / Compile",
                     "What a strategy for running many compilers costs and gains, and what the compilers accept.",
                     "compile", variables,
                     [("Strategies", STRATEGIES), ("How near to the limit", LIMITS), ("What it costs", COSTS),
                      ("What compilers accept", CAPABILITIES)])
