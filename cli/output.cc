#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "cli/exit_codes.h"
#include "common/base/error.h"
#include "common/base/status_macros.h"
#include "common/os/file.h"
#include "common/report/text_format.h"
#include "common/wire/text_wire.h"

namespace benchfleet {
namespace {

constexpr int kMinWidth = 40;
constexpr int kMaxWidth = 200;

struct FormatName {
  absl::string_view name;
  OutputFormat format;
};
constexpr std::array<FormatName, 5> kFormats = {{{"text", OutputFormat::kText},
                                                 {"json", OutputFormat::kJson},
                                                 {"csv", OutputFormat::kCsv},
                                                 {"markdown", OutputFormat::kMarkdown},
                                                 {"html", OutputFormat::kHtml}}};

bool IsSet(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

int Width(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return RenderOptions().width;
  return std::clamp<int>(size.ws_col, kMinWidth, kMaxWidth);
}

bool IsDumb() {
  const char* term = std::getenv("TERM");
  return term != nullptr && absl::string_view(term) == "dumb";
}

std::string Render(const v1::Report& report, OutputFormat format, const RenderOptions& options) {
  switch (format) {
    case OutputFormat::kText:
      return RenderText(report, options);
    case OutputFormat::kJson:
      return RenderJson(report);
    case OutputFormat::kCsv:
      return RenderCsv(report);
    case OutputFormat::kMarkdown:
      return RenderMarkdown(report);
    case OutputFormat::kHtml:
      return RenderHtml(report);
  }
  return "";
}

// `name` is what the user calls the file.
absl::Status WriteAll(const std::string& path, const std::string& text, const std::string& name) {
  std::FILE* const file = std::fopen(path.c_str(), "we");
  if (file == nullptr) return ErrnoStatus(errno, absl::StrCat("open ", name));
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
  const int error = errno;
  // Some file systems tell only now that there was no space.
  const bool closed = std::fclose(file) == 0;
  if (!written || !closed) return ErrnoStatus(written ? errno : error, absl::StrCat("write ", name));
  return absl::OkStatus();
}

absl::Status WriteReport(const std::string& path, const std::string& text) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return WriteAll(path, text, path);
  // Beside the file that a link leads to, so that the link stays.
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  const std::string final_path = error ? path : target.string();
  const std::string new_path = absl::StrCat(final_path, ".", ::getpid(), ".new");
  if (absl::Status written = WriteAll(new_path, text, path); !written.ok()) {
    ::unlink(new_path.c_str());
    return written;
  }
  if (::rename(new_path.c_str(), final_path.c_str()) == 0) return absl::OkStatus();
  const absl::Status renamed = ErrnoStatus(errno, absl::StrCat("write ", path));
  ::unlink(new_path.c_str());
  return renamed;
}

}  // namespace

std::optional<OutputFormat> OutputFormatFromWord(absl::string_view word) {
  for (const auto& [name, format] : kFormats) {
    if (name == word) return format;
  }
  return std::nullopt;
}

absl::StatusOr<ReportFile> ParseReportFile(const std::string& text) {
  const size_t equals = text.find('=');
  const std::optional<OutputFormat> format = OutputFormatFromWord(text.substr(0, equals));
  if (equals == std::string::npos || equals + 1 == text.size() || !format.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--report: must be FORMAT=PATH with FORMAT text, json, csv, markdown or html, is ", Quoted(text)));
  }
  return ReportFile{*format, text.substr(equals + 1)};
}

bool NeedRoundValues(const std::vector<ReportFile>& files) {
  return std::any_of(files.begin(), files.end(),
                     [](const ReportFile& file) { return file.format == OutputFormat::kHtml; });
}

RenderOptions StdoutOptions() {
  return {.color = ::isatty(STDOUT_FILENO) != 0 && !IsSet("NO_COLOR") && !IsDumb(), .width = Width(STDOUT_FILENO)};
}

Progress StderrProgress() { return Progress(stderr, ::isatty(STDERR_FILENO) != 0 && !IsDumb(), Width(STDERR_FILENO)); }

void Print(absl::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

int PrintError(const absl::Status& status) {
  const auto violations = FieldViolationsOf(status);
  if (violations.empty()) {
    std::fprintf(stderr, "benchfleet: %s\n", Printable(status.message()).c_str());
  } else {
    std::fprintf(stderr, "benchfleet: the request is invalid:\n");
  }
  for (const FieldViolation& violation : violations) {
    std::fprintf(stderr, "  %s: %s\n", Printable(violation.field).c_str(), Printable(violation.description).c_str());
  }
  return ExitCodeOf(status);
}

absl::Status PrintReport(const v1::Report& report, OutputFormat format, const std::vector<ReportFile>& files) {
  for (const ReportFile& file : files) {
    BF_RETURN_IF_ERROR(WriteReport(file.path, Render(report, file.format, RenderOptions())));
  }
  Print(Render(report, format, StdoutOptions()));
  return absl::OkStatus();
}

}  // namespace benchfleet
