#include "common/jobfile/job_file.h"

#include <random>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/base/error.h"
#include "common/wire/job_spec_wire.h"
#include "gmock/gmock.h"
#include "google/protobuf/text_format.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kYaml[] = R"(# What a patch changes.
project: event-loop
labels: {pr: "17", team: loops}
commit: 0123456
branch: main
host_selector: pool in (lab, ci)
fan_out: all
queue_timeout: 1h30m
method:
  rounds: 9
  budget: 90s
  margin: 0.03
  level: 0.99
  seed: 18446744073709551615
  round_timeout: 2m
wake:
  loops: [epoll, asyncio]
  interpreters:
    - 3.10
    - "3.11"
  cases: [frame.ready]
  variants: [socket]
  baseline: lookup
)";

constexpr char kJson[] =
    "{\n\t\"project\": \"event-loop\", \"labels\": {\"pr\": \"17\", \"team\": \"loops\"},\n"
    "\t\"commit\": \"0123456\", \"branch\": \"main\", \"host_selector\": \"pool in (lab, ci)\",\n"
    "\t\"fan_out\": \"all\", \"queue_timeout\": \"1h30m\",\n"
    "\t\"method\": {\"rounds\": 9, \"budget\": \"90s\", \"margin\": 0.03, \"level\": 9.9e-1,\n"
    "\t\t\"seed\": \"18446744073709551615\", \"round_timeout\": \"2m\"},\n"
    "\t\"wake\": {\"loops\": [\"epoll\", \"asyncio\"], \"interpreters\": [\"3.10\", \"3.11\"],\n"
    "\t\t\"cases\": [\"frame.ready\"], \"variants\": [\"socket\"], \"baseline\": \"lookup\"}\n}\n";

v1::JobSpec Expected() {
  v1::JobSpec spec;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(R"(
      project: 'event-loop' labels { key: 'pr' value: '17' } labels { key: 'team' value: 'loops' }
      commit: '0123456' branch: 'main' host_selector: 'pool in (lab, ci)' fan_out: FAN_OUT_ALL
      queue_timeout { seconds: 5400 }
      method { rounds: 9 budget { seconds: 90 } margin: 0.03 level: 0.99 seed: 18446744073709551615
               round_timeout { seconds: 120 } }
      wake { loops: 'epoll' loops: 'asyncio' interpreters: '3.10' interpreters: '3.11' cases: 'frame.ready'
             variants: 'socket' baseline: 'lookup' })",
                                                            &spec));
  return spec;
}

TEST(ParseJobFile, ReadsYamlAndJsonAlike) {
  for (const char* text : {kYaml, kJson}) {
    const auto file = ParseJobFile(text, "job");
    ASSERT_TRUE(file.ok()) << file.status();
    EXPECT_EQ(file->spec.DebugString(), Expected().DebugString());
    EXPECT_TRUE(ParseJobSpec(file->spec).ok());
  }
}

TEST(ParseJobFile, KnowsTheLineOfEachField) {
  const auto file = ParseJobFile(kYaml, "job.yaml");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->lines.at("project"), 2);
  EXPECT_EQ(file->lines.at("labels[team]"), 3);
  EXPECT_EQ(file->lines.at("method"), 9);
  EXPECT_EQ(file->lines.at("method.rounds"), 10);
  EXPECT_EQ(file->lines.at("wake.interpreters"), 18);
  EXPECT_EQ(file->lines.at("wake.interpreters[1]"), 20);
}

TEST(ParseJobFile, AMessageOrListWithoutAValueIsEmpty) {
  const auto file = ParseJobFile("wake:\n  loops:\nlabels: ~\n", "job");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_TRUE(file->spec.has_wake());
  EXPECT_EQ(file->spec.wake().loops_size(), 0);
}

TEST(ParseJobFile, ReadsTheCompileSuite) {
  const auto file = ParseJobFile(
      "compile:\n"
      "  compilers: [gfortran, gcc@12]\n"
      "  limits: [2, 4]\n"
      "  pass_timeout: 30s\n",
      "job.yaml");
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_THAT(file->spec.compile().compilers(), ElementsAre("gfortran", "gcc@12"));
  EXPECT_THAT(file->spec.compile().limits(), ElementsAre(2, 4));
  EXPECT_EQ(file->spec.compile().pass_timeout().seconds(), 30);
  const absl::Status twice = ParseJobFile("wake:\ncompile:\n", "job.yaml").status();
  EXPECT_THAT(std::string(twice.message()), HasSubstr("compile"));
}

TEST(ParseJobFile, ReportsEveryErrorWithItsLine) {
  const auto file = ParseJobFile(
      "wake:\n"
      "  loop: [epoll]\n"
      "  cases: frame.ready\n"
      "method:\n"
      "  rounds: nine\n"
      "  rounds: 9\n"
      "  budget: 90\n"
      "fan_out: any_host\n",
      "job.yaml");
  std::vector<std::string> lines;
  for (const auto& v : FieldViolationsOf(file.status())) lines.push_back(absl::StrCat(v.field, ": ", v.description));
  EXPECT_THAT(lines, ElementsAre("job.yaml:2: wake.loop: is unknown, must be one of loops, interpreters, cases, "
                                 "variants, baseline",
                                 "job.yaml:3: wake.cases: must be a list",
                                 "job.yaml:5: method.rounds: must be a whole number in range, is 'nine'",
                                 "job.yaml:6: method.rounds: is given twice, first in line 5",
                                 "job.yaml:7: method.budget: must be a duration like 90s or 1h30m, is '90'",
                                 "job.yaml:8: fan_out: must be one of any, all, is 'any_host'"));
}

