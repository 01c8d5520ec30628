#include "common/os/compilers.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/os/compiler_identity.h"
#include "common/os/digest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/fake_process_spawner.h"
#include "tests/fakes/scoped_variable.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

std::string Machine() {
  utsname names;
  return ::uname(&names) == 0 ? names.machine : "";
}

// What a compiler answers. An empty answer to a question is a failure (exit code 1).
struct Answers {
  std::string version_out;
  std::string version_err;
  std::string c;        // left of the question in C
  std::string fortran;  // and in Fortran
  std::string target;
  std::map<std::string, std::string> stages;
};

Answers Gcc(const std::string& numbers) {
  return {"gcc (GCC)\nCopyright\n",
          "",
          "# 1 \"identify.c\"\n\n\nbenchfleet_compiler gcc " + numbers + "\n",
          // With gfortran installed, gcc preprocesses Fortran as gfortran does.
          "benchfleet_compiler gfortran " + numbers + "\n",
          Machine() + "-linux-gnu\n",
          {}};
}

Answers Gfortran(const std::string& numbers) {
  Answers answers = Gcc(numbers);
  answers.version_out = "GNU Fortran (GCC)\n";
  return answers;
}

Answers Clang(const std::string& numbers) {
  return {"clang version\n",
          "",
          "\n\nbenchfleet_compiler clang " + numbers + "\n",
          // Hands Fortran to gcc.
          "benchfleet_compiler gfortran 12 2 0\n",
          Machine() + "-pc-linux-gnu\n",
          {}};
}

Answers Flang(const std::string& numbers) {
  return {"flang-new version\n",
          "",
          "",
          "#line \"./identify.F90\" 4\n      benchfleet_compiler flang " + numbers + "\n",
          Machine() + "-unknown-linux-gnu\n",
          {}};
}

class CompilersTest : public testing::Test {
 protected:
  std::string Install(const std::string& name, const Answers& answers) {
    const std::string path = folder_.WriteProgram(name, name);
    answers_[path] = answers;
    return path;
  }

  // "name version path"
  std::vector<std::string> Find(const std::vector<std::string>& extra = {}) {
    std::vector<std::string> found;
    for (const Compiler& one : FindCompilers(spawner_, extra)) {
      found.push_back(absl::StrCat(one.name, " ", one.version, " ", one.path));
    }
    return found;
  }
  Compiler FindOne() {
    const std::vector<Compiler> found = FindCompilers(spawner_, {});
    EXPECT_THAT(found, SizeIs(1));
    return found.empty() ? Compiler() : found[0];
  }

  absl::StatusOr<ProcessResult> Answer(const Command& command) {
    const auto found = answers_.find(command.argv[0]);
    // What the machine itself has in /usr/local/bin is no part of these tests.
    if (found == answers_.end()) return FakeProcessSpawner::Exited(1, "");
    const Answers& answers = found->second;
    const std::string& argument = command.argv[1];
    if (argument == "--version") return FakeProcessSpawner::Exited(0, answers.version_out, answers.version_err);
    if (argument == "-dumpmachine") return Said(answers.target);
    if (argument == "-E") return Said(absl::EndsWith(command.argv[2], ".c") ? answers.c : answers.fortran);
    for (const auto& [stage, answer] : answers.stages) {
      if (argument == "-print-prog-name=" + stage) return Said(answer);
    }
    return Said("");
  }
  static ProcessResult Said(const std::string& answer) {
    return FakeProcessSpawner::Exited(answer.empty() ? 1 : 0, answer, answer.empty() ? "error: what?\n" : "");
  }

  const TempFolder folder_;
  const ScopedVariable path_{"PATH", folder_ / "bin"};
  const ScopedVariable home_{"HOME", folder_ / "home"};
  std::map<std::string, Answers> answers_;
  FakeProcessSpawner spawner_{[this](const Command& command, const RunOptions&) { return Answer(command); }};
};

struct IdentityCase {
  const char* name;
  const char* file;
  Answers answers;
  const char* compiler;
  const char* version;
  const char* language;
  const char* version_text;
};

class CompilerIdentityTest : public CompilersTest, public testing::WithParamInterface<IdentityCase> {};

