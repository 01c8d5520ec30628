// What a page is given and what it gives back.
#ifndef BENCHFLEET_SERVER_HTTP_HTTP_H_
#define BENCHFLEET_SERVER_HTTP_HTTP_H_

#include <functional>
#include <map>
#include <string>

namespace benchfleet {

struct HttpRequest {
  std::string path;    // decoded, without the query
  std::string accept;  // the Accept header; empty when there is none
};

struct HttpResponse {
  int code = 200;
  std::string content_type;
  std::string body;
};

// Called on the listener's one thread, so a slow handler delays all pages. For a HEAD
// request too; the body is then not sent.
using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;
using HttpHandlers = std::map<std::string, HttpHandler>;  // by exact path

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_HTTP_H_