TEST(ParseJobFile, ReportsAtMostSoManyErrors) {
  std::string text;
  for (size_t i = 0; i < 2 * kMaxJobFileErrors; ++i) absl::StrAppend(&text, "k", i, ": 1\n");
  EXPECT_THAT(FieldViolationsOf(ParseJobFile(text, "f").status()), SizeIs(kMaxJobFileErrors));
}

struct Case {
  std::string name;
  std::string text;
  std::string error;  // the message begins with it; empty: accepted
};

class JobFileTest : public ::testing::TestWithParam<Case> {};

TEST_P(JobFileTest, IsReadOrRefused) {
  const auto file = ParseJobFile(GetParam().text, "f");
  if (GetParam().error.empty()) {
    EXPECT_TRUE(file.ok()) << file.status();
  } else {
    EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(file.status().message()), StartsWith(GetParam().error));
  }
}

std::string Padded(size_t bytes) {
  std::string text = "project: a\n#";
  text.resize(bytes, 'x');
  return text;
}

// Lists inside each other, `depth` levels with the map around them.
std::string Nested(int depth) {
  return "project: " + std::string(depth - 1, '[') + "x" + std::string(depth - 1, ']') + "\n";
}

std::string Values(int count) {
  std::string text = "wake: {cases: [";
  for (int i = 0; i < count; ++i) text += "a,";
  return text + "]}\n";
}

