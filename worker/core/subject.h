// The port between the method of measurement and what is measured.
#ifndef BENCHFLEET_WORKER_CORE_SUBJECT_H_
#define BENCHFLEET_WORKER_CORE_SUBJECT_H_

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "common/model/plan.h"
#include "common/model/sample.h"

namespace benchfleet {

// One case a subject can measure.
struct SubjectCase {
  std::string case_path;
  std::vector<std::string> variants;
  Key subject_key;
  // One measurement is one operation, timed once, however long it is: there is no count
  // to calibrate.
  bool whole_operation = false;
  std::optional<double> usable_cpus;  // as in CasePlan
};

// One measurement to take: condition, then `batches` timed batches of `iterations`.
struct MeasureRequest {
  Arm arm;
  int64_t iterations = 1;
  int batches = 1;
  // The arm's own work, untimed, before the first batch: at least one batch and at least this long.
  absl::Duration conditioning = absl::Milliseconds(2);
  absl::Duration timeout;
  // Bytes put into the measured process's environment, 0-4095: its stack moves with it,
  // so that one unlucky layout is not measured in every round.
  int environment_padding = 0;
};

// What a suite measures, as the method sees it. tests/fakes has the fake.
//
// Thread-safety: none; one thread measures.
class Subject {
 public:
  virtual ~Subject() = default;

  // Never empty, fixed for the subject's life.
  virtual const std::vector<SubjectCase>& cases() const = 0;
  // What shall be compared, by the suite's own rules.
  virtual std::vector<ComparisonPlan> comparisons() const = 0;
  // What the measured programs can do, found when the subject was opened. A measurement
  // that finds anything else fails.
  virtual std::vector<Capability> capabilities() const { return {}; }

  // Takes one measurement in a fresh process. Never fails as a call: what went wrong is
  // the sample's outcome. `slot` and the host are the caller's business. Ends soon after
  // `cancelled` becomes true.
  virtual Sample Measure(const MeasureRequest& request, const std::atomic<bool>& cancelled) = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_WORKER_CORE_SUBJECT_H_
