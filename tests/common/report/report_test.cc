#include <string>

#include "common/report/render.h"
#include "common/report/report_builder.h"
#include "common/report/text_format.h"
#include "common/wire/time_wire.h"
#include "gmock/gmock.h"
#include "google/protobuf/util/json_util.h"
#include "google/protobuf/util/message_differencer.h"
#include "gtest/gtest.h"
#include "tests/common/report/examples.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kText[] =
    R"(job local: suite wake, project default, commit abc123, branch main, succeeded

host lab-1, run local/0: succeeded
  Example CPU @ 2.20GHz, kernel 6.1.0, load 0.12-0.50, 0 % of CPU time stolen, 9 rounds, schedule random, seed 42

  Time per operation: median of the rounds (least-greatest round)
  case                                        socket             lookup
  epoll/frame.ready                       ns  80.2 (79.9-84.0)   101 (100-104)
  asyncio@3.11.2/frame.woken.same_thread  ns  4200 (4100-12346)  950 (920-990)

  Per operation                                                 socket  lookup
  epoll/frame.ready                       lookups                    0       2
  asyncio@3.11.2/frame.woken.same_thread  lookups                    0       1
                                          socket bytes written   0.333       0

  Comparisons, contender / base: ratio of times (95 % interval)
  epoll/frame.ready, socket / lookup                             0.795 (0.781-0.812)   -20.5 %  faster
  asyncio@3.11.2/frame.woken.same_thread, socket / lookup        4.420 (4.300-12.5)   +342.0 %  slower
  asyncio@3.11.2/frame.woken.same_thread / frame.ready, lookup   1.001 (no interval)   +0.10 %  inconclusive (too few rounds)
  epoll/frame.ready counted / asyncio@3.11.2/frame.ready lookup  -                              inconclusive (no common round)

  1 measurement failed
    round 3: epoll/frame.ready socket: timed_out: after 60 s

faster, slower: the whole 95 % interval of the ratio lies below 1, above 1. same: it lies within the margin of 2 %.
inconclusive: neither is shown; more rounds may show it.
)";

TEST(RenderText, IsTheTable) { EXPECT_EQ(RenderText(ExampleReport()), kText); }

TEST(RenderText, BecomesAListWhereTheTableDoesNotFit) {
  const std::string text = RenderText(ExampleReport(), {.width = 70});
  EXPECT_THAT(text, HasSubstr("  epoll/frame.ready, ns\n"
                              "    socket  80.2  (79.9-84.0)\n"
                              "    lookup  101   (100-104)\n"));
  EXPECT_THAT(text, Not(HasSubstr("socket             lookup")));
}

TEST(RenderText, ColoursOnlyTheVerdictsAndOnlyWhenAsked) {
  EXPECT_THAT(RenderText(ExampleReport()), Not(HasSubstr("\x1b")));
  const std::string text = RenderText(ExampleReport(), {.color = true});
  EXPECT_THAT(text, HasSubstr("-20.5 %  \x1b[32mfaster\x1b[0m\n"));
  EXPECT_THAT(text, HasSubstr("+342.0 %  \x1b[31mslower\x1b[0m\n"));
}

TEST(RenderText, ARunWithoutAPlanSaysWhyAndNoMore) {
  ReportRunInput run;
  run.id = "j/0";
  run.state = RunState::kExpired;
  run.end_reason = "no worker matched arch=arm64\x1b[2J in 24h";
  ReportJobInput job = ExampleJob();
  job.id = "j";
  job.state = JobState::kExpired;
  job.state_reason = "no worker took it";
  EXPECT_EQ(RenderText(BuildReport(job, {run})),
            "job j: suite wake, project default, commit abc123, branch main, expired: no worker took it\n"
            "\nhost (none yet), run j/0: expired: no worker matched arch=arm64 [2J in 24h\n");
}

TEST(RenderText, AnEmptyReportIsALine) { EXPECT_EQ(RenderText(v1::Report()), "job :\n"); }

