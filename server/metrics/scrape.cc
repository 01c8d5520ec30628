#include "server/metrics/scrape.h"

#include <iterator>

#include "common/base/clock.h"
#include "server/metrics/exposition.h"
#include "server/metrics/metric_table.h"

namespace benchfleet {
ScrapeResult Scraper::Scrape(absl::string_view accept) const {
  const absl::Duration start = MonotonicNow();
  std::vector<prometheus::MetricFamily> families;
  for (const prometheus::Collectable* collectable : collectables_) {
    std::vector<prometheus::MetricFamily> collected = collectable->Collect();
    std::move(collected.begin(), collected.end(), std::back_inserter(families));
  }
  Exposition exposition = Arrange(std::move(families));
  const double seconds = absl::ToDoubleSeconds(MonotonicNow() - start);

  std::vector<prometheus::MetricFamily> all = std::move(exposition.families);
  all.push_back(MakeGauge("benchfleet_metrics_collect_seconds", seconds));
  all.push_back(MakeGauge("benchfleet_metrics_series", static_cast<double>(exposition.series)));
  all.push_back(MakeGauge("benchfleet_metrics_duplicate_series", static_cast<double>(exposition.duplicates_dropped)));
  const ExpositionFormat format = NegotiateFormat(accept);
  return {std::string(ContentType(format)), Serialise(Arrange(std::move(all)).families, format)};
}

}  // namespace benchfleet
