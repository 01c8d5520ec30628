// Text where cases are subjects under settings, as in the compile suite.
#include <string>

#include "common/report/render.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/common/report/examples.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

v1::Report ReportOf(ReportRunInput run) {
  ReportJobInput job = ExampleJob();
  job.spec.suite = CompileSpec();
  return BuildReport(job, {std::move(run)});
}

TEST(RenderMatrix, HasATableOfStrategiesAndCompilersPerSetting) {
  EXPECT_THAT(RenderText(CompileReport()), HasSubstr(R"(
  Time per pass: median of the rounds (least-greatest round)

  compile/j2, ms  gfortran@12.2.0  flang@19.1.7
  serial          790 (750-869)    1580 (1501-1738)
  threads         395 (375-435)     790 (750-869)
  event_loop      416 (395-457)     832 (790-915)

  link/j2, ms  gfortran@12.2.0   flang@19.1.7
  serial       1600 (1520-1760)  3200 (3040-3520)
  threads       800 (760-880)    1600 (1520-1760)
  event_loop    842 (800-926)    1684 (1600-1853)

)"));
}

TEST(RenderMatrix, ExplainsEachCase) {
  EXPECT_THAT(RenderText(CompileReport()), HasSubstr(R"(
  What explains it: medians of the rounds, counts per pass
  cpu: CPU time of everything in the pass; overhead: the strategy's own part of it; launch: time to start one compile;
  longest: the longest compile; efficiency: the least time this host could need / the time taken; peak: most compiles
  alive at once

  gfortran@12.2.0/compile/j2: compiles 4, accepted 2, refused 2
               cpu  overhead  launch  longest  efficiency  peak
                 s        ms      µs       ms           %
  serial      1.50      12.5     512     94.1        94.9     1
  threads     1.50      6.25     512     94.1         190     2
  event_loop  1.50      6.25     512     94.1         180     2

  gfortran@12.2.0/link/j2: compiles 4, accepted 2, refused 2
)"));
}

TEST(RenderMatrix, ComparesWithEachBaseline) {
  EXPECT_THAT(RenderText(CompileReport()), HasSubstr(R"(
  Comparisons, contender / base: ratio of times (95 % interval)

  gfortran@12.2.0/compile/j2  / threads            verdict       / serial             verdict
  serial                      2.000 (1.960-2.060)  slower        -
  threads                     -                                  0.500 (0.490-0.515)  faster
  event_loop                  1.053 (1.032-1.085)  inconclusive  0.526 (0.515-0.542)  faster

  gfortran@12.2.0/link/j2  / threads            verdict       / serial             verdict
)"));
}

TEST(RenderMatrix, ShowsWhatTheCompilersAccept) {
  EXPECT_THAT(RenderText(CompileReport()), HasSubstr(R"(
  What the compilers accept

  probe       gfortran@12.2.0        flang@19.1.7
              compile          link  compile       link
  minimal     yes              yes   yes           yes
  f2023sinpi  yes *            no *  yes *         no *
  f2003pdt    yes              yes   crash         crash
  * another mode of the same compiler answers otherwise
  controls refused as they must: neg_syntax, neg_link

)"));
}

TEST(RenderMatrix, CompilersOfOtherProbesHaveATableOfTheirOwn) {
  ReportRunInput run = CompileRun();
  run.plan->capabilities.push_back({"gcc", "12.2.0", "link", "c_minimal", CompileOutcome::kAccepted});
  const std::string text = RenderText(ReportOf(std::move(run)));
  EXPECT_THAT(text, HasSubstr("\n\n  probe      gcc@12.2.0\n             link\n  c_minimal  yes\n"));
  EXPECT_THAT(text, HasSubstr("  probe       gfortran@12.2.0        flang@19.1.7\n"));
}

TEST(RenderMatrix, AControlThatIsNotRefusedIsLoud) {
  ReportRunInput run = CompileRun();
  for (Capability& capability : run.plan->capabilities) {
    if (capability.probe != "neg_link" || capability.mode != "link") continue;
    capability.outcome = capability.compiler == "flang" ? CompileOutcome::kCrashed : CompileOutcome::kAccepted;
  }
  EXPECT_THAT(RenderText(ReportOf(std::move(run))),
              HasSubstr("  controls NOT refused as they must: neg_link accepted by gfortran@12.2.0/link, neg_link "
                        "crashed by flang@19.1.7/link\n"));
}

// The table of three groups of columns fits in two parts of 41 columns and the indent, so
// at 43, and no narrower.
TEST(RenderMatrix, WhatIsTooWideBecomesSeveralTables) {
  const char kWhole[] = "  compile/j2, ms  gfortran@12.2.0  flang@19.1.7\n";
  const char kPart[] = R"(
  compile/j2, ms  flang@19.1.7
  serial          1580 (1501-1738)
  threads          790 (750-869)
  event_loop       832 (790-915)
)";
  EXPECT_THAT(RenderText(CompileReport(), {.width = 51}), HasSubstr(kWhole));
  const std::string narrow = RenderText(CompileReport(), {.width = 50});
  EXPECT_THAT(narrow, Not(HasSubstr(kWhole)));
  EXPECT_THAT(narrow, HasSubstr(kPart));
  EXPECT_THAT(narrow, HasSubstr("\n              longest  efficiency  peak\n"));
}

// Each baseline has a part of its own, which leaves out who is not compared with it.
TEST(RenderMatrix, APartHasNoEmptyRows) {
  EXPECT_THAT(RenderText(CompileReport(), {.width = 80}), HasSubstr(R"(
  gfortran@12.2.0/link/j2  / threads            verdict
  serial                   2.000 (1.960-2.060)  slower
  event_loop               1.053 (1.032-1.085)  inconclusive

  gfortran@12.2.0/link/j2  / serial             verdict
  threads                  0.500 (0.490-0.515)  faster
  event_loop               0.526 (0.515-0.542)  faster
)"));
}

TEST(RenderMatrix, AStrategyThatAlwaysFailedIsStillCompared) {
  ReportRunInput run = CompileRun();
  const std::string path = run.plan->cases[0].case_path;
  run.figures->comparisons.push_back({.kind = "variant",
                                      .base = {path, "threads"},
                                      .contender = {path, "processes"},
                                      .measure = "wall",
                                      .level = 0.95,
                                      .verdict = Verdict::kInconclusive,
                                      .notes = {"no_common_round"}});
  EXPECT_THAT(RenderText(ReportOf(std::move(run))),
              HasSubstr("  processes                   -                    inconclusive (no common round)  -\n"));
}

TEST(RenderMatrix, ColoursAreNoColumns) {
  const std::string text = RenderText(CompileReport(), {.color = true});
  EXPECT_THAT(text, HasSubstr("2.000 (1.960-2.060)  \x1b[31mslower\x1b[0m        -\n"));
  EXPECT_THAT(text, HasSubstr("\x1b[33minconclusive\x1b[0m  0.526 (0.515-0.542)  \x1b[32mfaster\x1b[0m\n"));
}

TEST(RenderMatrix, WhatAnArmLacksIsADash) {
  ReportRunInput run = CompileRun();
  auto& summaries = run.figures->summaries;
  std::erase_if(summaries, [](const Summary& s) { return s.arm == Arm{"flang@19.1.7/link/j2", "serial"}; });
  std::erase_if(summaries, [](const Summary& s) {
    return s.arm == Arm{"flang@19.1.7/link/j2", "event_loop"} && s.measure == "launch";
  });
  const std::string text = RenderText(ReportOf(std::move(run)));
  EXPECT_THAT(text, HasSubstr("  serial       1600 (1520-1760)  -\n"));
  EXPECT_THAT(text, HasSubstr("  event_loop  1.50      6.25       -     94.1        44.5\n"));
}

}  // namespace
}  // namespace benchfleet
