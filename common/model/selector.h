// Which hosts a job may run on: a Kubernetes label selector over worker labels.
//
//   a=b  a==b  a!=b  a in (b,c)  a notin (b,c)  a  !a      joined by commas, all must hold
#ifndef BENCHFLEET_COMMON_MODEL_SELECTOR_H_
#define BENCHFLEET_COMMON_MODEL_SELECTOR_H_

#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace benchfleet {

using Labels = std::map<std::string, std::string>;

inline constexpr size_t kMaxSelectorBytes = 1024;
inline constexpr int kMaxSelectorRequirements = 32;
inline constexpr int kMaxSelectorValues = 64;  // in one `in` or `notin`
inline constexpr size_t kMaxLabels = 32;

// Label syntax of Kubernetes: an optional DNS prefix of at most 253 characters and '/',
// then a name of 1-63 characters of [A-Za-z0-9._-] that begins and ends alphanumeric.
absl::Status CheckLabelKey(absl::string_view key);
// Empty, or the same rules as a name.
absl::Status CheckLabelValue(absl::string_view value);

// A valid selector. The default one matches every host.
class Selector {
 public:
  // kInvalidArgument names the wrong key or value, or the position (from 1) and what was
  // expected there.
  static absl::StatusOr<Selector> Parse(absl::string_view text);

  // As in Kubernetes, `!=` and `notin` also match a host without the label.
  bool Matches(const Labels& labels) const;
  // Requirements sorted and spelled one way: equal for selectors that mean the same.
  const std::string& canonical() const { return canonical_; }

  friend bool operator==(const Selector& a, const Selector& b) { return a.canonical_ == b.canonical_; }

 private:
  struct Requirement {
    enum class Op { kIn, kNotIn, kExists, kNotExists };
    std::string key;
    Op op;
    std::vector<std::string> values;  // sorted, unique
  };
  friend class SelectorParser;

  std::vector<Requirement> requirements_;
  std::string canonical_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_MODEL_SELECTOR_H_
