// The pages every coordinator has.
#ifndef BENCHFLEET_SERVER_HTTP_PAGES_H_
#define BENCHFLEET_SERVER_HTTP_PAGES_H_

#include <functional>

#include "absl/status/status.h"
#include "server/http/http.h"
#include "server/http/report_source.h"
#include "server/metrics/build_info.h"
#include "server/metrics/scrape.h"

namespace benchfleet {

struct PageOptions {
  BuildInfo build;
  // OK when requests can be served, else the reason they cannot. Thread-safe and quick.
  std::function<absl::Status()> ready;
  const Scraper* scraper = nullptr;  // borrowed, as the next; must outlive the listener
  ReportSource* reports = nullptr;
};

// "/": the newest jobs and links to the others · "/jobs/<id>": a job's report · "/healthz": 200 while the process lives
// · "/readyz": 200, or 503 with the reason · "/version": JSON · "/metrics": for Prometheus.
HttpHandlers StandardPages(PageOptions options);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_PAGES_H_
