// One scrape: everything collected, arranged and written in the format asked for.
#ifndef BENCHFLEET_SERVER_METRICS_SCRAPE_H_
#define BENCHFLEET_SERVER_METRICS_SCRAPE_H_

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "prometheus/collectable.h"

namespace benchfleet {

struct ScrapeResult {
  std::string content_type;
  std::string body;
};

// Thread-safety: safe when the collectables are. Ownership: borrows them.
class Scraper {
 public:
  explicit Scraper(std::vector<const prometheus::Collectable*> collectables) : collectables_(std::move(collectables)) {}

  // `accept`: the request's Accept header.
  ScrapeResult Scrape(absl::string_view accept) const;

 private:
  const std::vector<const prometheus::Collectable*> collectables_;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_METRICS_SCRAPE_H_
