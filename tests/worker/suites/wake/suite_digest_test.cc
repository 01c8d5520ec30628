#include "worker/suites/wake/suite_digest.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "absl/strings/str_cat.h"
#include "common/model/wake.h"
#include "common/os/digest.h"

namespace benchfleet {
namespace {

// Over the sorted paths, each with its own digest.
std::string DigestOfSuite() {
  const std::filesystem::path root = std::string(BENCHFLEET_SOURCE_DIR) + "/worker/suites/wake";
  std::map<std::string, std::string> files;
  for (const char* folder : {"runtime", "epoll", "python"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc" && extension != ".py") continue;
      const auto digest = Sha256HexOfFile(entry.path());
      EXPECT_TRUE(digest.ok()) << digest.status();
      files[entry.path().lexically_relative(root)] = digest.value_or("");
    }
  }
  EXPECT_GT(files.size(), 20);
  std::string list;
  for (const auto& [path, digest] : files) absl::StrAppend(&list, digest, "  ", path, "\n");
  return Sha256Hex(list);
}

TEST(SuiteDigestTest, VersionGrowsWithWhatIsMeasured) {
  EXPECT_EQ(wake::kDigestedSuiteVersion, wake::kSuiteVersion)
      << "kSuiteVersion in common/model/wake.h changed: set kDigestedSuiteVersion in "
         "worker/suites/wake/suite_digest.h to it, too.";
  EXPECT_EQ(std::string(wake::kSuiteDigest), DigestOfSuite())
      << "The sources of the wake suite changed. If what is measured may have changed, add one to kSuiteVersion in "
         "common/model/wake.h; if surely not (a comment, a message), leave it. Then set kDigestedSuiteVersion and "
         "kSuiteDigest in worker/suites/wake/suite_digest.h to the version and the digest shown here.";
}

}  // namespace
}  // namespace benchfleet
