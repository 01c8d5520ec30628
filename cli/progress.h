// Talk on standard error: a bar on a terminal, one line per change elsewhere.
#ifndef BENCHFLEET_CLI_PROGRESS_H_
#define BENCHFLEET_CLI_PROGRESS_H_

#include <cstdio>
#include <map>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "benchfleet/v1/sample.pb.h"

namespace benchfleet {

// Ownership: `out` is the caller's. Thread-safety: none.
class Progress {
 public:
  Progress(std::FILE* out, bool is_terminal, int width) : out_(out), is_terminal_(is_terminal), width_(width) {}
  ~Progress() { Clear(); }

  // A line of its own; the bar stays below it.
  void Say(absl::string_view line);
  // The same line twice in a row is said once.
  void SayOnce(const std::string& line);
  // The plan of one host's run, and the start of its rounds.
  void Plan(const std::string& host, const v1::RunPlan& plan);
  // Elsewhere than on a terminal, one line for every tenth of the rounds.
  void Rounds(const std::string& host, int done, int planned);
  // Takes the bar away.
  void Clear();

 private:
  struct Run {
    int done = 0;
    int planned = 0;
    absl::Duration expected_round;
  };
  void Draw();
  absl::Duration TimeLeft() const;

  std::FILE* const out_;
  const bool is_terminal_;
  const int width_;
  bool drawn_ = false;
  std::string last_;
  std::map<std::string, Run> runs_;  // by host
};

// "4 cases x 3 variants, 30 rounds after 1 for warm-up, schedule williams, seed 42, about
// 2m5s" and a line for each case.
std::string DescribePlan(const v1::RunPlan& plan);

}  // namespace benchfleet

#endif  // BENCHFLEET_CLI_PROGRESS_H_
