#include "worker/agent/backoff.h"

#include <algorithm>

namespace benchfleet {
namespace {

constexpr double kGrowth = 1.6;

}  // namespace

Backoff::Backoff(BackoffOptions options, uint64_t seed) : options_(options), random_(seed) {}

absl::Duration Backoff::OnFailure(absl::Duration now) {
  if (healthy_since_.has_value() && now - *healthy_since_ >= options_.healthy_after) ceiling_.reset();
  healthy_since_.reset();
  if (!ceiling_.has_value()) {
    ceiling_ = std::min(options_.window, options_.max_delay);
    return Draw(absl::ZeroDuration(), *ceiling_);
  }
  ceiling_ = std::min(*ceiling_ * kGrowth, options_.max_delay);
  return Draw(*ceiling_ / 2, *ceiling_);
}

void Backoff::OnSuccess(absl::Duration now) {
  if (!healthy_since_.has_value()) healthy_since_ = now;
}

absl::Duration Backoff::Draw(absl::Duration from, absl::Duration to) {
  return from + (to - from) * std::uniform_real_distribution<double>(0, 1)(random_);
}

}  // namespace benchfleet
