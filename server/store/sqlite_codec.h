// Values as they stand in columns: words for states, serialised messages for the rest.
//
// Errors: what cannot be read back is kInternal and names the column.
#ifndef BENCHFLEET_SERVER_STORE_SQLITE_CODEC_H_
#define BENCHFLEET_SERVER_STORE_SQLITE_CODEC_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/model/figures.h"
#include "common/model/host.h"
#include "common/model/job_spec.h"
#include "common/model/plan.h"
#include "common/model/sample.h"
#include "common/model/selector.h"
#include "common/model/states.h"

namespace benchfleet {

// The stored `text` is not what column `column` holds.
absl::Status BadColumn(absl::string_view column, absl::string_view text);

template <typename T>
absl::StatusOr<T> KnownWord(std::optional<T> value, absl::string_view column, absl::string_view word) {
  if (!value.has_value()) return BadColumn(column, word);
  return *value;
}

absl::StatusOr<Verdict> VerdictFromColumn(const std::string& word);
absl::StatusOr<Selector> SelectorFromColumn(const std::string& text);

// JobSpecs are encoded by SerializeJobSpec() of common/wire.
absl::StatusOr<JobSpec> DecodeJobSpec(const std::string& bytes);

std::string EncodePlan(const RunPlan& plan);
absl::StatusOr<RunPlan> DecodePlan(const std::string& bytes);

std::string EncodeSample(const Sample& sample);
absl::StatusOr<Sample> DecodeSample(const std::string& bytes);

// The round without its samples.
std::string EncodeRoundHeader(const Round& round);
absl::StatusOr<Round> DecodeRoundHeader(const std::string& bytes);

std::string EncodeHostFacts(const HostFacts& facts);
absl::StatusOr<HostFacts> DecodeHostFacts(const std::string& bytes);

std::string EncodeLabels(const Labels& labels);
absl::StatusOr<Labels> DecodeLabels(const std::string& bytes);

// Every bit of every number comes back.
std::string EncodeNumbers(const std::map<std::string, double>& numbers);
absl::StatusOr<std::map<std::string, double>> DecodeNumbers(const std::string& bytes);

std::string EncodeTexts(const std::vector<std::string>& texts);
absl::StatusOr<std::vector<std::string>> DecodeTexts(const std::string& bytes);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_SQLITE_CODEC_H_
