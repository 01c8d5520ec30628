// The tables of a run's figures. Raw text: who writes them makes it safe.
#ifndef BENCHFLEET_COMMON_REPORT_FIGURE_TABLES_H_
#define BENCHFLEET_COMMON_REPORT_FIGURE_TABLES_H_

#include <string>
#include <vector>

#include "common/report/grid.h"
#include "common/report/run_results.h"

namespace benchfleet {

// Median, least and greatest round. One table with cases as rows, variants as columns and
// a unit per row; of a matrix, one table per setting with one unit, wall time only.
std::vector<Grid> MedianGrids(const RunResults& results);

// What explains the medians: counters that differ between the variants of a case; of a
// matrix, one table per case with the measures other than wall time as well.
std::vector<Grid> ReasonGrids(const RunResults& results);

// What the columns of a matrix's reasons mean: "cpu: ...; overhead: ..."; else empty.
std::string ReasonLegend(const RunResults& results);

// The ratios: one table; of a matrix, one per case with the contenders as rows and the
// bases as columns, then one with those between cases.
std::vector<Grid> ComparisonGrids(const RunResults& results);

// Notes that every comparison has, so that they are said once: "too few rounds".
std::string NotesOfAll(const RunResults& results);

// What the ratios are ratios of: "times", or the measure; empty where they differ. There
// is at least one comparison.
std::string ComparedThing(const RunResults& results);

}  // namespace benchfleet

#endif  // BENCHFLEET_COMMON_REPORT_FIGURE_TABLES_H_
