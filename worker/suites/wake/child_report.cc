#include "worker/suites/wake/child_report.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <cmath>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"

namespace benchfleet {

namespace {

using google::protobuf::Struct;
using google::protobuf::Value;

absl::Status Wrong(absl::string_view field, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("the measured process's answer: ", field, " ", what));
}

absl::StatusOr<int64_t> ParseInteger(absl::string_view field, const Value& value, int64_t low) {
  // JSON numbers are doubles: exact up to 2^53, which is 104 days in nanoseconds.
  constexpr double kMaxExact = 9007199254740992.0;
  if (value.kind_case() != Value::kNumberValue) return Wrong(field, "is not a number");
  const double number = value.number_value();
  if (!(number >= static_cast<double>(low) && number < kMaxExact) || number != std::floor(number)) {
    return Wrong(field, absl::StrCat("must be an integer of at least ", low, ", is ", number));
  }
  return static_cast<int64_t>(number);
}

absl::StatusOr<std::vector<int64_t>> ParseTimes(const Value& value) {
  if (value.kind_case() != Value::kListValue) return Wrong("batch_ns", "is not a list");
  std::vector<int64_t> times;
  for (const Value& element : value.list_value().values()) {
    const std::string field = absl::StrCat("batch_ns[", times.size(), "]");
    BF_ASSIGN_OR_RETURN(const int64_t time_ns, ParseInteger(field, element, 1));
    times.push_back(time_ns);
  }
  return times;
}

absl::StatusOr<std::map<std::string, int64_t>> ParseCounters(const Value& value) {
  if (value.kind_case() != Value::kStructValue) return Wrong("counters", "is not an object");
  std::map<std::string, int64_t> counters;
  for (const auto& [name, count] : value.struct_value().fields()) {
    BF_ASSIGN_OR_RETURN(counters[name], ParseInteger(absl::StrCat("counters.", name), count, 0));
  }
  return counters;
}

}  // namespace

absl::StatusOr<ChildReport> ParseChildReport(absl::string_view text) {
  if (text.size() > kMaxChildReportBytes) {
    return Wrong("all of it", absl::StrCat("is ", text.size(), " bytes long, at most ", kMaxChildReportBytes));
  }
  Struct object;
  const auto parsed = google::protobuf::util::JsonStringToMessage({text.data(), text.size()}, &object);
  if (!parsed.ok()) return Wrong("all of it", absl::StrCat("is not a JSON object: ", parsed.ToString()));

  ChildReport report;
  const auto& fields = object.fields();
  for (const auto& [name, value] : fields) {
    if (name != "batch_ns" && name != "iterations" && name != "counters") return Wrong(name, "is not known");
  }
  for (const char* name : {"batch_ns", "iterations", "counters"}) {
    if (fields.find(name) == fields.end()) return Wrong(name, "is missing");
  }
  BF_ASSIGN_OR_RETURN(report.batch_ns, ParseTimes(fields.at("batch_ns")));
  BF_ASSIGN_OR_RETURN(report.iterations, ParseInteger("iterations", fields.at("iterations"), 1));
  BF_ASSIGN_OR_RETURN(report.counters, ParseCounters(fields.at("counters")));
  return report;
}

}  // namespace benchfleet
