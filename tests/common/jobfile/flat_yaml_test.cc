#include "common/jobfile/flat_yaml.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::string Error(absl::string_view text) {
  return std::string(ParseFlatYaml(text, "config.yaml", {"server", "token_file"}).status().message());
}

TEST(ParseFlatYaml, ReadsKnownKeys) {
  const auto values = ParseFlatYaml("# mine\nserver: bench.example:7480\n", "config.yaml", {"server"});
  ASSERT_TRUE(values.ok()) << values.status();
  EXPECT_THAT(*values, ElementsAre(Pair("server", "bench.example:7480")));
}

TEST(ParseFlatYaml, RefusesTheRestByLine) {
  EXPECT_EQ(Error("server: a\nsrever: b\n"), "config.yaml:2: 'srever' is unknown, must be one of server, token_file");
  EXPECT_EQ(Error("server: a\nserver: b\n"), "config.yaml:2: server is given twice");
  EXPECT_EQ(Error("server: [a]\n"), "config.yaml:1: server must be one word");
  EXPECT_EQ(Error("server:\n"), "config.yaml:1: server must be one word");
  EXPECT_EQ(Error("word\n"), "config.yaml:1: must be a map");
}

}  // namespace
}  // namespace benchfleet
