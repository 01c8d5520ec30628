#include "worker/suites/compile/choices.h"

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Compiler Of(const char* name, const char* version) {
  Compiler compiler;
  compiler.name = name;
  compiler.version = version;
  return compiler;
}

class ChoicesTest : public testing::Test {
 protected:
  void SetUp() override {
    host_.cpus = 4;
    host_.compilers = {Of("gfortran", "12.2.0"), Of("gcc", "11.3.0"), Of("gcc", "12.2.0")};
    host_.interpreters = {{"/a/python", "3.11.2", "d1"}, {"/b/python", "3.11.7", "d2"}, {"/c/python", "3.11.7", "d3"}};
    spec_.modes = {"compile"};
    spec_.variants = {"serial", "threads"};
  }

  std::vector<std::string> Compilers() {
    std::vector<std::string> names;
    const auto chosen = ChooseCompilers(spec_, host_);
    EXPECT_TRUE(chosen.ok()) << chosen.status();
    for (const ChosenCompiler& one : chosen.value_or(std::vector<ChosenCompiler>())) {
      names.push_back(absl::StrCat(one.compiler.name, "@", one.compiler.version, one.by_name ? " named" : ""));
    }
    return names;
  }
  std::string CompilersError() {
    const absl::Status status = ChooseCompilers(spec_, host_).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
    return std::string(status.message());
  }
  std::vector<std::string> Variants() {
    std::vector<std::string> variants;
    const auto chosen = ChooseStrategies(spec_, host_, programs_);
    EXPECT_TRUE(chosen.ok()) << chosen.status();
    for (const ChosenStrategy& one : chosen.value_or(std::vector<ChosenStrategy>())) variants.push_back(one.variant);
    return variants;
  }

  HostFacts host_;
  CompileSpec spec_;
  const CompilePrograms programs_ = {"/pass", "/driver", "/probes"};
};

TEST_F(ChoicesTest, CompilersAreNamedOrAll) {
  EXPECT_THAT(Compilers(), ElementsAre("gfortran@12.2.0", "gcc@11.3.0", "gcc@12.2.0"));
  spec_.compilers = {{"gcc", "12"}, {"gfortran", ""}};
  EXPECT_THAT(Compilers(), ElementsAre("gfortran@12.2.0 named", "gcc@12.2.0 named"));
  spec_.compilers = {{"gcc", ""}};
  EXPECT_THAT(Compilers(), ElementsAre("gcc@11.3.0 named", "gcc@12.2.0 named"));
}

TEST_F(ChoicesTest, AChoiceThatMatchesNothingIsNamed) {
  spec_.compilers = {{"gcc", "12"}, {"gcc", "1"}};
  EXPECT_THAT(CompilersError(), HasSubstr("no gcc 1, it has gfortran@12.2.0, gcc@11.3.0, gcc@12.2.0"));
  spec_.compilers = {{"tcc", ""}};
  EXPECT_THAT(CompilersError(), HasSubstr("no tcc, it has gfortran@12.2.0"));
  host_.compilers.clear();
  EXPECT_THAT(CompilersError(), HasSubstr("no tcc, it has none"));
  spec_.compilers.clear();
  EXPECT_THAT(CompilersError(), HasSubstr("this host has none"));
}

TEST_F(ChoicesTest, PythonStrategiesAreOneForEachInterpreter) {
  spec_.variants = {"serial", "asyncio", "threads", "process_pool_executor"};
  EXPECT_THAT(Variants(), ElementsAre("serial", "asyncio@3.11.2", "asyncio@3.11.7", "asyncio@3.11.7+2", "threads",
                                      "process_pool_executor@3.11.2", "process_pool_executor@3.11.7",
                                      "process_pool_executor@3.11.7+2"));
  spec_.interpreters = {"3.11.7"};
  spec_.variants = {"serial", "threads", "asyncio"};
  EXPECT_THAT(Variants(), ElementsAre("serial", "threads", "asyncio@3.11.7", "asyncio@3.11.7+2"));
  const auto chosen = ChooseStrategies(spec_, host_, programs_);
  EXPECT_THAT((*chosen)[0].program, ElementsAre("/pass"));
  EXPECT_EQ((*chosen)[0].interpreter, std::nullopt);
  EXPECT_THAT((*chosen)[3].program, ElementsAre("/c/python", "-I", "/driver"));
  EXPECT_EQ((*chosen)[3].name, "asyncio");
  EXPECT_EQ((*chosen)[3].interpreter->digest, "d3");
}

TEST_F(ChoicesTest, InterpretersMustBeThereWhereTheyAreNeeded) {
  spec_.interpreters = {"3.12"};
  EXPECT_THAT(Variants(), ElementsAre("serial", "threads"));
  spec_.variants.push_back("asyncio");
  const absl::Status missing = ChooseStrategies(spec_, host_, programs_).status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("no CPython 3.12, it has 3.11.2, 3.11.7, 3.11.7"));
  spec_.interpreters.clear();
  host_.interpreters.clear();
  const absl::Status none = ChooseStrategies(spec_, host_, programs_).status();
  EXPECT_EQ(none.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(none.message()), HasSubstr("asyncio"));
}

TEST_F(ChoicesTest, LimitsAreGivenOrTheCpus) {
  EXPECT_THAT(ChooseLimits(spec_, host_, 1024).value(), ElementsAre(4));
  host_.host_key.parts["cpu_quota"] = "2.9";
  EXPECT_THAT(ChooseLimits(spec_, host_, 1024).value(), ElementsAre(2));
  host_.host_key.parts["cpu_quota"] = "0.5";
  EXPECT_THAT(ChooseLimits(spec_, host_, 1024).value(), ElementsAre(1));
  spec_.limits = {2, 16};
  EXPECT_THAT(ChooseLimits(spec_, host_, 1024).value(), ElementsAre(2, 16));
  spec_.limits.clear();
  host_.cpus = 1000;
  host_.host_key.parts.clear();
  EXPECT_THAT(ChooseLimits(spec_, host_, 1024).value(), ElementsAre(kMaxConcurrencyLimit));
}

TEST_F(ChoicesTest, LimitsMustFitTheDescriptors) {
  spec_.limits = {1, 64};
  const int64_t needed = 64 * kDescriptorsPerCompile + kDescriptorReserve;
  EXPECT_TRUE(ChooseLimits(spec_, host_, needed).ok());
  const absl::Status status = ChooseLimits(spec_, host_, needed - 1).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(std::string(status.message()),
            "limits: 64 compiles at once need 256 descriptors, a process may open 255 here (RLIMIT_NOFILE)");
  // The largest limit there is must be possible under the usual soft limit.
  EXPECT_LE(kMaxConcurrencyLimit * kDescriptorsPerCompile + kDescriptorReserve, 1024);
}

}  // namespace
}  // namespace benchfleet