TEST_P(CompilerIdentityTest, IsWhatTheMacrosSay) {
  const std::string path = Install(absl::StrCat("bin/", GetParam().file), GetParam().answers);
  const Compiler found = FindOne();
  EXPECT_EQ(found.name, GetParam().compiler);
  EXPECT_EQ(found.version, GetParam().version);
  EXPECT_EQ(found.language, GetParam().language);
  EXPECT_EQ(found.version_text, GetParam().version_text);
  EXPECT_EQ(found.path, path);
  EXPECT_EQ(found.digest, Sha256Hex(absl::StrCat("bin/", GetParam().file)));
}

INSTANTIATE_TEST_SUITE_P(
    All, CompilerIdentityTest,
    testing::ValuesIn<IdentityCase>({
        {"Gcc", "gcc-12", Gcc("12 2 0"), "gcc", "12.2.0", "c", "gcc (GCC)"},
        {"GccNamedClang", "clang", Gcc("9 4 0"), "gcc", "9.4.0", "c", "gcc (GCC)"},
        {"GccNamedGfortran", "gfortran", Gcc("9 4 0"), "gcc", "9.4.0", "c", "gcc (GCC)"},
        {"ClangNamedGcc", "gcc", Clang("14 0 6"), "clang", "14.0.6", "c", "clang version"},
        {"ClangNamedFlang", "flang", Clang("14 0 6"), "clang", "14.0.6", "c", "clang version"},
        {"Gfortran", "gfortran", Gfortran("12 2 0"), "gfortran", "12.2.0", "fortran", "GNU Fortran (GCC)"},
        {"GfortranNamedCc", "cc", Gfortran("12 2 0"), "gfortran", "12.2.0", "fortran", "GNU Fortran (GCC)"},
        {"FlangNew", "flang-new-16", Flang("16        0               6"), "flang", "16.0.6", "fortran",
         "flang-new version"},
        {"Ifx",
         "ifx",
         {"ifx (IFX) 2023.2.1\n", "", "", "benchfleet_compiler ifx 20230201\n", "", {}},
         "ifx",
         "2023.2.1",
         "fortran",
         "ifx (IFX) 2023.2.1"},
        {"NvfortranWithABlankFirstLine",
         "nvfortran",
         {"\nnvfortran 23.7-0\t64-bit\nNVIDIA Compilers and Tools\n",
          "",
          "",
          "benchfleet_compiler nvfortran 23 7 0\n",
          "",
          {}},
         "nvfortran",
         "23.7.0",
         "fortran",
         "nvfortran 23.7-064-bit"},
        {"Icx",
         "icx",
         {"Intel(R) oneAPI\n", "", "benchfleet_compiler icx 20240100\n", "", "", {}},
         "icx",
         "2024.1.0",
         "c",
         "Intel(R) oneAPI"},
        {"Nvc", "nvc", {"nvc\n", "", "benchfleet_compiler nvc 23 7 0\n", "", "", {}}, "nvc", "23.7.0", "c", "nvc"},
        {"TccSpeaksOnStderr",
         "tcc",
         {" \n", "tcc version 0.9.27\n", "# 1 \"-\"\nbenchfleet_compiler tcc 927\n", "", "", {}},
         "tcc",
         "0.9.27",
         "c",
         "tcc version 0.9.27"},
    }),
    [](const auto& test) { return std::string(test.param.name); });

TEST_F(CompilersTest, UnknownAndUnexpandedMacrosAreNoCompiler) {
  for (const char* answer :
       {"\n\n", "benchfleet_compiler\n", "benchfleet_compiler gcc\n", "benchfleet_compiler gcc 12 2\n",
        "benchfleet_compiler gcc 12 2 __GNUC_PATCHLEVEL__\n", "benchfleet_compiler gcc 12 2 -1\n",
        "benchfleet_compiler gcc 12 2 0 1\n", "benchfleet_compiler gcc 99999999999 2 0\n",
        "benchfleet_compiler bcc 12 2 0\n", "a benchfleet_compiler gcc 12 2 0\n"}) {
    Answers answers = Gcc("");
    answers.c = answer;
    Install("bin/gcc", answers);
    EXPECT_THAT(Find(), IsEmpty()) << answer;
  }
}

