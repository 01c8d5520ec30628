// Strong identifiers: two kinds of id never mix, and a plain string is not an id.
#ifndef BENCHFLEET_COMMON_BASE_ID_H_
#define BENCHFLEET_COMMON_BASE_ID_H_

#include <ostream>
#include <string>
#include <utility>

namespace benchfleet {

template <typename Tag>
class Id {
 public:
  Id() = default;
  explicit Id(std::string value) : value_(std::move(value)) {}

  const std::string& value() const { return value_; }
  bool empty() const { return value_.empty(); }

  friend bool operator==(const Id&, const Id&) = default;
  friend auto operator<=>(const Id&, const Id&) = default;
  template <typename H>
  friend H AbslHashValue(H h, const Id& id) {
    return H::combine(std::move(h), id.value_);
  }
  friend std::ostream& operator<<(std::ostream& out, const Id& id) { return out << id.value_; }

 private:
  std::string value_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_BASE_ID_H_
