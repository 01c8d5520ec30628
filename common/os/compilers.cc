#include "common/os/compilers.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/model/compile.h"
#include "common/os/compiler_identity.h"
#include "common/os/digest.h"
#include "common/os/program_search.h"

namespace benchfleet {
namespace {

constexpr absl::Duration kAnswerTimeout = absl::Seconds(10);
constexpr size_t kMaxAnswerBytes = 65536;

std::string Machine() {
  utsname names;
  return ::uname(&names) == 0 ? names.machine : "";
}

bool Write(const std::string& path, const char* text) {
  std::ofstream file(path);
  file << text;
  file.close();
  return file.good();
}

std::string FileName(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Files to ask, in order of preference, each once.
class Candidates {
 public:
  void Add(const std::string& path) {
    std::optional<std::string> real = RealExecutable(path);
    if (!real.has_value() || IsCompilerImpostor(FileName(*real)) || paths_.size() >= kMaxCompilerCandidates) return;
    if (seen_.insert(*real).second) paths_.push_back(*std::move(real));
  }
  void AddFolder(const std::string& folder) {
    for (const std::string& name : SortedEntries(folder)) {
      if (IsCompilerName(name)) Add(absl::StrCat(folder, "/", name));
    }
  }
  const std::vector<std::string>& paths() const { return paths_; }

 private:
  std::vector<std::string> paths_;
  std::set<std::string> seen_;
};

std::vector<std::string> FindCandidates(const std::vector<std::string>& extra) {
  Candidates candidates;
  for (const std::string& path : extra) candidates.Add(path);
  for (const std::string& folder : PathFolders()) candidates.AddFolder(folder);
  candidates.AddFolder("/usr/local/bin");
  return candidates.paths();
}

// A private folder that lives as long as this object; empty when there is none.
class ScratchFolder {
 public:
  ScratchFolder() {
    const std::string parent = EnvironmentVariable("TMPDIR");
    std::string pattern = absl::StrCat(parent.empty() ? "/tmp" : parent, "/benchfleet-compilers-XXXXXX");
    if (::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Found {
  CompilerIdentity identity;
  Compiler compiler;
};

// Asks programs what they are.
class Interrogator {
 public:
  explicit Interrogator(ProcessSpawner& spawner) : spawner_(spawner), machine_(Machine()) {
    environment_ = {"LC_ALL=C", "CCACHE_DISABLE=1", absl::StrCat("HOME=", folder_.path()),
                    absl::StrCat("PATH=", EnvironmentVariable("PATH"))};
    if (const std::string attempt = EnvironmentVariable(kAttemptVariable); !attempt.empty()) {
      environment_.push_back(absl::StrCat(kAttemptVariable, "=", attempt));
    }
    ready_ = !folder_.path().empty();
    for (const CompilerQuestion& question : CompilerQuestions("")) {
      ready_ = ready_ && Write(QuestionPath(question), question.text);
    }
  }

  // False when the questions could not be written.
  bool ready() const { return ready_; }

  // nullopt: no compiler that we can use.
  std::optional<Found> Ask(const std::string& path) {
    const std::optional<ProcessResult> greeting = Run(path, {"--version"});
    if (!greeting.has_value()) return std::nullopt;
    std::optional<Found> found = AskIdentity(path, CompilerVersionText(greeting->out, greeting->err));
    if (!found.has_value() || !AddTarget(found->compiler) || !AddStages(found->compiler)) return std::nullopt;
    absl::StatusOr<std::string> digest = Sha256HexOfFile(path);
    if (!digest.ok()) return std::nullopt;
    found->compiler.digest = *std::move(digest);
    return found;
  }

 private:
  std::string QuestionPath(const CompilerQuestion& question) const {
    return absl::StrCat(folder_.path(), "/", question.file_name);
  }

  // nullopt when it gave no answer that could be used: then it is asked nothing more.
  std::optional<ProcessResult> Run(const std::string& path, std::vector<std::string> arguments) {
    Command command;
    command.argv = std::move(arguments);
    command.argv.insert(command.argv.begin(), path);
    command.environment = environment_;
    command.working_directory = folder_.path();
    RunOptions options;
    options.timeout = kAnswerTimeout;
    options.max_output_bytes = kMaxAnswerBytes;
    absl::StatusOr<ProcessResult> result = spawner_.Run(command, options);
    const bool answered = result.ok() && result->end.exit_code.has_value() && !result->output_dropped;
    return answered ? std::optional<ProcessResult>(*std::move(result)) : std::nullopt;
  }

  std::optional<Found> AskIdentity(const std::string& path, const std::string& version_text) {
    for (const CompilerQuestion& question : CompilerQuestions(FileName(path))) {
      const std::optional<ProcessResult> answer = Run(path, {"-E", QuestionPath(question)});
      if (!answer.has_value()) return std::nullopt;
      if (answer->end.exit_code != 0) continue;
      const std::optional<CompilerIdentity> identity = ParseCompilerIdentity(answer->out, version_text);
      if (!identity.has_value()) continue;
      Found found = {*identity, {}};
      found.compiler.name = std::string(compile::kCompilers[identity->rank]);
      found.compiler.version = absl::StrJoin(identity->version, ".");
      found.compiler.language = question.language;
      found.compiler.path = path;
      found.compiler.version_text = version_text;
      return found;
    }
    return std::nullopt;
  }

  // False: what it makes does not run here.
  bool AddTarget(Compiler& compiler) {
    const std::optional<ProcessResult> answer = Run(compiler.path, {"-dumpmachine"});
    if (!answer.has_value()) return false;
    if (answer->end.exit_code == 0) compiler.target = ParseCompilerTarget(answer->out);
    return IsNativeTarget(compiler.target, machine_);
  }

  bool AddStages(Compiler& compiler) {
    for (const std::string& stage : CompilerStages(compiler.name)) {
      const std::optional<ProcessResult> answer = Run(compiler.path, {absl::StrCat("-print-prog-name=", stage)});
      if (!answer.has_value()) return false;
      if (answer->end.exit_code != 0) continue;
      absl::StatusOr<std::string> digest = StageDigest(std::string(absl::StripAsciiWhitespace(answer->out)));
      if (digest.ok()) compiler.stage_digests[stage] = *std::move(digest);
    }
    return true;
  }

  // A driver that answers with a bare name starts what PATH has of it.
  static absl::StatusOr<std::string> StageDigest(const std::string& program) {
    if (absl::StartsWith(program, "/")) return Sha256HexOfFile(program);
    if (program.empty() || absl::StrContains(program, '/')) return absl::NotFoundError(program);
    for (const std::string& folder : PathFolders()) {
      const std::optional<std::string> real = RealExecutable(absl::StrCat(folder, "/", program));
      if (real.has_value()) return Sha256HexOfFile(*real);
    }
    return absl::NotFoundError(program);
  }

  ProcessSpawner& spawner_;
  const std::string machine_;
  const ScratchFolder folder_;
  std::vector<std::string> environment_;
  bool ready_ = false;
};

}  // namespace

std::vector<Compiler> FindCompilers(ProcessSpawner& spawner, const std::vector<std::string>& extra) {
  Interrogator interrogator(spawner);
  if (!interrogator.ready()) return {};
  std::vector<Found> found;
  std::set<CompilerIdentity> seen;
  for (const std::string& candidate : FindCandidates(extra)) {
    std::optional<Found> answer = interrogator.Ask(candidate);
    if (answer.has_value() && seen.insert(answer->identity).second) found.push_back(*std::move(answer));
  }
  // No two have the same identity, so paths need not be compared.
  std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) { return a.identity < b.identity; });
  std::vector<Compiler> compilers;
  for (Found& one : found) compilers.push_back(std::move(one.compiler));
  return compilers;
}

}  // namespace benchfleet
