#include "worker/suites/compile/pass_records.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"

namespace benchfleet {

namespace {

size_t FileBytes(int compiles) { return sizeof(PassHeader) + static_cast<size_t>(compiles) * sizeof(PassRecord); }

absl::Status CheckTimes(const PassRecord& record, size_t compile) {
  const auto lacking = [compile](absl::string_view what) {
    return absl::DataLossError(absl::StrCat("compile ", compile, " has no ", what));
  };
  if (record.launch_ns == kUnset || record.launched_ns == kUnset) return lacking("launch");
  if (record.end_ns == kUnset) return lacking("end");
  if (record.status == kUnset && record.launch_errno == kUnset) return lacking("status");
  if (record.launched_ns < record.launch_ns || record.end_ns < record.launched_ns) {
    return absl::DataLossError(absl::StrCat("compile ", compile, " has times that run backwards"));
  }
  return absl::OkStatus();
}

// The header's number, or the sum of the records'; nullopt when neither was given.
std::optional<int64_t> HeaderOrSum(int64_t header, const std::vector<PassRecord>& timed, int64_t PassRecord::*member) {
  if (header != kUnset) return header;
  int64_t sum = 0;
  for (const PassRecord& record : timed) {
    if (record.*member == kUnset) return std::nullopt;
    sum += record.*member;
  }
  return sum;
}

int64_t Median(std::vector<int64_t> values) {
  std::sort(values.begin(), values.end());
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

int Peak(const std::vector<PassRecord>& timed) {
  std::vector<std::pair<int64_t, int>> changes;
  for (const PassRecord& record : timed) {
    if (record.launch_errno != kUnset) continue;
    changes.emplace_back(record.launch_ns, 1);
    changes.emplace_back(record.end_ns, -1);
  }
  // At one time the ends come first: what was launched then was launched after them.
  std::sort(changes.begin(), changes.end());
  int alive = 0, peak = 0;
  for (const auto& [time, change] : changes) peak = std::max(peak, alive += change);
  return peak;
}

}  // namespace

std::string UnsetRecords(int compiles) {
  std::string data(FileBytes(compiles), '\0');
  for (size_t at = 0; at < data.size(); at += sizeof kUnset) std::memcpy(data.data() + at, &kUnset, sizeof kUnset);
  return data;
}

absl::StatusOr<PassRecords> ParseRecords(absl::string_view data, int compiles) {
  if (data.size() != FileBytes(compiles)) {
    return absl::DataLossError(absl::StrCat("records: has ", data.size(), " bytes, not ", FileBytes(compiles)));
  }
  PassRecords records;
  records.compiles.resize(static_cast<size_t>(compiles));
  std::memcpy(&records.header, data.data(), sizeof(PassHeader));
  std::memcpy(records.compiles.data(), data.data() + sizeof(PassHeader), data.size() - sizeof(PassHeader));
  return records;
}

absl::StatusOr<PassFigures> FiguresOf(const PassRecords& records) {
  if (records.compiles.size() < 2) return absl::DataLossError("no compile was timed");
  for (size_t i = 0; i < records.compiles.size(); ++i) BF_RETURN_IF_ERROR(CheckTimes(records.compiles[i], i));
  const std::vector<PassRecord> timed(records.compiles.begin() + 1, records.compiles.end());
  const std::optional<int64_t> children = HeaderOrSum(records.header.children_cpu_ns, timed, &PassRecord::cpu_ns);
  if (!children.has_value()) return absl::DataLossError("the CPU time of the compiles was not given");
  const std::optional<int64_t> own = HeaderOrSum(records.header.own_cpu_ns, timed, &PassRecord::helper_cpu_ns);
  if (!own.has_value()) return absl::DataLossError("the CPU time of the strategy was not given");

  PassFigures figures;
  figures.cpu_ns = *children + *own;
  figures.overhead_ns = *own;
  int64_t first = timed[0].launch_ns, last = timed[0].end_ns;
  std::vector<int64_t> launches;
  for (const PassRecord& record : timed) {
    first = std::min(first, record.launch_ns);
    last = std::max(last, record.end_ns);
    launches.push_back(record.launched_ns - record.launch_ns);
    figures.longest_ns = std::max(figures.longest_ns, record.end_ns - record.launch_ns);
  }
  figures.wall_ns = last - first;
  figures.launch_ns = Median(std::move(launches));
  figures.peak = Peak(timed);
  return figures;
}

}  // namespace benchfleet
