// Reads an exposition back, strictly, and says what is wrong with it: what promtool does
// not see (duplicates, split families, order) and what it cannot read (OpenMetrics).
#ifndef BENCHFLEET_TESTS_SERVER_METRICS_EXPOSITION_CHECKER_H_
#define BENCHFLEET_TESTS_SERVER_METRICS_EXPOSITION_CHECKER_H_

#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/metrics/exposition.h"

namespace benchfleet {

struct CheckedExposition {
  std::vector<std::string> findings;
  std::vector<std::string> families;           // as named by TYPE, in order
  std::map<std::string, std::string> samples;  // "name{labels}" as written -> value
};

CheckedExposition CheckExposition(const std::string& text, ExpositionFormat format);

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_SERVER_METRICS_EXPOSITION_CHECKER_H_
