#include "tests/server/metrics/exposition_checker.h"

#include <regex>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace benchfleet {
namespace {

constexpr char kValue[] = R"((NaN|[+-]Inf|-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?))";

class Checker {
 public:
  explicit Checker(ExpositionFormat format)
      : openmetrics_(format == ExpositionFormat::kOpenMetrics),
        help_(openmetrics_ ? R"re(# HELP ([a-z0-9_]+) ((?:[^\\"]|\\[\\n"])+))re"
                           : R"re(# HELP ([a-z0-9_]+) ((?:[^\\]|\\[\\n])+))re"),
        type_(openmetrics_ ? "# TYPE ([a-z0-9_]+) (counter|gauge|histogram|summary|unknown)"
                           : "# TYPE ([a-z0-9_]+) (counter|gauge|histogram|summary|untyped)"),
        sample_(absl::StrCat(
            R"re(([a-z0-9_]+)(\{[a-z_]+="(?:[^\\"]|\\[\\n"])*"(?:,[a-z_]+="(?:[^\\"]|\\[\\n"])*")*\})? )re", kValue)) {}

  CheckedExposition Check(const std::string& text) {
    std::string body = text;
    if (body != ReplaceBadUtf8(body)) Find("bad UTF-8");
    if (openmetrics_) {
      if (!absl::EndsWith(body, "\n# EOF\n")) Find("does not end with # EOF");
      body = std::string(absl::StripSuffix(body, "# EOF\n"));
    }
    if (!absl::EndsWith(body, "\n")) Find("does not end with a newline");
    for (const absl::string_view line : absl::StrSplit(absl::StripSuffix(body, "\n"), '\n'))
      CheckLine(std::string(line));
    return std::move(result_);
  }

 private:
  void Find(const std::string& finding) { result_.findings.push_back(finding); }

  void CheckLine(const std::string& line) {
    std::smatch match;
    if (absl::StartsWith(line, "# HELP ")) {
      if (!std::regex_match(line, match, help_)) return Find("HELP: " + line);
      help_name_ = match[1];
    } else if (absl::StartsWith(line, "# TYPE ")) {
      if (!std::regex_match(line, match, type_)) return Find("TYPE: " + line);
      StartFamily(match[1], match[2], line);
    } else if (std::regex_match(line, match, sample_)) {
      CheckSample(match[1], match[2], match[3], line);
    } else {
      Find("not a line of this format: " + line);
    }
  }

  void StartFamily(const std::string& name, const std::string& type, const std::string& line) {
    if (help_name_ != name) Find("no HELP before: " + line);
    if (!result_.families.empty() && result_.families.back() >= name) Find("split or unsorted family: " + line);
    result_.families.push_back(name);
    type_of_family_ = type;
    last_labels_.clear();
  }

  void CheckSample(const std::string& name, const std::string& labels, const std::string& value,
                   const std::string& line) {
    if (result_.families.empty()) return Find("no TYPE before: " + line);
    absl::string_view suffix = name;
    if (!absl::ConsumePrefix(&suffix, result_.families.back())) return Find("outside its family: " + line);
    if (!SuffixFits(suffix)) Find("suffix does not fit the type: " + line);
    if (!result_.samples.emplace(name + labels, value).second) Find("duplicate: " + line);
    // Within a histogram the buckets are in order of their bounds, which is not text order.
    if (type_of_family_ == "histogram" || type_of_family_ == "summary") return;
    if (!last_labels_.empty() && last_labels_ >= labels) Find("unsorted series: " + line);
    last_labels_ = labels;
  }

  bool SuffixFits(absl::string_view suffix) const {
    if (type_of_family_ == "histogram") return suffix == "_bucket" || suffix == "_sum" || suffix == "_count";
    if (type_of_family_ == "summary") return suffix.empty() || suffix == "_sum" || suffix == "_count";
    if (type_of_family_ == "counter" && openmetrics_) return suffix == "_total";
    return suffix.empty();
  }

  const bool openmetrics_;
  const std::regex help_;
  const std::regex type_;
  const std::regex sample_;
  std::string help_name_;
  std::string type_of_family_;
  std::string last_labels_;
  CheckedExposition result_;
};

}  // namespace

CheckedExposition CheckExposition(const std::string& text, ExpositionFormat format) {
  return Checker(format).Check(text);
}

}  // namespace benchfleet