TEST(RenderText, ComparisonsOfAnotherMeasureSaySo) {
  ReportRunInput run = ExampleRun();
  for (Comparison& comparison : run.figures->comparisons) comparison.measure = "max_rss";
  EXPECT_THAT(RenderText(BuildReport(ExampleJob(), {run})), HasSubstr("contender / base: ratio of max rss (95 %"));
  run.figures->comparisons[0].measure = "wall";
  const std::string text = RenderText(BuildReport(ExampleJob(), {run}));
  EXPECT_THAT(text, HasSubstr("contender / base: ratio (95 %"));
  EXPECT_THAT(text, HasSubstr("  epoll/frame.ready, socket / lookup, wall  "));
}

TEST(RenderText, ANoteOfEveryComparisonIsSaidOnce) {
  ReportRunInput run = ExampleRun();
  for (Comparison& comparison : run.figures->comparisons) comparison.notes.push_back("too_few_rounds");
  run.figures->comparisons.resize(2);
  const std::string text = RenderText(BuildReport(ExampleJob(), {run}));
  EXPECT_THAT(text, HasSubstr("  slower\n  Every comparison: too few rounds\n"));
}

TEST(RenderText, CountersThatAreTheSameForEveryVariantExplainNothing) {
  ReportRunInput run = ExampleRun();
  for (Summary& summary : run.figures->summaries) summary.counters = {{"parks", 1}};
  EXPECT_THAT(RenderText(BuildReport(ExampleJob(), {run})), Not(HasSubstr("parks")));
  run.figures->summaries[0].counters["parks"] = 2;
  EXPECT_THAT(RenderText(BuildReport(ExampleJob(), {run})), HasSubstr("epoll/frame.ready  parks       2       1\n"));
  run.figures->summaries.resize(1);
  EXPECT_THAT(RenderText(BuildReport(ExampleJob(), {run})), HasSubstr("epoll/frame.ready  parks       2\n"));
}

TEST(RenderText, CountersThatDoNotFitKeepTheirCase) {
  ReportRunInput run = ExampleRun();
  for (Summary& summary : run.figures->summaries) summary.counters.clear();
  run.figures->summaries[0].counters = {{"parks", 1}};
  run.figures->summaries[1].counters = {{"wakes", 2}};
  EXPECT_THAT(RenderText(BuildReport(ExampleJob(), {run}), {.width = 40}),
              HasSubstr("  Per operation             lookup\n"
                        "  epoll/frame.ready  parks       -\n"
                        "                     wakes       2\n"));
}

TEST(RenderText, RunsKeepTheirFiguresApart) {
  ReportRunInput second = ExampleRun();
  second.id = "local/1";
  second.host = "lab-2";
  second.figures->summaries.resize(1);
  second.figures->comparisons.clear();
  const std::string text = RenderText(BuildReport(ExampleJob(), {ExampleRun(), second}));
  const std::string after = text.substr(text.find("host lab-2"));
  EXPECT_THAT(after, HasSubstr("epoll/frame.ready  ns  80.2 (79.9-84.0)\n"));
  EXPECT_THAT(after, Not(HasSubstr("asyncio")));
}

TEST(RenderJson, PrintsZerosAndLeavesOutWhatIsUnknown) {
  ReportRunInput run = ExampleRun();
  run.rounds.load1_min.reset();
  const std::string json = RenderJson(BuildReport(ExampleJob(), {run}));
  EXPECT_THAT(json, HasSubstr("\"steal_ratio\": 0"));
  EXPECT_THAT(json, HasSubstr("\"attempts\": 1"));
  EXPECT_THAT(json, HasSubstr("\"end_reason\": \"\""));
  EXPECT_THAT(json, HasSubstr("\"ratio_lower\": 0.781"));
  EXPECT_THAT(json, HasSubstr("\"notes\": []"));
  EXPECT_THAT(json, HasSubstr("\"median\": 8.025e-08"));
  EXPECT_THAT(json, HasSubstr("\"lookups\": 0"));
  EXPECT_THAT(json, HasSubstr("\"case\": \"epoll/frame.ready\""));
  EXPECT_THAT(json, HasSubstr("\"create_time\": \"2023-11-14T22:13:20Z\""));
  EXPECT_THAT(json, Not(HasSubstr("load1_min")));
  EXPECT_EQ(json.back(), '\n');
}

