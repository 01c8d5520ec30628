#include "cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>

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
  return format == OutputFormat::kJson ? RenderJson(report) : RenderText(report, options);
}

absl::Status WriteReport(const std::string& path, const std::string& text) {
  struct Closer {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "we"));
  if (file == nullptr) return ErrnoStatus(errno, absl::StrCat("open ", path));
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0) {
    return ErrnoStatus(errno, absl::StrCat("write ", path));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ReportFile> ParseReportFile(const std::string& text) {
  const size_t equals = text.find('=');
  const std::string format = text.substr(0, equals);
  if (equals == std::string::npos || equals + 1 == text.size() || (format != "text" && format != "json")) {
    return absl::InvalidArgumentError(absl::StrCat("--report: must be text=PATH or json=PATH, is ", Quoted(text)));
  }
  return ReportFile{format == "json" ? OutputFormat::kJson : OutputFormat::kText, text.substr(equals + 1)};
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
