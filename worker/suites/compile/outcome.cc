#include "worker/suites/compile/outcome.h"

#include <signal.h>

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "absl/types/span.h"

namespace benchfleet {

namespace {

// What a shell, and some drivers, add to the number of the signal that ended their program.
constexpr int kShellSignalBase = 128;

// Signals by which a program ends itself.
constexpr int kCrashSignals[] = {SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGSYS, SIGTRAP};
// Signals by which somebody else, or a limit, ends it.
constexpr int kKillSignals[] = {SIGKILL, SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGXCPU, SIGXFSZ, SIGALRM, SIGPIPE};

// The same signals as strsignal() names them: drivers tell how their stages ended.
constexpr absl::string_view kKillWords[] = {"Killed",      "Terminated",  "Interrupt",
                                            "Quit",        "Hangup",      "CPU time limit exceeded",
                                            "Alarm clock", "Broken pipe", "File size limit exceeded"};

// The kernel's reasons that no source can be the cause of.
constexpr absl::string_view kHostErrors[] = {"Resource temporarily unavailable",
                                             "Cannot allocate memory",
                                             "No space left on device",
                                             "Disk quota exceeded",
                                             "Too many open files",
                                             "Too many open files in system",
                                             "Read-only file system",
                                             "Input/output error",
                                             "Stale file handle",
                                             "Text file busy"};

// How drivers, linkers and the loader say that the host failed them, whatever the reason.
constexpr absl::string_view kHostPhrases[] = {
    "fatal error: cannot execute '",           // gcc
    "fatal error: cannot find 'ld'",           // collect2
    "fatal error: execv",                      // collect2, of its linker
    "unable to execute command: posix_spawn",  // clang, flang
    "unable to execute command: Executable \"",
    "unable to make temporary file",
    "error while loading shared libraries",
    "unable to open output file",  // clang, flang
    "cannot open output file",     // ld
    "Fatal error: can't create ",  // as
    "virtual memory exhausted",
    ": out of memory",          // gcc's stages, "LLVM ERROR: out of memory"
    "out of file descriptors",  // ld
    "memory exhausted",
    "error: could not write '",  // tcc
};

constexpr absl::string_view kCrashPhrases[] = {
    "PLEASE submit a bug report",
    "LLVM ERROR: ",
    "failed due to signal",
    "unable to execute command: ",
    "frontend command failed with exit code",
    " TERMINATED by signal ",  // NVIDIA's drivers
    ": core dumped",           // Intel's
    "fatal error: error in backend: ",
};

bool Has(absl::Span<const int> signals, int signal) {
  return std::find(signals.begin(), signals.end(), signal) != signals.end();
}

CompileOutcome BySignal(int signal) {
  return Has(kCrashSignals, signal) ? CompileOutcome::kCrashed : CompileOutcome::kKilled;
}

// A diagnostic at a place of a source, and not a driver's own word. What it quotes of the
// source proves nothing.
bool SpeaksOfSource(absl::string_view line) {
  // "file.c:1:2: error: ..."; a driver's line begins with its bare name.
  const size_t end = line.find(": ");
  if (end == absl::string_view::npos) return false;
  const absl::string_view place = line.substr(0, end);
  const size_t colon = place.rfind(':');
  return colon != absl::string_view::npos && colon + 1 < place.size() && absl::ascii_isdigit(place[colon + 1]);
}

// "    3 | int main(void)": gcc shows the source, and where in it.
bool QuotesSource(absl::string_view line) {
  const absl::string_view margin = line.substr(0, line.find('|'));
  return margin.size() < line.size() &&
         std::all_of(margin.begin(), margin.end(), [](char c) { return c == ' ' || absl::ascii_isdigit(c); });
}

// Whether the line ends with one of the kernel's reasons, as every message with an errno does.
bool EndsWithHostError(absl::string_view line) {
  line = absl::StripSuffix(line, "'");  // clang and as quote it
  return std::any_of(std::begin(kHostErrors), std::end(kHostErrors), [line](absl::string_view reason) {
    absl::string_view rest = line;
    return absl::ConsumeSuffix(&rest, reason) && (absl::EndsWith(rest, ": ") || absl::EndsWith(rest, ": '"));
  });
}

bool HasPhrase(absl::string_view line, absl::Span<const absl::string_view> phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [line](absl::string_view phrase) { return absl::StrContains(line, phrase); });
}

// gcc:      "gcc: fatal error: Killed signal terminated program cc1"
// collect2: "collect2: fatal error: ld terminated with signal 9 [Killed]"
// clang:    "clang: error: unable to execute command: Killed"
bool TellsOfKill(absl::string_view line) {
  // NVIDIA's and Intel's drivers.
  for (const absl::string_view words : {" TERMINATED by signal 9", ", terminated by kill signal"}) {
    if (absl::EndsWith(line, words)) return true;
  }
  return std::any_of(std::begin(kKillWords), std::end(kKillWords), [line](absl::string_view word) {
    for (const absl::string_view lead : {"fatal error: ", "internal compiler error: ", "unable to execute command: "}) {
      const size_t at = line.find(lead);
      if (at == absl::string_view::npos) continue;
      absl::string_view rest = line.substr(at + lead.size());
      if (!absl::ConsumePrefix(&rest, word)) continue;
      // Before gcc 10: "Killed (program cc1)".
      if (rest.empty() || absl::StartsWith(rest, " signal terminated ") || absl::StartsWith(rest, " (program ")) {
        return true;
      }
    }
    return absl::StrContains(line, " terminated with signal ") && absl::StrContains(line, absl::StrCat("[", word, "]"));
  });
}

bool TellsOfCrash(absl::string_view line) {
  return absl::StrContains(line, "internal compiler error: ") || absl::StrContains(line, " terminated with signal ") ||
         HasPhrase(line, kCrashPhrases);
}

// What a log says, by the strongest of its lines.
struct Evidence {
  bool host = false;
  bool killed = false;
  bool not_implemented = false;  // flang refuses so what it can read but not translate, then ends itself
  bool crashed = false;
};

void Weigh(absl::string_view line, Evidence* evidence) {
  if (QuotesSource(line)) return;
  if (SpeaksOfSource(line)) {
    // Of what stands at a place, only that the compiler failed there, or could not write.
    const absl::string_view text = line.substr(line.find(": ") + 2);
    evidence->crashed |= absl::StartsWith(text, "internal compiler error: ");
    evidence->host |= absl::StartsWith(absl::AsciiStrToLower(text), "fatal error: ") && EndsWithHostError(line);
    evidence->host |= absl::StartsWith(text, "error: memory full");  // tcc
    return;
  }
  evidence->host |= EndsWithHostError(line) || HasPhrase(line, kHostPhrases);
  evidence->killed |= TellsOfKill(line);
  evidence->not_implemented |= absl::StrContains(line, "not yet implemented: ");
  evidence->crashed |= TellsOfCrash(line);
}

// Of a program that ended by itself, and not with success.
CompileOutcome ByWords(int exit_code, absl::string_view log) {
  Evidence evidence;
  for (const absl::string_view line : absl::StrSplit(log, '\n')) Weigh(absl::StripAsciiWhitespace(line), &evidence);
  if (evidence.host) return CompileOutcome::kInfrastructure;
  if (evidence.killed) return CompileOutcome::kKilled;
  if (evidence.not_implemented) return CompileOutcome::kRefused;
  if (evidence.crashed) return CompileOutcome::kCrashed;
  const int signal = exit_code - kShellSignalBase;
  if (Has(kCrashSignals, signal) || Has(kKillSignals, signal)) return BySignal(signal);
  // Who refuses says why; on a full disk nothing arrives in the log.
  return absl::StripAsciiWhitespace(log).empty() ? CompileOutcome::kInfrastructure : CompileOutcome::kRefused;
}

}  // namespace

CompileOutcome JudgeCompile(const CompileEnd& end) {
  if (end.launch_errno.has_value()) return CompileOutcome::kInfrastructure;
  if (!end.status.has_value()) return CompileOutcome::kTimeout;
  if (*end.status < 0) return BySignal(-*end.status);
  if (*end.status != 0) return ByWords(*end.status, end.log);
  return end.has_output ? CompileOutcome::kAccepted : CompileOutcome::kInfrastructure;
}

std::string TellingLine(absl::string_view log) {
  absl::string_view last, last_error;
  for (const absl::string_view line : absl::StrSplit(log, '\n')) {
    const absl::string_view text = absl::StripAsciiWhitespace(line);
    if (text.empty()) continue;
    last = text;
    if (absl::StrContains(absl::AsciiStrToLower(text), "error")) last_error = text;
  }
  return std::string(last_error.empty() ? last : last_error);
}

}  // namespace benchfleet
