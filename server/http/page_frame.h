// What the small pages look like.
#ifndef BENCHFLEET_SERVER_HTTP_PAGE_FRAME_H_
#define BENCHFLEET_SERVER_HTTP_PAGE_FRAME_H_

#include <string>

#include "absl/strings/string_view.h"
#include "server/http/http.h"

namespace benchfleet {

inline constexpr char kHtmlContentType[] = "text/html; charset=utf-8";

// Text from elsewhere, for the content of an element or a quoted attribute.
std::string HtmlEscape(absl::string_view text);

// A page with a style of its own and nothing to load. `title` is text, `body` is HTML.
HttpResponse FramedPage(int code, absl::string_view title, absl::string_view body);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_HTTP_PAGE_FRAME_H_
