#include "common/stats/order_statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace benchfleet {
namespace {

// P(Bin(n, 1/2) <= i) for i = 0, 1, ...: a sum of binomial coefficients times a power
// of two, which is kept apart because neither fits a double when n is large. Exact while
// the coefficients are below 2^53.
class BinomialTail {
 public:
  explicit BinomialTail(int n) : n_(n), exponent_(-n) {}

  double Value() const { return std::ldexp(sum_, exponent_); }

  void Advance() {
    ++i_;
    coefficient_ = coefficient_ * (n_ - i_ + 1) / i_;
    sum_ += coefficient_;
    if (sum_ > 0x1p500) {
      coefficient_ *= 0x1p-500;
      sum_ *= 0x1p-500;
      exponent_ += 500;
    }
  }

 private:
  const int n_;
  int i_ = 0;
  double coefficient_ = 1;
  double sum_ = 1;
  int exponent_;
};

}  // namespace

double Median(absl::Span<const double> sorted) {
  const size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return std::midpoint(sorted[middle - 1], sorted[middle]);
}

double MedianReordering(absl::Span<double> values) {
  const auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double Quantile(absl::Span<const double> sorted, double p) {
  const double position = p * static_cast<double>(sorted.size() - 1);
  const size_t below = static_cast<size_t>(position);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

double Mad(absl::Span<const double> sorted) {
  const double median = Median(sorted);
  std::vector<double> deviations;
  deviations.reserve(sorted.size());
  for (double value : sorted) deviations.push_back(std::abs(value - median));
  return MedianReordering(absl::MakeSpan(deviations));
}

int MedianIntervalRank(int n, double level) {
  BinomialTail tail(n);
  int k = 0;
  while (k < n && 2 * tail.Value() <= 1 - level) {
    ++k;
    tail.Advance();
  }
  return k;
}

double MedianIntervalCoverage(int n, int k) {
  if (k < 1) return 0;
  BinomialTail tail(n);
  for (int i = 1; i < k; ++i) tail.Advance();
  return 1 - 2 * tail.Value();
}

std::optional<Interval> MedianInterval(absl::Span<const double> sorted, double level) {
  const int k = MedianIntervalRank(static_cast<int>(sorted.size()), level);
  if (k == 0) return std::nullopt;
  return Interval{sorted[k - 1], sorted[sorted.size() - k]};
}

}  // namespace benchfleet
