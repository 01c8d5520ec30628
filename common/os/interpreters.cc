#include "common/os/interpreters.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/os/digest.h"
#include "common/os/program_search.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kAnswerTimeout = absl::Seconds(10);
constexpr size_t kMaxAnswerBytes = 16384;
constexpr size_t kMaxCandidates = 128;
using Version = std::array<int, 3>;
constexpr Version kOldest = {3, 10, 0};

// Answers in four lines. Free-threaded builds say "t": they cannot load a module of the
// limited API.
constexpr char kQuestion[] =
    "import sys\n"
    "print(sys.implementation.name)\n"
    "print('%d.%d.%d' % sys.version_info[:3])\n"
    "print('t' if 't' in getattr(sys, 'abiflags', '') else '-')\n"
    "print(sys.executable)\n";

// What a pyenv shim needs, and the mark of our attempt.
std::vector<std::string> QuestionEnvironment() {
  std::vector<std::string> environment;
  for (const char* name : {"PATH", "HOME", "PYENV_ROOT", "PYENV_VERSION", kAttemptVariable}) {
    const std::string value = EnvironmentVariable(name);
    if (!value.empty()) environment.push_back(absl::StrCat(name, "=", value));
  }
  return environment;
}

// "python", "python3", "python3.11"
bool IsInterpreterName(absl::string_view name) {
  if (!absl::ConsumePrefix(&name, "python")) return false;
  if (name.empty() || name == "3") return true;
  return absl::ConsumePrefix(&name, "3.") && IsDigits(name);
}

// Paths to ask, in order of preference, each real file once.
class Candidates {
 public:
  void Add(const std::string& path) {
    const std::optional<std::string> real = RealExecutable(path);
    if (!real.has_value() || paths_.size() >= kMaxCandidates || !seen_.insert(*real).second) return;
    paths_.push_back(path);
  }
  void AddFolder(const std::string& folder) {
    for (const std::string& name : SortedEntries(folder)) {
      if (IsInterpreterName(name)) Add(absl::StrCat(folder, "/", name));
    }
  }
  void AddPyenv(const std::string& pyenv_root) {
    const std::string versions = absl::StrCat(pyenv_root, "/versions");
    for (const std::string& version : SortedEntries(versions)) {
      Add(absl::StrCat(versions, "/", version, "/bin/python"));
    }
  }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
  std::set<std::string> seen_;
};

std::vector<std::string> PyenvRoots() {
  std::vector<std::string> roots;
  if (const std::string root = EnvironmentVariable("PYENV_ROOT"); !root.empty()) roots.push_back(root);
  if (const std::string home = EnvironmentVariable("HOME"); !home.empty())
    roots.push_back(absl::StrCat(home, "/.pyenv"));
  return roots;
}

std::vector<std::string> FindCandidates(const std::vector<std::string>& extra) {
  Candidates candidates;
  for (const std::string& path : extra) candidates.Add(path);
  std::set<std::string> shims;
  for (const std::string& root : PyenvRoots()) {
    candidates.AddPyenv(root);
    shims.insert(absl::StrCat(root, "/shims"));
  }
  for (const std::string& folder : PathFolders()) {
    // What pyenv's shims lead to is known already, and each costs as much as ten interpreters.
    if (shims.count(folder) == 0) candidates.AddFolder(folder);
  }
  candidates.AddFolder("/usr/local/bin");
  return candidates.paths();
}

// Three numbers without signs, spaces or leading zeros.
std::optional<Version> ParseVersion(absl::string_view text) {
  const std::vector<absl::string_view> parts = absl::StrSplit(text, '.');
  Version version;
  if (parts.size() != version.size()) return std::nullopt;
  for (size_t i = 0; i < parts.size(); ++i) {
    const bool padded = parts[i].size() > 1 && parts[i][0] == '0';
    if (!IsDigits(parts[i]) || padded || parts[i].size() > 4 || !absl::SimpleAtoi(parts[i], &version[i]))
      return std::nullopt;
  }
  return version;
}

struct Found {
  Version version;
  Interpreter interpreter;
};

std::optional<Found> ParseAnswer(absl::string_view answer) {
  const std::vector<absl::string_view> lines = absl::StrSplit(answer, '\n');
  if (lines.size() != 5 || !lines[4].empty()) return std::nullopt;
  if (lines[0] != "cpython" || lines[2] != "-") return std::nullopt;
  const std::optional<Version> version = ParseVersion(lines[1]);
  if (!version.has_value() || *version < kOldest || !absl::StartsWith(lines[3], "/")) return std::nullopt;
  return Found{*version, Interpreter{std::string(lines[3]), std::string(lines[1]), ""}};
}

std::optional<Found> Ask(ProcessSpawner& spawner, const std::string& candidate) {
  Command command;
  command.argv = {candidate, "-I", "-S", "-c", kQuestion};
  command.environment = QuestionEnvironment();
  RunOptions options;
  options.timeout = kAnswerTimeout;
  options.max_output_bytes = kMaxAnswerBytes;
  const absl::StatusOr<ProcessResult> result = spawner.Run(command, options);
  if (!result.ok() || result->end.exit_code != 0) return std::nullopt;
  std::optional<Found> found = ParseAnswer(result->out);
  if (!found.has_value()) return std::nullopt;
  const std::optional<std::string> real = RealExecutable(found->interpreter.path);
  if (!real.has_value()) return std::nullopt;
  absl::StatusOr<std::string> digest = Sha256HexOfFile(*real);
  if (!digest.ok()) return std::nullopt;
  found->interpreter.path = *real;
  found->interpreter.digest = *std::move(digest);
  return found;
}

}  // namespace

std::vector<Interpreter> FindInterpreters(ProcessSpawner& spawner, const std::vector<std::string>& extra) {
  std::vector<Found> found;
  // With a shared libpython the executables of two versions may be the same bytes.
  std::set<std::pair<Version, std::string>> seen;
  for (const std::string& candidate : FindCandidates(extra)) {
    std::optional<Found> answer = Ask(spawner, candidate);
    if (!answer.has_value() || !seen.emplace(answer->version, answer->interpreter.digest).second) continue;
    found.push_back(*std::move(answer));
  }
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return std::tie(a.version, a.interpreter.path) < std::tie(b.version, b.interpreter.path);
  });
  std::vector<Interpreter> interpreters;
  for (Found& one : found) interpreters.push_back(std::move(one.interpreter));
  return interpreters;
}

}  // namespace benchfleet
