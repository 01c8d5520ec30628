#include "common/stats/rng.h"

#include <numeric>
#include <utility>

#include "absl/numeric/int128.h"

namespace benchfleet {

uint64_t SplitMix64::Next() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t z = state_;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

uint64_t SplitMix64::Below(uint64_t n) {
  // Lemire: the high half of a product is the draw. The lowest 2^64 mod n low halves
  // would be one draw too many for some values, so they are drawn again.
  const uint64_t rejected = (0 - n) % n;
  while (true) {
    const absl::uint128 product = absl::uint128(Next()) * n;
    if (absl::Uint128Low64(product) >= rejected) return absl::Uint128High64(product);
  }
}

void SplitMix64::Shuffle(absl::Span<int> values) {
  for (size_t k = values.size(); k >= 2; --k) std::swap(values[k - 1], values[Below(k)]);
}

std::vector<int> SplitMix64::Permutation(int n) {
  std::vector<int> values(n);
  std::iota(values.begin(), values.end(), 0);
  Shuffle(absl::MakeSpan(values));
  return values;
}

}  // namespace benchfleet
