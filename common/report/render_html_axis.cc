#include "common/report/render_html_axis.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"

namespace benchfleet::html {
namespace {

constexpr int kMaxTicks = 7;           // as many labels as fit on a phone
constexpr double kMargin = 0.04;       // of the range, beyond its ends
constexpr double kInsetPercent = 3;    // so that a label at an end is not cut off
constexpr double kZeroIsNear = 0.2;    // low / high up to which the axis begins at zero
constexpr double kFewDecades = 4;      // high / low from which ticks are 1, 2, 5, 10
constexpr double kSomeDecades = 12;    // and up to which there are more of them between
constexpr double kManyDecades = 2000;  // and from which they are powers of ten
constexpr double kMinLogSpan = 1.02;   // high / low of a ratio axis, at least
constexpr double kLeastStep = 1e-12;   // relative; below it doubles are no finer

// 1, 2 or 5 times a power of ten, so that at most kMaxTicks of them lie in the range.
double NiceStep(double range) {
  const double rough = range / (kMaxTicks - 1);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= rough * (1 - 1e-9)) return factor * power;
  }
  return 10 * power;
}

std::string Label(double value, double step) {
  if (value == 0) return "0";
  const int digits = std::clamp(static_cast<int>(-std::floor(std::log10(step) + 1e-9)), 0, 15);
  return absl::StrFormat("%.*f", digits, value);
}

std::vector<Tick> LinearTicks(double low, double high) {
  std::vector<Tick> ticks;
  const double step = NiceStep(high - low);
  for (double k = std::ceil(low / step - 1e-9); k * step <= high * (1 + 1e-12) && ticks.size() <= kMaxTicks; ++k) {
    ticks.push_back({k * step, Label(k * step, step)});
  }
  return ticks;
}

std::vector<Tick> DecadeTicks(double low, double high) {
  std::vector<double> factors = {1, 2, 5};
  if (high / low < kSomeDecades) factors = {1, 1.5, 2, 3, 5, 7};
  if (high / low > kManyDecades) factors = {1};
  std::vector<Tick> ticks;
  for (int exponent = static_cast<int>(std::floor(std::log10(low))); std::pow(10, exponent) <= high; ++exponent) {
    const double power = std::pow(10, exponent);
    for (const double factor : factors) {
      if (factor * power < low || factor * power > high) continue;
      ticks.push_back({factor * power, Label(factor * power, factor == 1.5 ? power / 10 : power)});
    }
  }
  return ticks;
}

}  // namespace

Axis Axis::Linear(double low, double high) {
  const double least = std::max(std::abs(high), std::abs(low)) * kLeastStep;
  if (high - low <= least) {  // one value: some room at both sides
    const double room = high == 0 ? 1 : std::abs(high) * kMargin;
    low -= room;
    high += room;
  }
  if (low >= 0 && low <= high * kZeroIsNear) {
    low = 0;
  } else {
    low -= (high - low) * kMargin;
  }
  high += (high - low) * kMargin;
  Axis axis(low, high, /*is_log=*/false);
  axis.ticks_ = LinearTicks(low, high);
  return axis;
}

Axis Axis::Log(double low, double high) {
  low = std::min(low, 1.0);
  high = std::max(high, 1.0);
  const double grow = std::max(std::pow(high / low, kMargin), std::sqrt(std::max(1.0, kMinLogSpan / (high / low))));
  low /= grow;
  high *= grow;
  Axis axis(low, high, /*is_log=*/true);
  axis.ticks_ = high / low < kFewDecades ? LinearTicks(low, high) : DecadeTicks(low, high);
  return axis;
}

double Axis::At(double value) const {
  const double inside = std::clamp(value, low_, high_);
  const double share = is_log_ ? std::log(inside / low_) / std::log(high_ / low_) : (inside - low_) / (high_ - low_);
  return kInsetPercent + share * (100 - 2 * kInsetPercent);
}

}  // namespace benchfleet::html
