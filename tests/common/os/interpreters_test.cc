#include "common/os/interpreters.h"

#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
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

class InterpretersTest : public testing::Test {
 protected:
  // A file that stands for an executable; asked, it answers with its own path.
  std::string Install(const std::string& name, const std::string& version, const std::string& bytes) {
    const std::string path = folder_.WriteProgram(name, bytes);
    answers_[path] = absl::StrCat("cpython\n", version, "\n-\n", path, "\n");
    return path;
  }

  std::vector<std::string> Find(const std::vector<std::string>& extra = {}) {
    std::vector<std::string> found;
    for (const Interpreter& one : FindInterpreters(spawner_, extra)) {
      found.push_back(absl::StrCat(one.version, " ", one.path));
    }
    return found;
  }

  absl::StatusOr<ProcessResult> Answer(const Command& command) {
    const auto answer = answers_.find(command.argv[0]);
    // What the machine itself has in /usr/local/bin is no part of these tests.
    if (answer == answers_.end()) return FakeProcessSpawner::Exited(1, "");
    return FakeProcessSpawner::Exited(0, answer->second);
  }

  const TempFolder folder_;
  const ScopedVariable path_{"PATH", folder_ / "bin"};
  const ScopedVariable home_{"HOME", folder_ / "home"};
  const ScopedVariable pyenv_root_{"PYENV_ROOT", folder_ / "pyenv"};
  std::map<std::string, std::string> answers_;
  FakeProcessSpawner spawner_{[this](const Command& command, const RunOptions&) { return Answer(command); }};
};

TEST_F(InterpretersTest, SearchesExtraPathAndBothPyenvsAndSortsByVersion) {
  const std::string extra = Install("opt/my-python", "3.12.1", "a");
  const std::string path = Install("bin/python3.9999", "3.11.10", "b");
  const std::string home = Install("home/.pyenv/versions/3.10.13/bin/python", "3.10.13", "c");
  const std::string root = Install("pyenv/versions/3.11.2/bin/python", "3.11.2", "d");
  Install("bin/python3-config", "3.11.3", "e");
  Install("bin/pythonic", "3.11.3", "f");
  EXPECT_THAT(Find({extra}), ElementsAre("3.10.13 " + home, "3.11.2 " + root, "3.11.10 " + path, "3.12.1 " + extra));
}

TEST_F(InterpretersTest, SeesThroughShimsAndKeepsOneOfEachDigest) {
  const std::string real = Install("pyenv/versions/3.11.2/bin/python", "3.11.2", "same bytes");
  const std::string shim = Install("bin/python3", "3.11.2", "#!/bin/sh\n");
  answers_[shim] = answers_[real];
  Install("bin/python3.11", "3.11.2", "same bytes");  // a copy
  EXPECT_THAT(Find(), ElementsAre("3.11.2 " + real));
}

TEST_F(InterpretersTest, AShimAloneLeadsToTheRealExecutable) {
  const std::string real = Install("elsewhere/python", "3.11.2", "real");
  const std::string link = folder_ / "elsewhere/link";
  ASSERT_EQ(::symlink(real.c_str(), link.c_str()), 0);
  answers_[folder_.WriteProgram("bin/python3", "#!/bin/sh\n")] = absl::StrCat("cpython\n3.11.2\n-\n", link, "\n");
  const std::vector<Interpreter> found = FindInterpreters(spawner_, {});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].path, real);
  EXPECT_EQ(found[0].digest, Sha256Hex("real"));
}

TEST_F(InterpretersTest, PyenvsOwnShimsAreNotAsked) {
  const ScopedVariable path("PATH", folder_ / "pyenv/shims");
  Install("pyenv/shims/python3", "3.11.2", "#!/bin/sh\n");
  EXPECT_THAT(Find(), IsEmpty());
}

TEST_F(InterpretersTest, TwoVersionsWithTheSameExecutableAreTwo) {
  const std::string one = Install("bin/python3.11", "3.11.2", "links libpython");
  const std::string two = Install("bin/python3.12", "3.12.0", "links libpython");
  EXPECT_THAT(Find(), ElementsAre("3.11.2 " + one, "3.12.0 " + two));
}

TEST_F(InterpretersTest, LeavesOutWhatItCannotUse) {
  const std::string path = folder_ / "bin/python3";
  for (const char* version : {"3.9.18", "2.7.18", "3.11", "3.11.2rc1", "3.11.2 ", "+3.11.2", "3.011.2", "3.11.-2",
                              "3.11.2.1", "3..2", "99999.1.1", ""}) {
    Install("bin/python3", version, "x");
    EXPECT_THAT(Find(), IsEmpty()) << version;
  }
  const std::string good = absl::StrCat("\n3.11.2\n-\n", path, "\n");
  for (const std::string& answer :
       {absl::StrCat("pypy", good), absl::StrCat("noise\ncpython", good), absl::StrCat("cpython", good, "more\n"),
        absl::StrCat("cpython\n3.13.0\nt\n", path, "\n"), std::string("cpython\n3.11.2\n-\nrelative\n"),
        std::string("cpython\n3.11.2\n-\n/nonexistent\n"), std::string("cpython\n3.11.2\n-\n\n"), std::string()}) {
    answers_[path] = answer;
    EXPECT_THAT(Find(), IsEmpty()) << answer;
  }
  answers_[path] = absl::StrCat("cpython", good);
  EXPECT_THAT(Find(), ElementsAre("3.11.2 " + path));
}

TEST_F(InterpretersTest, AsksInIsolationWithATimeLimit) {
  Install("bin/python3", "3.11.2", "x");
  Find();
  const auto call = spawner_.calls().at(0);
  EXPECT_THAT(std::vector<std::string>(call.command.argv.begin(), call.command.argv.begin() + 4),
              ElementsAre(folder_ / "bin/python3", "-I", "-S", "-c"));
  EXPECT_EQ(call.options.timeout, absl::Seconds(10));
  EXPECT_THAT(call.command.environment, ElementsAre("PATH=" + (folder_ / "bin"), "HOME=" + (folder_ / "home"),
                                                    "PYENV_ROOT=" + (folder_ / "pyenv")));
}

TEST_F(InterpretersTest, ProgramsThatFailOrHangAreLeftOut) {
  Install("bin/python3", "3.11.2", "x");
  FakeProcessSpawner hanging([](const Command&, const RunOptions&) { return FakeProcessSpawner::TimedOut(); });
  EXPECT_THAT(FindInterpreters(hanging, {}), IsEmpty());
  FakeProcessSpawner broken([](const Command&, const RunOptions&) { return absl::NotFoundError("no such program"); });
  EXPECT_THAT(FindInterpreters(broken, {}), IsEmpty());
}

TEST(Interpreters, RealOnesAnswer) {
  PosixProcessSpawner spawner;
  const std::vector<Interpreter> found = FindInterpreters(spawner, {});
  if (found.empty()) GTEST_SKIP() << "this host has no CPython >= 3.10";
  for (const Interpreter& one : found) {
    EXPECT_EQ(one.digest, Sha256HexOfFile(one.path).value()) << one.path;
    EXPECT_EQ(one.version.substr(0, 2), "3.") << one.path;
  }
}

}  // namespace
}  // namespace benchfleet
