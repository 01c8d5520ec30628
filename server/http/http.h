// What a page is given and what it gives back.
#ifndef BENCHFLEET_SERVER_HTTP_HTTP_H_
#define BENCHFLEET_SERVER_HTTP_HTTP_H_

#include <functional>
#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace benchfleet {

struct HttpRequest {
  std::string path;    // decoded, without the query
  std::string accept;  // the Accept header; empty when there is none
};

struct HttpResponse {
  int code = 200;
  std::string content_type;
  std::string body;
  // What the page may load and run; empty: nothing but its own style.
  std::string content_security_policy;
};

// Called on the listener's one thread, so a slow handler delays all pages. For a HEAD
// request too; the body is then not sent.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;
// By exact path. A path that ends in '/', the root apart, takes everything below it too.
using HttpHandlers = std::map<std::string, HttpHandler>;

// The handler of a path: its own, or the one of the longest path above it. nullptr: none.
const HttpHandler* FindHandler(const HttpHandlers& handlers, absl::string_view path);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_HTTP_H_