TEST_F(CompilersTest, SortsByLanguageThenNameThenVersionAsANumber) {
  const std::string gcc9 = Install("bin/gcc-9", Gcc("9 4 0"));
  const std::string gcc12 = Install("bin/gcc-12", Gcc("12 2 0"));
  const std::string clang = Install("bin/clang-14", Clang("14 0 6"));
  const std::string flang = Install("bin/flang-19", Flang("19 1 7"));
  const std::string gfortran = Install("bin/gfortran-12", Gfortran("12 2 0"));
  EXPECT_THAT(Find(), ElementsAre("gfortran 12.2.0 " + gfortran, "flang 19.1.7 " + flang, "gcc 9.4.0 " + gcc9,
                                  "gcc 12.2.0 " + gcc12, "clang 14.0.6 " + clang));
}

TEST_F(CompilersTest, ExtraPathsComeFirstAndMayHaveAnyName) {
  const std::string extra = Install("opt/compile-it", Gcc("12 2 0"));
  const std::string fortran = Install("opt/x86_64-gfortran", Gfortran("13 1 0"));
  Install("bin/gcc", Gcc("12 2 0"));
  EXPECT_THAT(Find({extra, fortran, folder_ / "missing"}),
              ElementsAre("gfortran 13.1.0 " + fortran, "gcc 12.2.0 " + extra));
}

TEST_F(CompilersTest, KeepsTheFirstOfEqualNameAndVersion) {
  const ScopedVariable path("PATH", absl::StrCat(folder_ / "one", ":", folder_ / "two"));
  const std::string one = Install("one/gcc", Gcc("12 2 0"));
  Install("two/gcc", Gcc("12 2 0"));
  const std::string other = Install("two/gcc-11", Gcc("11 3 0"));
  EXPECT_THAT(Find(), ElementsAre("gcc 11.3.0 " + other, "gcc 12.2.0 " + one));
}

TEST_F(CompilersTest, RelativeFoldersOfPathAreNotSearched) {
  Install("bin/gcc", Gcc("12 2 0"));
  const ScopedVariable path("PATH", std::filesystem::relative(folder_ / "bin").string());
  EXPECT_THAT(Find(), IsEmpty());
}

TEST_F(CompilersTest, FollowsLinksAndAsksEachFileOnce) {
  const std::string real = Install("opt/x86_64-linux-gnu-gcc-12", Gcc("12 2 0"));
  std::filesystem::create_directories(folder_ / "bin");
  ASSERT_EQ(::symlink(real.c_str(), (folder_ / "bin/gcc").c_str()), 0);
  ASSERT_EQ(::symlink("gcc", (folder_ / "bin/cc").c_str()), 0);
  EXPECT_THAT(Find(), ElementsAre("gcc 12.2.0 " + real));
  int greetings = 0;
  for (const auto& call : spawner_.calls())
    greetings += call.command.argv[0] == real && call.command.argv[1] == "--version";
  EXPECT_EQ(greetings, 1);
}

TEST_F(CompilersTest, LeavesOutWhatPosesAsACompiler) {
  for (const char* impostor : {"ccache", "sccache", "distcc", "icecc", "colorgcc", "buildcache"}) {
    const std::string real = Install(absl::StrCat("opt/", impostor), Gcc("12 2 0"));
    const std::string link = folder_ / "bin/gcc";
    std::filesystem::create_directories(folder_ / "bin");
    std::filesystem::remove(link);
    ASSERT_EQ(::symlink(real.c_str(), link.c_str()), 0);
    EXPECT_THAT(Find(), IsEmpty()) << impostor;
    EXPECT_THAT(Find({real}), IsEmpty()) << impostor;
  }
  for (const auto& call : spawner_.calls()) {
    EXPECT_FALSE(absl::StartsWith(call.command.argv[0], folder_.path())) << call.command.argv[0];
  }
}

TEST_F(CompilersTest, LeavesOutCrossCompilers) {
  for (const std::string& target : {std::string("sparc64-linux-gnu"), Machine() + "-w64-mingw32", Machine() + "-elf"}) {
    Answers answers = Gcc("12 2 0");
    answers.target = target + "\n";
    Install("bin/gcc", answers);
    EXPECT_THAT(Find(), IsEmpty()) << target;
  }
}

