#include "cli/progress.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/report/text_format.h"
#include "common/wire/states_wire.h"
#include "common/wire/time_wire.h"

namespace benchfleet {
namespace {

constexpr int kBarCells = 24;

std::string RoundedDuration(absl::Duration duration) {
  return absl::FormatDuration(absl::Ceil(duration, absl::Seconds(1)));
}

absl::Duration ExpectedRound(const v1::RunPlan& plan) {
  return ParseDuration(plan.expected_round()).value_or(absl::ZeroDuration());
}

std::string CountOf(int count, absl::string_view noun) { return absl::StrCat(count, " ", noun, count == 1 ? "" : "s"); }

}  // namespace

std::string DescribePlan(const v1::RunPlan& plan) {
  std::set<std::string> variants;
  for (const v1::CasePlan& c : plan.cases()) variants.insert(c.variants().begin(), c.variants().end());
  const absl::StatusOr<Schedule> schedule = ParseSchedule(plan.schedule());
  std::string text =
      absl::StrCat(CountOf(plan.cases_size(), "case"), " x ", CountOf(static_cast<int>(variants.size()), "variant"),
                   ", ", CountOf(plan.rounds(), "round"), " after ", plan.warmup_rounds(), " for warm-up, schedule ",
                   schedule.ok() ? Word(*schedule) : "unknown", ", seed ", plan.seed(), ", about ",
                   RoundedDuration(ExpectedRound(plan) * (plan.rounds() + plan.warmup_rounds())));
  for (const v1::CasePlan& c : plan.cases()) {
    absl::StrAppend(&text, "\n  ", Printable(c.case_()), ": ", Printable(absl::StrJoin(c.variants(), ", ")));
  }
  return text;
}

void Progress::Say(absl::string_view line) {
  Clear();
  for (absl::string_view part : absl::StrSplit(line, '\n')) std::fprintf(out_, "%s\n", Printable(part).c_str());
  std::fflush(out_);
  Draw();
}

void Progress::SayOnce(const std::string& line) {
  if (line.empty() || line == last_) return;
  last_ = line;
  Say(line);
}

void Progress::Plan(const std::string& host, const v1::RunPlan& plan) {
  runs_[host] = {0, plan.rounds() + plan.warmup_rounds(), ExpectedRound(plan)};
  Say(absl::StrCat(host, ": plan: ", DescribePlan(plan)));
}

void Progress::Rounds(const std::string& host, int done, int planned) {
  Run& run = runs_[host];
  const int before = std::exchange(run.done, done);
  run.planned = planned;
  if (is_terminal_) {
    Clear();
    Draw();
  } else if (planned > 0 && done > before && (done == planned || done * 10 / planned > before * 10 / planned)) {
    const absl::Duration left = TimeLeft();
    Say(absl::StrCat(host, ": round ", done, " of ", planned,
                     left > absl::ZeroDuration() ? absl::StrCat(", about ", RoundedDuration(left), " left") : ""));
  }
}

absl::Duration Progress::TimeLeft() const {
  absl::Duration left;
  for (const auto& [host, run] : runs_) left = std::max(left, run.expected_round * std::max(0, run.planned - run.done));
  return left;
}

void Progress::Draw() {
  if (!is_terminal_) return;
  int done = 0, planned = 0;
  for (const auto& [host, run] : runs_) {
    done += run.done;
    planned += run.planned;
  }
  if (planned == 0 || done >= planned) return;
  const int cells = done * kBarCells / planned;
  const std::string bar = absl::StrCat("[", std::string(cells, '#'), std::string(kBarCells - cells, '.'), "] ", done,
                                       "/", planned, " rounds, about ", RoundedDuration(TimeLeft()), " left");
  std::fprintf(out_, "%s", bar.substr(0, std::max(1, width_ - 1)).c_str());
  std::fflush(out_);
  drawn_ = true;
}

void Progress::Clear() {
  if (!std::exchange(drawn_, false)) return;
  std::fprintf(out_, "\r\x1b[K");
  std::fflush(out_);
}

}  // namespace benchfleet
