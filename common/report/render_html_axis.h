// Axes of plots: where a value stands, and which values are named.
#ifndef BENCHFLEET_COMMON_REPORT_RENDER_HTML_AXIS_H_
#define BENCHFLEET_COMMON_REPORT_RENDER_HTML_AXIS_H_

#include <string>
#include <vector>

namespace benchfleet::html {

struct Tick {
  double value;
  std::string label;  // exact: its digits follow from the step between ticks
};

// A horizontal axis. Positions are percents of the plot's width, so that a plot can be
// stretched without its text.
class Axis {
 public:
  // From `low` to `high`, widened a little; from zero where that costs little room.
  static Axis Linear(double low, double high);
  // For ratios, 0 < low <= high; 1 is always on it.
  static Axis Log(double low, double high);

  // Values beyond the axis stand at its ends.
  double At(double value) const;
  bool Holds(double value) const { return value >= low_ && value <= high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  Axis(double low, double high, bool is_log) : low_(low), high_(high), is_log_(is_log) {}

  double low_;
  double high_;
  bool is_log_;
  std::vector<Tick> ticks_;
};

}  // namespace benchfleet::html

#endif  // BENCHFLEET_COMMON_REPORT_RENDER_HTML_AXIS_H_
