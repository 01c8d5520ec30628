#include "common/base/uuid.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>
#include <string>

#include "absl/strings/str_cat.h"

namespace benchfleet {
namespace {

constexpr int kDraws = 200;

TEST(UuidTest, Version7SaysWhenToTheMillisecond) {
  const absl::Time now = absl::FromUnixMillis(0x0123456789ab) + absl::Microseconds(999);
  const std::string uuid = UuidV7(now);
  EXPECT_TRUE(IsUuid(uuid));
  EXPECT_EQ(uuid.substr(0, 14), "01234567-89ab-");
  EXPECT_EQ(uuid[14], '7');
}

TEST(UuidTest, Version7SortsByTime) {
  absl::Time now = absl::FromUnixMillis(1'700'000'000'000);
  std::string previous;
  for (int i = 0; i < kDraws; ++i) {
    const std::string uuid = UuidV7(now);
    EXPECT_LT(previous, uuid);
    previous = uuid;
    now += absl::Milliseconds(1);
  }
}

TEST(UuidTest, TheRestIsRandomAndTheVariantIsRight) {
  std::set<std::string> seen;
  std::set<char> variants;
  for (int i = 0; i < kDraws; ++i) {
    for (const std::string& uuid : {UuidV4(), UuidV7(absl::FromUnixMillis(1))}) {
      EXPECT_TRUE(IsUuid(uuid)) << uuid;
      EXPECT_TRUE(seen.insert(uuid).second) << uuid;
      variants.insert(uuid[19]);
    }
    EXPECT_EQ(UuidV4()[14], '4');
  }
  EXPECT_EQ(variants, (std::set<char>{'8', '9', 'a', 'b'}));
}

struct FormCase {
  const char* name;
  std::string text;
  bool is_uuid;
};

class IsUuidTest : public ::testing::TestWithParam<FormCase> {};

TEST_P(IsUuidTest, ChecksTheForm) { EXPECT_EQ(IsUuid(GetParam().text), GetParam().is_uuid) << GetParam().text; }

INSTANTIATE_TEST_SUITE_P(All, IsUuidTest,
                         ::testing::ValuesIn<FormCase>({
                             {"Lower", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", true},
                             {"Upper", "0190A1B2-C3D4-7E5F-8A9B-0C1D2E3F4A5B", true},
                             {"Empty", "", false},
                             {"NoDashes", "0190a1b2c3d47e5f8a9b0c1d2e3f4a5b", false},
                             {"Short", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5", false},
                             {"Long", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b0", false},
                             {"DashMoved", "0190a1b-2c3d4-7e5f-8a9b-0c1d2e3f4a5b", false},
                             {"DashForDigit", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5-", false},
                             {"NotHexadecimal", "0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5g", false},
                             {"Braces", "{190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5}", false},
                             {"NulInside", std::string("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5\0", 36), false},
                         }),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace benchfleet