TEST(RenderJson, FollowsTheMapping) {
  v1::Job job;
  job.set_state(v1::JOB_STATE_SUCCEEDED);
  job.set_state_reason("say \"\\\"\n\x1f µ");
  *job.mutable_create_time() = ToProto(absl::FromUnixSeconds(1'700'000'000));
  *job.mutable_spec()->mutable_queue_timeout() = ToProto(absl::Seconds(90));
  job.mutable_spec()->mutable_method()->set_seed(18446744073709551615u);
  job.mutable_spec()->mutable_method()->set_margin(0.1);
  job.mutable_spec()->mutable_wake()->add_loops("epoll");
  job.mutable_spec()->mutable_wake()->add_loops("asyncio");
  EXPECT_EQ(RenderJson(job), R"({
 "id": "",
 "spec": {
  "project": "",
  "labels": {},
  "commit": "",
  "branch": "",
  "host_selector": "",
  "fan_out": "unspecified",
  "queue_timeout": "90s",
  "method": {
   "margin": 0.1,
   "seed": "18446744073709551615"
  },
  "wake": {
   "loops": [
    "epoll",
    "asyncio"
   ],
   "interpreters": [],
   "cases": [],
   "variants": [],
   "baseline": ""
  }
 },
 "state": "succeeded",
 "state_reason": "say \"\\\"\n\u001f µ",
 "create_time": "2023-11-14T22:13:20Z",
 "runs": []
}
)");
}

// Any reader of the mapping understands it, but for the enums.
TEST(RenderJson, IsReadBackAsTheSameReport) {
  const v1::Report report = ExampleReport();
  v1::Report back;
  ASSERT_TRUE(google::protobuf::util::JsonStringToMessage(RenderJson(report), &back).ok());
  EXPECT_TRUE(google::protobuf::util::MessageDifferencer::Equals(back, report));
}

TEST(RenderJson, KeysOfMapsAreInOrder) {
  ReportJobInput job = ExampleJob();
  for (const char* key : {"z", "a", "m", "b", "y"}) job.spec.labels[key] = "v";
  const std::string json = RenderJson(BuildReport(job, {}));
  EXPECT_LT(json.find("\"a\""), json.find("\"b\""));
  EXPECT_LT(json.find("\"b\""), json.find("\"m\""));
  EXPECT_LT(json.find("\"m\""), json.find("\"y\""));
  EXPECT_LT(json.find("\"y\""), json.find("\"z\""));
}

Sample OkSample(absl::Duration elapsed) {
  Sample sample;
  sample.arm = {kReady, "socket"};
  sample.elapsed = elapsed;
  return sample;
}

Round MakeRound(int index, bool warmup, double load, int64_t steal_before_ns, int64_t steal_after_ns) {
  Round round;
  round.index = index;
  round.warmup = warmup;
  round.before.load1 = load;
  round.after.load1 = load + 1;
  round.before.steal_ns = steal_before_ns;
  round.after.steal_ns = steal_after_ns;
  round.samples = {OkSample(absl::Seconds(1))};
  return round;
}

TEST(FactsOfRounds, LeavesTheWarmUpOut) {
  const RoundFacts facts = FactsOfRounds(
      ExamplePlan(), {MakeRound(0, true, 9, 0, 900'000'000), MakeRound(1, false, 1, 900'000'000, 1'000'000'000),
                      MakeRound(2, false, 2, 1'000'000'000, 1'300'000'000)});
  EXPECT_EQ(facts.load1_min, 1);
  EXPECT_EQ(facts.load1_max, 3);
  // 0.4 s of 2 s on the 4 CPUs of "0-2,7".
  EXPECT_DOUBLE_EQ(*facts.steal_ratio, 0.05);
}

TEST(FactsOfRounds, CountsTheHostOncePerRound) {
  const Round part = MakeRound(1, false, 1, 0, 400'000'000);
  EXPECT_DOUBLE_EQ(*FactsOfRounds(ExamplePlan(), {part, part}).steal_ratio, 0.05);
}

TEST(FactsOfRounds, UnknownStaysUnknown) {
  Round round = MakeRound(1, false, 1, 0, 1);
  round.after.steal_ns.reset();
  round.before.load1.reset();
  round.after.load1.reset();
  EXPECT_EQ(FactsOfRounds(ExamplePlan(), {round}), RoundFacts());
  RunPlan plan = ExamplePlan();
  plan.host_key.parts["cpus_online"] = "unknown";
  EXPECT_EQ(FactsOfRounds(plan, {MakeRound(1, false, 1, 0, 1)}).steal_ratio, std::nullopt);
}

TEST(FactsOfRounds, TellsTheFirstFailures) {
  Round round = MakeRound(2, false, 1, 0, 0);
  round.samples.assign(kMaxReportedFailures + 1, OkSample(absl::Seconds(1)));
  for (Sample& sample : round.samples) sample.outcome = SampleOutcome::kSkipped;
  Round warmup = MakeRound(0, true, 1, 0, 0);
  warmup.samples[0].outcome = SampleOutcome::kFailed;
  warmup.samples[0].failure = "exit code 3";
  const RoundFacts facts = FactsOfRounds(ExamplePlan(), {warmup, round});
  EXPECT_EQ(facts.failures.size(), kMaxReportedFailures);
  EXPECT_EQ(facts.failures[0], "warm-up round 0: epoll/frame.ready socket: failed: exit code 3");
  EXPECT_EQ(facts.failures[1], "round 2: epoll/frame.ready socket: skipped");
}

TEST(BuildReport, FieldsComeFromWhereTheyBelong) {
  const v1::Report report = ExampleReport();
  EXPECT_EQ(report.job().labels().at("pr"), "17");
  const v1::ReportRun& run = report.runs(0);
  EXPECT_EQ(run.host_key(), "hk1:ab");
  EXPECT_EQ(run.host_facts().at("kernel"), "6.1.0");
  EXPECT_EQ(run.seed(), "42");
  EXPECT_EQ(run.rounds(), 9);
  EXPECT_EQ(run.failed_samples(), 1);
  ASSERT_EQ(report.summaries_size(), 4);
  EXPECT_EQ(report.summaries(2).case_(), kWoken);
  EXPECT_EQ(report.summaries(2).host(), "lab-1");
  EXPECT_DOUBLE_EQ(report.summaries(2).median_upper(), 1.23456e-5);
  EXPECT_EQ(report.comparisons(1).verdict(), "slower");
  EXPECT_EQ(report.comparisons(1).margin(), 0.02);
  EXPECT_FALSE(report.comparisons(2).has_ratio_lower());
  EXPECT_FALSE(report.comparisons(3).has_ratio());
}

TEST(BuildReport, EverySubjectIsThereOnce) {
  RunPlan plan = ExamplePlan();
  plan.suite_version = 7;
  const auto add = [&](const char* path, const char* digest) {
    plan.cases.push_back({.case_path = path, .subject_key = {digest, {{"version", digest}}}});
  };
  add("gcc@12.2.0/link/j2", "sk1:b");
  add("gcc@12.2.0/compile/j2", "sk1:b");
  add("epoll/frame.ready", "sk1:a");
  add("unknown/frame.ready", "");
  ReportRunInput input;
  input.plan = plan;
  const v1::ReportRun run = BuildReport(ExampleJob(), {input}).runs(0);
  EXPECT_EQ(run.suite_version(), 7);
  ASSERT_EQ(run.subjects_size(), 2);
  EXPECT_EQ(run.subjects(0).name(), "gcc@12.2.0");
  EXPECT_EQ(run.subjects(0).digest(), "sk1:b");
  EXPECT_EQ(run.subjects(0).parts().at("version"), "sk1:b");
  EXPECT_EQ(run.subjects(1).name(), "epoll");
}

TEST(BuildReport, CapabilitiesComeFromThePlan) {
  const v1::Report report = CompileReport();
  ASSERT_EQ(report.capabilities_size(), 20);
  const v1::ReportCapability& crashed = report.capabilities(17);
  EXPECT_EQ(crashed.run_id(), "local/0");
  EXPECT_EQ(crashed.host(), "lab-1");
  EXPECT_EQ(crashed.compiler(), "flang");
  EXPECT_EQ(crashed.version(), "19.1.7");
  EXPECT_EQ(crashed.mode(), "link");
  EXPECT_EQ(crashed.probe(), "f2003pdt");
  EXPECT_EQ(crashed.outcome(), "crashed");
}

TEST(BuildReport, RoundValuesGoToTheirArmAndMeasure) {
  ReportRunInput run = ExampleRun();
  Summary cpu = run.figures->summaries[1];
  cpu.measure = "cpu";
  run.figures->summaries.push_back(cpu);
  run.round_values = {{{kReady, "lookup"}, "cpu", {1, 3}, {0.25, 0.5}},
                      {{kReady, "lookup"}, "wall", {2}, {0.75}},
                      {{kWoken, "counted"}, "wall", {2}, {9}}};
  const v1::Report report = BuildReport(ExampleJob(), {run});
  EXPECT_THAT(report.summaries(0).round_values(), ElementsAre());
  EXPECT_THAT(report.summaries(1).round_values(), ElementsAre(0.75));
  EXPECT_THAT(report.summaries(1).round_indices(), ElementsAre(2));
  EXPECT_THAT(report.summaries(2).round_values(), ElementsAre());
  EXPECT_THAT(report.summaries(4).round_values(), ElementsAre(0.25, 0.5));
  EXPECT_THAT(report.summaries(4).round_indices(), ElementsAre(1, 3));
}

struct NumberCase {
  double value;
  const char* text;
};

class FormatNumberTest : public ::testing::TestWithParam<NumberCase> {};

TEST_P(FormatNumberTest, HasThreeSignificantDigits) { EXPECT_EQ(FormatNumber(GetParam().value), GetParam().text); }

INSTANTIATE_TEST_SUITE_P(All, FormatNumberTest,
                         ::testing::ValuesIn(std::vector<NumberCase>{{0, "0"},
                                                                     {1, "1.00"},
                                                                     {-1.5, "-1.50"},
                                                                     {0.0412345, "0.0412"},
                                                                     {0.001, "0.00100"},
                                                                     {9.994, "9.99"},
                                                                     {9.996, "10.0"},
                                                                     {10, "10.0"},
                                                                     {99.96, "100"},
                                                                     {100, "100"},
                                                                     {999.6, "1000"},
                                                                     {4123.4, "4123"}}));

TEST(FormatCount, WritesWholeNumbersAsSuch) {
  EXPECT_EQ(FormatCount(2), "2");
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(123456), "123456");
  EXPECT_EQ(FormatCount(0.3333), "0.333");
}

TEST(ChooseUnit, TakesTheLargestThatShowsADigit) {
  EXPECT_EQ(ChooseUnit("seconds", 1).name, "s");
  EXPECT_EQ(ChooseUnit("seconds", 0.999).name, "ms");
  EXPECT_EQ(ChooseUnit("seconds", 1e-6).name, "\xC2\xB5s");
  EXPECT_EQ(ChooseUnit("seconds", 9.99e-7).name, "ns");
  EXPECT_EQ(ChooseUnit("seconds", 1e-12).name, "ns");
  EXPECT_EQ(ChooseUnit("bytes", 5000).name, "bytes");
  EXPECT_EQ(ChooseUnit("bytes", 5000).factor, 1);
}

TEST(TextTable, ColumnsAlignByCodePoints) {
  TextTable table;
  table.AddRow({"\xC2\xB5s", "b"});
  table.AddRow({"ns", "c", ""});
  EXPECT_EQ(table.Render(" "), " \xC2\xB5s  b\n ns  c\n");
  EXPECT_EQ(table.Width(), 7);
}

TEST(TextTable, NumbersEndUnderEachOther) {
  TextTable table;
  table.AlignRight(1);
  table.AddRow({"", "ms"});
  table.AddRow({"a", "412"});
  table.AddRow({"b", "\x1b[31m7\x1b[0m", "x"});
  EXPECT_EQ(table.Render(""), "    ms\na  412\nb    \x1b[31m7\x1b[0m  x\n");
}

TEST(ExactNumber, ReadsBackAsTheSame) {
  EXPECT_EQ(ExactNumber(0.1), "0.1");
  EXPECT_EQ(ExactNumber(8.025e-08), "8.025e-08");
  EXPECT_EQ(ExactNumber(2), "2");
}

TEST(Printable, NothingReachesTheTerminalThatCommandsIt) {
  EXPECT_EQ(Printable("a\x1b[1m\nb\xC2\x9B\xFF"), "a [1m b  ?");
}

TEST(Wrap, BreaksBetweenWords) {
  EXPECT_EQ(Wrap("aa bb cc", "  ", 7), "  aa bb\n  cc\n");
  EXPECT_EQ(Wrap("toolongword b", "", 5), "toolongword\nb\n");
}

}  // namespace
}  // namespace benchfleet
