#include "worker/suites/compile/probes.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/model/compile.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/fakes/temp_folder.h"

namespace benchfleet {
namespace {

constexpr char kProbesFolder[] = BENCHFLEET_SOURCE_DIR "/worker/suites/compile/probes";

int Count(const std::vector<Probe>& probes, ProbeKind kind) {
  return static_cast<int>(
      std::count_if(probes.begin(), probes.end(), [kind](const Probe& probe) { return probe.kind == kind; }));
}

TEST(ProbesTest, EveryLanguageHasItsFeaturesAndControls) {
  const std::vector<Probe> fortran = ProbesOf(compile::kFortran), c = ProbesOf(compile::kC);
  EXPECT_EQ(Count(fortran, ProbeKind::kFeature), 15);
  EXPECT_EQ(Count(c, ProbeKind::kFeature), 11);
  for (const std::vector<Probe>& probes : {fortran, c}) {
    EXPECT_EQ(Count(probes, ProbeKind::kMinimal), 1);
    EXPECT_EQ(probes.front().kind, ProbeKind::kMinimal);
    EXPECT_EQ(Count(probes, ProbeKind::kControl), 2);
    EXPECT_EQ(Count(probes, ProbeKind::kLinkControl), 1);
  }
  EXPECT_TRUE(ProbesOf("cobol").empty());
}

TEST(ProbesTest, TableAndSourcesAgree) {
  std::set<std::string> listed, found;
  for (const absl::string_view language : {compile::kFortran, compile::kC}) {
    for (const Probe& probe : ProbesOf(language)) {
      EXPECT_EQ(probe.file.substr(0, probe.file.find('.')), absl::StrCat(language, "/", probe.name));
      EXPECT_TRUE(listed.insert(std::string(probe.file)).second) << probe.file;
      EXPECT_EQ(probe.flag == "-std=c2x", absl::StartsWith(probe.name, "c23")) << probe.name;
    }
  }
  for (const auto& entry : std::filesystem::recursive_directory_iterator(kProbesFolder)) {
    if (entry.is_regular_file()) found.insert(entry.path().lexically_relative(kProbesFolder));
  }
  EXPECT_EQ(listed, found);
}

TEST(ProbesTest, DigestIsOfTheLanguagesSources) {
  const TempFolder folder;
  std::filesystem::copy(kProbesFolder, folder / "probes", std::filesystem::copy_options::recursive);
  const auto fortran = ProbeSetDigest(folder / "probes", "fortran");
  const auto c = ProbeSetDigest(folder / "probes", "c");
  ASSERT_TRUE(fortran.ok() && c.ok()) << fortran.status() << c.status();
  EXPECT_NE(*fortran, *c);
  folder.Write("probes/c/c_minimal.c", "int main(void) { return 1; }\n");
  EXPECT_EQ(ProbeSetDigest(folder / "probes", "fortran").value(), *fortran);
  EXPECT_NE(ProbeSetDigest(folder / "probes", "c").value(), *c);
  std::filesystem::remove(folder / "probes/c/c_minimal.c");
  EXPECT_EQ(ProbeSetDigest(folder / "probes", "c").status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace benchfleet
