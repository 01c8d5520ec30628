#include "server/metrics/process_metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "common/os/unique_fd.h"
#include "server/metrics/metric_table.h"

namespace benchfleet {
namespace {

using prometheus::MetricFamily;

constexpr size_t kMaxProcFileBytes = 1 << 20;  // /proc/stat has a line per CPU and a long one of interrupts

// The file's text; empty when it cannot be read. Files of /proc have no size to ask for.
std::string ReadProcFile(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  char buffer[4096];
  while (fd.valid() && text.size() < kMaxProcFileBytes) {
    const ssize_t count = ::read(fd.get(), buffer, sizeof(buffer));
    if (count <= 0) break;
    text.append(buffer, static_cast<size_t>(count));
  }
  return text;
}

std::optional<double> Number(absl::string_view text) {
  double value = 0;
  if (!absl::SimpleAtod(text, &value)) return std::nullopt;
  return value;
}

// The words after the one that starts a line with `key`; empty when no line does.
std::vector<absl::string_view> WordsOfLine(absl::string_view text, absl::string_view key) {
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (absl::ConsumePrefix(&line, key)) return absl::StrSplit(line, ' ', absl::SkipEmpty());
  }
  return {};
}

// Fields of /proc/PID/stat from number 3 on: the second is the program's name in
// parentheses, and may itself hold spaces and parentheses.
class ProcessStat {
 public:
  explicit ProcessStat(absl::string_view text) {
    const size_t end_of_name = text.rfind(')');
    if (end_of_name == absl::string_view::npos) return;
    fields_ = absl::StrSplit(text.substr(end_of_name + 1), absl::ByAnyChar(" \n"), absl::SkipEmpty());
  }
  // `number` is the one in proc(5).
  std::optional<double> Field(size_t number) const {
    const size_t index = number - 3;
    return index < fields_.size() ? Number(fields_[index]) : std::nullopt;
  }

 private:
  std::vector<std::string> fields_;
};

std::optional<double> CountEntries(const std::string& folder) {
  std::error_code error;
  double count = 0;
  std::filesystem::directory_iterator it(folder, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) ++count;
  if (error) return std::nullopt;
  return count;
}

void AddIfKnown(absl::string_view name, std::optional<double> value, std::vector<MetricFamily>& out) {
  if (!value) return;
  out.push_back(MakeFamily(name));
  AddSeries(out.back(), {}, *value);
}

void AddStat(const std::string& proc, std::vector<MetricFamily>& out) {
  const double ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
  const double page_bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  const ProcessStat stat(ReadProcFile(proc + "/self/stat"));
  const auto field = [&](size_t number, double scale) {
    std::optional<double> value = stat.Field(number);
    if (value) *value *= scale;
    return value;
  };
  std::optional<double> cpu = field(14, 1 / ticks);
  const std::optional<double> system = field(15, 1 / ticks);
  if (cpu && system) *cpu += *system;
  AddIfKnown("process_cpu_seconds_total", cpu, out);
  AddIfKnown("process_threads", field(20, 1), out);
  AddIfKnown("process_virtual_memory_bytes", field(23, 1), out);
  AddIfKnown("process_resident_memory_bytes", field(24, page_bytes), out);

  const std::string system_stat = ReadProcFile(proc + "/stat");
  const std::vector<absl::string_view> boot = WordsOfLine(system_stat, "btime ");
  std::optional<double> start = field(22, 1 / ticks);
  const std::optional<double> boot_time = boot.empty() ? std::nullopt : Number(boot[0]);
  if (start && boot_time) AddIfKnown("process_start_time_seconds", *start + *boot_time, out);
}

void AddDescriptors(const std::string& proc, std::vector<MetricFamily>& out) {
  AddIfKnown("process_open_fds", CountEntries(proc + "/self/fd"), out);
  const std::string limits = ReadProcFile(proc + "/self/limits");
  const std::vector<absl::string_view> words = WordsOfLine(limits, "Max open files ");
  AddIfKnown("process_max_fds", words.empty() ? std::nullopt : Number(words[0]), out);
}

}  // namespace

std::vector<MetricFamily> ProcessCollector::Collect() const {
  std::vector<MetricFamily> collected;
  collected.push_back(MakeFamily("benchfleet_build_info"));
  AddSeries(collected.back(),
            {{"version", build_.version},
             {"revision", build_.revision},
             {"compiler", build_.compiler},
             {"grpc", build_.grpc}},
            1);
  AddStat(proc_, collected);
  AddDescriptors(proc_, collected);
  return collected;
}

}  // namespace benchfleet
