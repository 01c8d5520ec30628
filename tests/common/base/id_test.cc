#include "common/base/id.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <type_traits>

#include "absl/hash/hash_testing.h"

namespace benchfleet {
namespace {

using CatId = Id<struct CatIdTag>;
using DogId = Id<struct DogIdTag>;

static_assert(!std::is_convertible_v<std::string, CatId> && !std::is_convertible_v<CatId, std::string>);
static_assert(!std::is_convertible_v<CatId, DogId> && !std::is_constructible_v<CatId, DogId>);

TEST(IdTest, HoldsItsValueAndPrintsIt) {
  const CatId id("felix");
  EXPECT_EQ(id.value(), "felix");
  EXPECT_FALSE(id.empty());
  EXPECT_TRUE(CatId().empty());
  std::ostringstream out;
  out << id;
  EXPECT_EQ(out.str(), "felix");
}

TEST(IdTest, ComparesByValue) {
  EXPECT_EQ(CatId("a"), CatId("a"));
  EXPECT_NE(CatId("a"), CatId("b"));
  EXPECT_LT(CatId("a"), CatId("b"));
  EXPECT_TRUE(absl::VerifyTypeImplementsAbslHashCorrectly({CatId(), CatId("a"), CatId("b"), CatId("ab")}));
}

}  // namespace
}  // namespace benchfleet