TEST_F(CompilersTest, OneThatDoesNotNameItsTargetIsNative) {
  for (const char* answer : {"", "\n", "no such option\n", "a/b\n"}) {
    Answers answers = Gcc("12 2 0");
    answers.target = answer;
    Install("bin/gcc", answers);
    EXPECT_EQ(FindOne().target, "") << answer;
  }
}

TEST(IsNativeTarget, KnowsTheNamesOfOneArchitecture) {
  struct {
    const char* target;
    const char* machine;
    bool want;
  } const cases[] = {
      {"x86_64-linux-gnu", "x86_64", true},
      {"x86_64-pc-linux-gnu", "x86_64", true},
      {"x86_64-redhat-linux", "x86_64", true},
      {"aarch64-linux-gnu", "aarch64", true},
      {"arm64-linux-gnu", "aarch64", true},
      {"arm-linux-gnueabihf", "armv7l", true},
      {"powerpc64le-linux-gnu", "ppc64le", true},
      {"i686-linux-gnu", "i586", true},
      {"", "x86_64", true},
      {"aarch64-linux-gnu", "x86_64", false},
      {"i686-linux-gnu", "x86_64", false},
      {"arm-linux-gnueabihf", "aarch64", false},
      {"powerpc64-linux-gnu", "ppc64le", false},
      {"x86_64-w64-mingw32", "x86_64", false},
      {"x86_64-unknown-freebsd", "x86_64", false},
      {"linux-x86_64", "x86_64", false},
  };
  for (const auto& one : cases) EXPECT_EQ(IsNativeTarget(one.target, one.machine), one.want) << one.target;
}

TEST(IsCompilerName, WithOrWithoutAVersion) {
  for (const char* name : {"gcc", "gcc-12", "gcc-4.9", "cc", "clang", "clang-14", "icx", "nvc", "tcc", "gfortran",
                           "gfortran-12", "flang", "flang-20", "flang-new", "flang-new-16", "ifx", "nvfortran"}) {
    EXPECT_TRUE(IsCompilerName(name)) << name;
  }
  for (const char* name :
       {"", "g++", "gcc-ar", "gcc-ar-12", "gcc-", "gcc12", "gcc-12.", "gcc-.1", "clang++", "clangd", "clang-tidy",
        "clang-cpp-14", "flang-new-", "flang-to-external-fc-16", "c89-gcc", "nvcc", "ccache", "x86_64-linux-gnu-gcc"}) {
    EXPECT_FALSE(IsCompilerName(name)) << name;
  }
}

TEST(CompilerVersionText, IsOneShortPrintableLine) {
  EXPECT_EQ(CompilerVersionText("\r\n \n\x1b[1m gcc 12\x7f\t(x)\xc3\xa9 \nmore\n", "err"), "[1m gcc 12(x)");
  EXPECT_EQ(CompilerVersionText("", "\ntcc\n"), "tcc");
  EXPECT_EQ(CompilerVersionText("", ""), "");
  EXPECT_THAT(CompilerVersionText(std::string(200, 'x'), ""), SizeIs(200));
  EXPECT_THAT(CompilerVersionText(std::string(201, 'x'), ""), SizeIs(200));
}

TEST_F(CompilersTest, DigestsWhatTheDriverRuns) {
  const std::string cc1 = folder_.WriteProgram("lib/cc1", "the compiler proper");
  folder_.WriteProgram("bin/as", "the assembler");
  Answers answers = Gcc("12 2 0");
  // A bare name is looked for in PATH, as the driver will; f951 is not gcc's.
  answers.stages = {{"cc1", cc1 + "\n"},
                    {"as", "as\n"},
                    {"collect2", folder_ / "lib/missing\n"},
                    {"ld", "ld\n"},
                    {"f951", cc1 + "\n"}};
  Install("bin/gcc", answers);
  EXPECT_THAT(FindOne().stage_digests, UnorderedElementsAre(Pair("cc1", Sha256Hex("the compiler proper")),
                                                            Pair("as", Sha256Hex("the assembler"))));
}

