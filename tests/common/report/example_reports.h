// Reports as both suites give them, with figures made up but computed as real ones are.
// The same on every call.
#ifndef BENCHFLEET_TESTS_COMMON_REPORT_EXAMPLE_REPORTS_H_
#define BENCHFLEET_TESTS_COMMON_REPORT_EXAMPLE_REPORTS_H_

#include "benchfleet/v1/report.pb.h"

namespace benchfleet {

// 5 loops x 4 cases x 3 variants x 18 rounds, comparisons of two cases and a failed
// measurement included.
v1::Report ExampleWakeReport();

// 2 compilers x 2 modes x 10 strategies x 9 rounds, two baselines, 6 measures more,
// capabilities and subjects included.
v1::Report ExampleCompileReport();

// One run of `cases` cases with `arms` arms of `rounds` rounds each.
v1::Report ExampleLargeReport(int cases, int arms, int rounds);

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_COMMON_REPORT_EXAMPLE_REPORTS_H_
