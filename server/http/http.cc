#include "server/http/http.h"

namespace benchfleet {

const HttpHandler* FindHandler(const HttpHandlers& handlers, absl::string_view path) {
  if (const auto exact = handlers.find(std::string(path)); exact != handlers.end()) return &exact->second;
  // The slash of the root is never reached, so that its page is not every page.
  for (size_t slash = path.rfind('/'); slash != absl::string_view::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    const auto above = handlers.find(std::string(path.substr(0, slash + 1)));
    if (above != handlers.end()) return &above->second;
  }
  return nullptr;
}

}  // namespace benchfleet