TEST_F(CompilersTest, AsksForTheStagesOfEachFamily) {
  Install("bin/gfortran", Gfortran("12 2 0"));
  Install("bin/clang", Clang("14 0 6"));
  Install("bin/tcc", {"tcc\n", "", "benchfleet_compiler tcc 927\n", "", "", {}});
  Find();
  std::vector<std::string> asked;
  for (const auto& call : spawner_.calls()) {
    const std::string& argument = call.command.argv[1];
    if (!absl::StartsWith(argument, "-print")) continue;
    asked.push_back(std::filesystem::path(call.command.argv[0]).filename().string() + " " + argument);
  }
  EXPECT_THAT(asked,
              ElementsAre("clang -print-prog-name=ld", "gfortran -print-prog-name=f951", "gfortran -print-prog-name=as",
                          "gfortran -print-prog-name=collect2", "gfortran -print-prog-name=ld"));
}

TEST_F(CompilersTest, AsksInAPrivateFolderWithACleanEnvironment) {
  const ScopedVariable temporary("TMPDIR", folder_.path());
  const ScopedVariable attempt(kAttemptVariable, "token");
  const ScopedVariable path("PATH", folder_ / "bin");
  const ScopedVariable language("LANGUAGE", "de");
  Install("bin/gcc", Gcc("12 2 0"));
  Find();
  std::set<std::string> folders;
  for (const auto& call : spawner_.calls()) {
    const std::string& home = call.command.working_directory;
    folders.insert(home);
    EXPECT_THAT(call.command.environment,
                UnorderedElementsAre("LC_ALL=C", "CCACHE_DISABLE=1", "HOME=" + home, "PATH=" + (folder_ / "bin"),
                                     absl::StrCat(kAttemptVariable, "=token")));
    EXPECT_EQ(call.options.timeout, absl::Seconds(10));
    EXPECT_EQ(call.options.max_output_bytes, 65536u);
  }
  ASSERT_THAT(folders, SizeIs(1));
  EXPECT_TRUE(absl::StartsWith(*folders.begin(), folder_.path() + "/")) << *folders.begin();
  EXPECT_FALSE(std::filesystem::exists(*folders.begin()));
}

TEST_F(CompilersTest, WithoutAPrivateFolderThereIsNoCompiler) {
  const ScopedVariable temporary("TMPDIR", folder_ / "missing");
  Install("bin/gcc", Gcc("12 2 0"));
  EXPECT_THAT(Find(), IsEmpty());
  EXPECT_THAT(spawner_.calls(), IsEmpty());
}

TEST_F(CompilersTest, LeavesOutWhatFailsHangsOrTalksTooMuchAtAnyQuestion) {
  Answers answers = Gcc("12 2 0");
  answers.stages = {{"cc1", "cc1\n"}};
  const std::string path = Install("bin/gcc", answers);
  ProcessResult flood = FakeProcessSpawner::Exited(0, "x");
  flood.output_dropped = true;
  const std::vector<absl::StatusOr<ProcessResult>> failures = {absl::ResourceExhaustedError("no process left"),
                                                               FakeProcessSpawner::TimedOut(),
                                                               FakeProcessSpawner::Signalled(11), flood};
  for (const char* question : {"--version", "-E", "-dumpmachine", "-print-prog-name=cc1"}) {
    for (const absl::StatusOr<ProcessResult>& failure : failures) {
      int asked_after = -1;
      FakeProcessSpawner spawner([&](const Command& command, const RunOptions&) {
        if (command.argv[0] != path) return Answer(command);
        if (command.argv[1] != question && asked_after < 0) return Answer(command);
        ++asked_after;
        return failure;
      });
      EXPECT_THAT(FindCompilers(spawner, {}), IsEmpty()) << question;
      EXPECT_EQ(asked_after, 0) << question;
    }
  }
}

