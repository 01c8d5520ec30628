// Reads the reference results of tests/golden; JSON is a subset of YAML.
#ifndef BENCHFLEET_TESTS_COMMON_STATS_GOLDEN_H_
#define BENCHFLEET_TESTS_COMMON_STATS_GOLDEN_H_

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace benchfleet {

inline constexpr double kGoldenTolerance = 1e-9;
inline constexpr double kGoldenTableTolerance = 1e-12;

inline YAML::Node Golden(const std::string& file) {
  return YAML::LoadFile(BENCHFLEET_SOURCE_DIR "/tests/golden/" + file);
}

inline std::vector<double> Doubles(const YAML::Node& node) { return node.as<std::vector<double>>(); }

// The absolute error that `relative` allows at `expected`.
inline double Allowed(double expected, double relative) { return std::abs(expected) * relative; }

}  // namespace benchfleet

#endif  // BENCHFLEET_TESTS_COMMON_STATS_GOLDEN_H_