INSTANTIATE_TEST_SUITE_P(
    All, JobFileTest,
    ::testing::ValuesIn(std::vector<Case>{
        {"Empty", "", "f:1: is empty"},
        {"OnlyComment", "# nothing\n", "f:1: is empty"},
        {"NotAMap", "- a\n", "f:1: must be a map"},
        {"Word", "wake\n", "f:1: must be a map"},
        {"OneDocument", "---\nproject: a\n...\n", ""},
        {"TwoDocuments", "project: a\n---\nproject: b\n", "f:3: a second document begins"},
        {"Largest", Padded(kMaxJobFileBytes), ""},
        {"TooLarge", Padded(kMaxJobFileBytes + 1), "f:1: is 262145 bytes long, at most 262144"},
        {"Deepest", Nested(kMaxJobFileDepth), "f:1: project: must be a string, is a list"},
        {"TooDeep", Nested(kMaxJobFileDepth + 1), "f:1: more than 16 levels of nesting"},
        {"FarTooDeep", Nested(100'000), "f:1: more than 16 levels of nesting"},
        {"FarTooDeepInBlocks", std::string(200'000, '-') + " a", "f:1: "},
        // The root map, "wake", its map, "cases", the list, and the values.
        {"MostNodes", Values(kMaxYamlNodes - 5), ""},
        {"TooManyNodes", Values(kMaxYamlNodes - 4), "f:1: more than 20000 keys and values"},
        {"NotUtf8", "project: a\nbranch: \xC3\x28\n", "f:2: is not UTF-8"},
        {"Utf16", std::string("\xFF\xFE\x61\x00", 4), "f:1: is not UTF-8"},
        {"ControlCharacter", "project: a\n\x04project: b\n", "f:2: holds a control character"},
        {"Nul", std::string("project: a\n\0\n", 13), "f:2: holds a control character"},
        {"WindowsLineEnds", "project: a\r\nbranch: b\r\n", ""},
        {"Alias", "commit: &x a\nbranch: *x\n", "f:1: anchors are not supported"},
        {"UnknownAlias", "branch: *x\n", "f:1: "},
        {"AliasBomb", "labels: &a {k: v}\nmethod: {rounds: *a}\n", "f:1: anchors are not supported"},
        {"Tag", "project: !!str a\n", "f:1: tags are not supported"},
        {"LocalTag", "project: !x a\n", "f:1: tags are not supported"},
        {"MergeKey", "<<: {project: a}\n", "f:1: <<: is unknown"},
        {"MapAsKey", "{a: b}: c\n", "f:1: a key must be a word"},
        {"Unclosed", "wake: {loops: [epoll\n", "f:"},
        {"TabIndent", "wake:\n\tloops: []\n", "f:2: "},
        {"UnknownKey", "projekt: a\n", "f:1: projekt: is unknown, must be one of project, labels, commit"},
        {"DuplicateKey", "project: a\nbranch: b\nproject: c\n", "f:3: project: is given twice, first in line 1"},
        {"DuplicateLabel", "labels:\n  a: b\n  a: c\n", "f:3: labels[a]: is given twice, first in line 2"},
        {"StringFromNumber", "commit: 1234567\n", ""},
        {"StringFromMap", "project: {a: b}\n", "f:1: project: must be a string, is a map"},
        {"StringNull", "project:\n", "f:1: project: has no value"},
        {"StringTilde", "branch: ~\n", "f:1: branch: has no value"},
        {"QuotedNull", "branch: \"null\"\n", ""},
        {"ListOfNull", "wake: {loops: [epoll, ]}\n", ""},
        {"ListEntryNull", "wake: {loops: [~]}\n", "f:1: wake.loops[0]: has no value"},
        {"ListEntryMap", "wake: {loops: [{a: b}]}\n", "f:1: wake.loops[0]: must be a string, is a map"},
        {"MapFromList", "labels: [a]\n", "f:1: labels: must be a map"},
        {"MessageFromWord", "wake: yes\n", "f:1: wake: must be a map"},
        {"IntQuoted", "method: {rounds: \"9\"}\n", "f:1: method.rounds: must be a whole number in range, is '9'"},
        {"IntFraction", "method: {rounds: 9.5}\n", "f:1: method.rounds: must be a whole number"},
        {"IntTooLarge", "method: {rounds: 2147483648}\n", "f:1: method.rounds: must be a whole number"},
        {"IntLargest", "method: {rounds: 2147483647}\n", ""},
        {"SeedTooLarge", "method: {seed: 18446744073709551616}\n", "f:1: method.seed: must be a whole number"},
        {"SeedNegative", "method: {seed: -1}\n", "f:1: method.seed: must be a whole number"},
        {"DoubleQuoted", "method: {margin: '0.02'}\n", "f:1: method.margin: must be a number, is '0.02'"},
        {"DoubleNan", "method: {margin: nan}\n", "f:1: method.margin: must be a number"},
        {"DoublePercent", "method: {margin: 2%}\n", "f:1: method.margin: must be a number, is '2%'"},
        {"DoubleWhole", "method: {margin: 1}\n", ""},
        {"DurationOfParts", "queue_timeout: 1h30m15.5s\n", ""},
        {"DurationInfinite", "queue_timeout: inf\n", "f:1: queue_timeout: must be a duration"},
        {"DurationWord", "queue_timeout: soon\n", "f:1: queue_timeout: must be a duration"},
        {"EnumByItsFullName", "fan_out: FAN_OUT_ALL\n", "f:1: fan_out: must be one of any, all, is 'FAN_OUT_ALL'"},
        {"EnumUnspecified", "fan_out: unspecified\n", "f:1: fan_out: must be one of any, all"},
        {"EnumNumber", "fan_out: 2\n", "f:1: fan_out: must be one of any, all, is '2'"},
        {"EnumQuoted", "fan_out: \"all\"\n", ""},
        {"SurrogateEscape", "branch: \"\\uD800\"\n", "f:1: "},
    }),
    [](const auto& c) { return c.param.name; });

TEST(LocateInFile, NamesTheLineOfTheFieldOrOfItsParent) {
  const auto file = ParseJobFile(
      "project: a\n"
      "method:\n"
      "  rounds: 0\n"
      "labels:\n"
      "  'b d': c\n"
      "wake:\n"
      "  cases: [frame.ready,\n"
      "          frame]\n",
      "job.yaml");
  ASSERT_TRUE(file.ok()) << file.status();
  v1::JobSpec spec = file->spec;
  spec.mutable_wake()->set_baseline("none");  // by a flag, so only the parent stands in the file
  spec.set_branch("\x01");
  std::vector<std::string> fields;
  for (const auto& v : FieldViolationsOf(LocateInFile(ParseJobSpec(spec, "").status(), *file))) {
    fields.push_back(v.field);
  }
  EXPECT_THAT(fields, ElementsAre("job.yaml:5: labels[b d]", "branch", "job.yaml:3: method.rounds",
                                  "job.yaml:8: wake.cases[1]", "job.yaml:6: wake.baseline"));
}

TEST(LocateInFile, LeavesOtherStatusesAlone) {
  const auto file = ParseJobFile("project: a\n", "f");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(LocateInFile(absl::UnavailableError("x"), *file), absl::UnavailableError("x"));
  EXPECT_TRUE(LocateInFile(absl::OkStatus(), *file).ok());
}

// Whatever comes, the answer is a file or an error that names it.
TEST(ParseJobFile, SurvivesDamagedFiles) {
  std::mt19937 random(1);
  constexpr char kInteresting[] = "{}[]:,-?&*!|>'\"%@`#\n\t \\~<0";
  for (int i = 0; i < 5'000; ++i) {
    std::string text = i % 2 == 0 ? kYaml : kJson;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      const size_t at = random() % text.size();
      const char c = kInteresting[random() % (sizeof(kInteresting) - 1)];
      switch (random() % 3) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, 1 + random() % 8);
      }
    }
    const auto file = ParseJobFile(text, "damaged");
    if (!file.ok()) {
      ASSERT_THAT(std::string(file.status().message()), StartsWith("damaged:")) << text;
    }
  }
}

}  // namespace
}  // namespace benchfleet