TEST_F(CompilersTest, WhatAProgramPrintsAndThenFailsIsNoAnswer) {
  const std::string path = Install("bin/gcc", Gcc("12 2 0"));
  answers_[path].stages = {{"ld", path}};
  const auto find_failing_at = [&](const std::string& question) {
    FakeProcessSpawner spawner([&](const Command& command, const RunOptions&) {
      absl::StatusOr<ProcessResult> answer = Answer(command);
      if (command.argv[1] == question) answer->end.exit_code = 1;
      return answer;
    });
    return FindCompilers(spawner, {});
  };
  EXPECT_THAT(find_failing_at("-E"), IsEmpty());
  ASSERT_THAT(find_failing_at("-dumpmachine"), SizeIs(1));
  EXPECT_EQ(find_failing_at("-dumpmachine")[0].target, "");
  ASSERT_THAT(find_failing_at("-print-prog-name=ld"), SizeIs(1));
  EXPECT_THAT(find_failing_at("-print-prog-name=ld")[0].stage_digests, IsEmpty());
  // A greeting is a label only.
  EXPECT_THAT(find_failing_at("--version"), SizeIs(1));
}

TEST_F(CompilersTest, ABadOneDoesNotHideTheOthers) {
  Install("bin/clang", Clang("14 0 6"));
  const std::string hanging = Install("bin/cc", Gcc("11 3 0"));
  const std::string good = Install("bin/gcc", Gcc("12 2 0"));
  FakeProcessSpawner spawner([&](const Command& command, const RunOptions&) -> absl::StatusOr<ProcessResult> {
    if (command.argv[0] == hanging) return FakeProcessSpawner::TimedOut();
    return Answer(command);
  });
  const std::vector<Compiler> found = FindCompilers(spawner, {});
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].path, good);
}

TEST_F(CompilersTest, AsksAtMostSoMany) {
  std::vector<std::string> extra;
  for (size_t i = 1; i <= kMaxCompilerCandidates + 1; ++i) {
    extra.push_back(Install(absl::StrCat("opt/", i), Gcc(absl::StrCat(i, " 0 0"))));
  }
  EXPECT_THAT(Find(extra), SizeIs(kMaxCompilerCandidates));
  extra.pop_back();
  EXPECT_THAT(Find(extra), SizeIs(kMaxCompilerCandidates));
  extra.pop_back();
  EXPECT_THAT(Find(extra), SizeIs(kMaxCompilerCandidates - 1));
}

// What the real compiler at `path` says to `argument`, in one line.
std::string RealAnswer(const std::string& path, const std::string& argument) {
  PosixProcessSpawner spawner;
  Command command;
  command.argv = {path, argument};
  command.environment = {"LC_ALL=C", absl::StrCat("PATH=", ::getenv("PATH"))};
  const absl::StatusOr<ProcessResult> result = spawner.Run(command, {});
  if (!result.ok() || result->end.exit_code != 0) return absl::StrCat(path, " does not answer");
  return std::string(absl::StripAsciiWhitespace(result->out));
}

// Checks the GNU compiler that the host has at `link`.
void ExpectRealGnuCompiler(const std::string& link, const std::string& name, const std::string& language,
                           const std::string& proper) {
  PosixProcessSpawner spawner;
  const std::string path = std::filesystem::canonical(link);
  for (const Compiler& one : FindCompilers(spawner, {link})) {
    if (one.path != path) continue;
    EXPECT_EQ(one.name, name);
    EXPECT_EQ(one.version, RealAnswer(path, "-dumpfullversion"));
    EXPECT_EQ(one.target, RealAnswer(path, "-dumpmachine"));
    EXPECT_EQ(one.language, language);
    EXPECT_EQ(one.digest, Sha256HexOfFile(path).value());
    EXPECT_EQ(one.stage_digests.count(proper), 1u);
    EXPECT_EQ(one.stage_digests.count("as"), 1u);
    EXPECT_EQ(one.stage_digests.count("ld"), 1u);
    EXPECT_FALSE(one.version_text.empty());
    return;
  }
  ADD_FAILURE() << link << " was not found";
}

TEST(Compilers, TheRealGccIsFound) { ExpectRealGnuCompiler("/usr/bin/gcc", "gcc", "c", "cc1"); }

TEST(Compilers, TheRealGfortranIsFound) {
  if (::access("/usr/bin/gfortran", X_OK) != 0) GTEST_SKIP() << "no /usr/bin/gfortran";
  ExpectRealGnuCompiler("/usr/bin/gfortran", "gfortran", "fortran", "f951");
}

}  // namespace
}  // namespace benchfleet
