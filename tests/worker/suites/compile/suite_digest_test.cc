#include "worker/suites/compile/suite_digest.h"

#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"
#include "common/model/compile.h"
#include "common/os/digest.h"
#include "gtest/gtest.h"

namespace benchfleet {
namespace {

// Over the sorted paths, each with its own digest.
std::string DigestOfSuite() {
  const std::filesystem::path root = std::string(BENCHFLEET_SOURCE_DIR) + "/worker/suites/compile";
  const std::set<std::string> measured = {".h", ".cc", ".c", ".f90", ".py"};
  std::map<std::string, std::string> files;
  for (const char* folder : {"probes", "pass", "python"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!measured.contains(entry.path().extension())) continue;
      const auto digest = Sha256HexOfFile(entry.path());
      EXPECT_TRUE(digest.ok()) << digest.status();
      files[entry.path().lexically_relative(root)] = digest.value_or("");
    }
  }
  // How a compiler is called is measured, too.
  for (const char* file : {"compiler_command.cc", "probes.cc"}) files[file] = Sha256HexOfFile(root / file).value();
  EXPECT_GT(files.size(), 50u);
  std::string list;
  for (const auto& [path, digest] : files) absl::StrAppend(&list, digest, "  ", path, "\n");
  return Sha256Hex(list);
}

TEST(CompileSuiteDigestTest, VersionGrowsWithWhatIsMeasured) {
  EXPECT_EQ(compile::kDigestedSuiteVersion, compile::kSuiteVersion)
      << "kSuiteVersion in common/model/compile.h changed: set kDigestedSuiteVersion in "
         "worker/suites/compile/suite_digest.h to it, too.";
  EXPECT_EQ(std::string(compile::kSuiteDigest), DigestOfSuite())
      << "The sources of the compile suite changed. If what is measured may have changed, add one to kSuiteVersion in "
         "common/model/compile.h; if surely not (a comment, a message), leave it. Then set kDigestedSuiteVersion and "
         "kSuiteDigest in worker/suites/compile/suite_digest.h to the version and the digest shown here.";
}

}  // namespace
}  // namespace benchfleet
