#include "server/http/http_listener.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/http/gzip.h"
#include "tests/server/http/http_client.h"

namespace benchfleet {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

HttpHandlers TestPages() {
  HttpHandlers pages;
  pages["/"] = [](const HttpRequest&) { return HttpResponse{200, "text/html", "home"}; };
  pages["/echo"] = [](const HttpRequest& request) {
    return HttpResponse{200, "text/plain", request.path + "|" + request.accept};
  };
  pages["/tree/"] = [](const HttpRequest& request) {
    return HttpResponse{.code = 200,
                        .content_type = "text/plain",
                        .body = "tree|" + request.path,
                        .content_security_policy = "default-src 'self'"};
  };
  pages["/tree/branch/"] = [](const HttpRequest&) { return HttpResponse{200, "text/plain", "branch"}; };
  pages["/busy"] = [](const HttpRequest&) { return HttpResponse{503, "text/plain", "later"}; };
  pages["/throws"] = [](const HttpRequest&) -> HttpResponse { throw std::runtime_error("secret"); };
  for (const size_t size : {kMinGzipBytes, kMinGzipBytes + 1, size_t{4'000'000}}) {
    pages["/bytes" + std::to_string(size)] = [size](const HttpRequest&) {
      return HttpResponse{200, "text/plain", std::string(size, 'x')};
    };
  }
  pages["/" + std::string(kMaxHttpPathBytes - 1, 'p')] = pages["/"];
  pages["/" + std::string(kMaxHttpPathBytes, 'p')] = pages["/"];
  return pages;
}

std::unique_ptr<HttpListener> StartOn(const std::string& address, HttpOptions options = {}) {
  options.address = address;
  absl::StatusOr<std::unique_ptr<HttpListener>> listener = HttpListener::Start(options, TestPages());
  EXPECT_TRUE(listener.ok()) << listener.status();
  return listener.ok() ? *std::move(listener) : nullptr;
}

class HttpListenerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    listener_ = StartOn("127.0.0.1:0");
    ASSERT_NE(listener_, nullptr);
    ASSERT_NE(listener_->port(), 0);
  }
  Reply Get(const std::string& target, const std::string& headers = "") const {
    return Fetch(listener_->port(), target, headers);
  }

  std::unique_ptr<HttpListener> listener_;
};

TEST_F(HttpListenerTest, ServesAPage) {
  const Reply reply = Get("/echo?query=1", "Accept: text/plain\r\n");
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.body, "/echo|text/plain");
  EXPECT_EQ(reply.headers.at("Content-Type"), "text/plain");
  EXPECT_EQ(reply.headers.at("Cache-Control"), "no-store");
  EXPECT_EQ(reply.headers.at("X-Content-Type-Options"), "nosniff");
  EXPECT_THAT(reply.headers.at("Content-Security-Policy"), StartsWith("default-src 'none'"));
  EXPECT_EQ(Get("/busy").code, 503);
}

TEST_F(HttpListenerTest, AnUnknownPathIsNotFound) {
  for (const char* target : {"/nothing", "/echo/", "/echo/x", "//", "/%2e%2e/etc/passwd"}) {
    EXPECT_EQ(Get(target).code, 404) << target;
  }
}

TEST_F(HttpListenerTest, APathThatEndsInASlashTakesWhatIsBelowIt) {
  EXPECT_EQ(Get("/tree/").body, "tree|/tree/");
  EXPECT_EQ(Get("/tree/a").body, "tree|/tree/a");
  EXPECT_EQ(Get("/tree/a/b%20c?q=/").body, "tree|/tree/a/b c");
  EXPECT_EQ(Get("/tree/branch").body, "tree|/tree/branch");
  EXPECT_EQ(Get("/tree/branch/x").body, "branch") << "the longest path above it";
  EXPECT_EQ(Get("/tree").code, 404);
  EXPECT_EQ(Get("/trees/a").code, 404);
}

TEST_F(HttpListenerTest, APageMayHaveAPolicyOfItsOwn) {
  EXPECT_EQ(Get("/tree/").headers.at("Content-Security-Policy"), "default-src 'self'");
  EXPECT_EQ(Get("/tree/").headers.at("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(Get("/tree/branch/").headers.at("Content-Security-Policy"),
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:");
}

TEST_F(HttpListenerTest, HeadHasTheHeadersOfGetAndNoBody) {
  const Reply reply = Fetch(listener_->port(), "/echo", "", "HEAD");
  EXPECT_EQ(reply.code, 200);
  EXPECT_EQ(reply.headers.at("Content-Length"), "6");
  EXPECT_EQ(reply.body, "");
  EXPECT_EQ(Fetch(listener_->port(), "/nothing", "", "HEAD").code, 404);
}

TEST_F(HttpListenerTest, OtherMethodsAreNotAllowed) {
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH", "BREW", "get"}) {
    const Reply reply = Fetch(listener_->port(), "/", "", method);
    EXPECT_EQ(reply.code, 405) << method;
    ASSERT_TRUE(reply.headers.count("Allow")) << method;
    EXPECT_EQ(reply.headers.at("Allow"), "GET, HEAD");
  }
}

TEST_F(HttpListenerTest, ABodyIsNotWaitedFor) {
  for (const char* request : {"POST / HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000000\r\n\r\n",
                              "GET / HTTP/1.1\r\nHost: t\r\nContent-Length: 1000000000\r\n\r\n",
                              "GET / HTTP/1.1\r\nHost: t\r\nTransfer-Encoding: chunked\r\n\r\n"}) {
    const UniqueFd fd = Connect("127.0.0.1", listener_->port());
    SendAll(fd.get(), request);
    const Reply reply = ParseReply(ReadToEnd(fd.get()));
    EXPECT_EQ(reply.code, request[0] == 'P' ? 405 : 200);
    EXPECT_EQ(reply.headers.count("Connection"), 1u) << "the connection is closed, its body unread";
  }
}

TEST_F(HttpListenerTest, AConnectionServesSeveralRequests) {
  const UniqueFd fd = Connect("127.0.0.1", listener_->port());
  SendAll(fd.get(), "GET /echo HTTP/1.1\r\nHost: t\r\n\r\nGET /busy HTTP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
  const std::string both = ReadToEnd(fd.get());
  EXPECT_THAT(both, HasSubstr("HTTP/1.1 200"));
  EXPECT_THAT(both, HasSubstr("HTTP/1.1 503"));
}

TEST_F(HttpListenerTest, AHandlerThatThrowsIsAnInternalErrorWithoutDetails) {
  const Reply reply = Get("/throws");
  EXPECT_EQ(reply.code, 500);
  EXPECT_EQ(reply.body, "internal error\n");
}

TEST_F(HttpListenerTest, PathsHaveALimit) {
  EXPECT_EQ(Get("/" + std::string(kMaxHttpPathBytes - 1, 'p')).code, 200);
  EXPECT_EQ(Get("/" + std::string(kMaxHttpPathBytes, 'p')).code, 414);
}

TEST_F(HttpListenerTest, HeadersHaveALimit) {
  // The bytes of "Host" "test" "Connection" "close", and "X", count too.
  const size_t others = 4 + 4 + 10 + 5 + 1;
  EXPECT_EQ(Get("/", "X: " + std::string(kMaxHttpHeaderBytes - others, 'h') + "\r\n").code, 200);
  EXPECT_EQ(Get("/", "X: " + std::string(kMaxHttpHeaderBytes - others + 1, 'h') + "\r\n").code, 431);
}

TEST_F(HttpListenerTest, ARequestThatDoesNotFitIsRefusedAndTheListenerLives) {
  EXPECT_EQ(Get("/", "X: " + std::string(2 * kHttpConnectionBytes, 'h') + "\r\n").code, 431);
  EXPECT_EQ(Get("/" + std::string(2 * kHttpConnectionBytes, 'p')).code, 414);
  EXPECT_EQ(Get("/").code, 200);
}

TEST_F(HttpListenerTest, NonsenseDoesNotHarmTheListener) {
  for (const std::string& nonsense : {std::string("\r\n\r\n\r\n"), std::string("\x16\x03\x01\x02\x00", 5),
                                      std::string("GET\r\n\r\n"), std::string(100'000, '\0')}) {
    const UniqueFd fd = Connect("127.0.0.1", listener_->port());
    SendAll(fd.get(), nonsense);
    ::shutdown(fd.get(), SHUT_WR);
    EXPECT_EQ(Get("/").code, 200);
  }
}

std::string Gunzip(const std::string& data, size_t size) {
  std::string out(size + 1, '\0');
  z_stream stream = {};
  EXPECT_EQ(::inflateInit2(&stream, 15 + 16), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
  stream.avail_in = static_cast<uInt>(data.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  ::inflateEnd(&stream);
  return out;
}

TEST_F(HttpListenerTest, CompressesLargeBodiesWhenAsked) {
  const std::string large = "/bytes" + std::to_string(kMinGzipBytes + 1);
  const Reply reply = Get(large, "Accept-Encoding: deflate, gzip;q=0.5\r\n");
  ASSERT_TRUE(reply.headers.count("Content-Encoding"));
  EXPECT_EQ(reply.headers.at("Content-Encoding"), "gzip");
  EXPECT_LT(reply.body.size(), 100u);
  EXPECT_EQ(Gunzip(reply.body, kMinGzipBytes + 1), std::string(kMinGzipBytes + 1, 'x'));

  EXPECT_EQ(Get(large).headers.count("Content-Encoding"), 0u);
  EXPECT_EQ(Get(large, "Accept-Encoding: gzip;q=0\r\n").headers.count("Content-Encoding"), 0u);
  EXPECT_EQ(
      Get("/bytes" + std::to_string(kMinGzipBytes), "Accept-Encoding: gzip\r\n").headers.count("Content-Encoding"), 0u);
}

TEST_F(HttpListenerTest, SendsALargeBodyWhole) { EXPECT_EQ(Get("/bytes4000000").body.size(), 4'000'000u); }

struct AcceptEncodingCase {
  const char* name;
  const char* value;
  bool want;
};
class AcceptsGzipTest : public ::testing::TestWithParam<AcceptEncodingCase> {};
TEST_P(AcceptsGzipTest, Decides) { EXPECT_EQ(AcceptsGzip(GetParam().value), GetParam().want); }
INSTANTIATE_TEST_SUITE_P(All, AcceptsGzipTest,
                         ::testing::ValuesIn<AcceptEncodingCase>({{"Absent", "", false},
                                                                  {"Plain", "gzip", true},
                                                                  {"Among", "br, GZIP , deflate", true},
                                                                  {"Weighed", "gzip; q=0.1", true},
                                                                  {"Refused", "gzip;q=0", false},
                                                                  {"RefusedLong", "gzip;q=0.000", false},
                                                                  {"Nonsense", "gzip;q=a", false},
                                                                  {"Other", "x-gzipped", false}}),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(HttpListenerStart, ListensOnIpv6) {
  const std::unique_ptr<HttpListener> listener = StartOn("[::1]:0");
  ASSERT_NE(listener, nullptr);
  EXPECT_EQ(Fetch(listener->port(), "/", "", "GET", "::1").code, 200);
  EXPECT_FALSE(Connect("127.0.0.1", listener->port()).valid());
}

TEST(HttpListenerStart, TheIpv6WildcardTakesBoth) {
  const std::unique_ptr<HttpListener> listener = StartOn("[::]:0");
  ASSERT_NE(listener, nullptr);
  EXPECT_EQ(Fetch(listener->port(), "/", "", "GET", "::1").code, 200);
  EXPECT_EQ(Fetch(listener->port(), "/", "", "GET", "127.0.0.1").code, 200);
}

TEST(HttpListenerStart, AUsedPortIsNamedWithTheReason) {
  const std::unique_ptr<HttpListener> first = StartOn("127.0.0.1:0");
  ASSERT_NE(first, nullptr);
  HttpOptions options;
  options.address = "127.0.0.1:" + std::to_string(first->port());
  const absl::Status status = HttpListener::Start(options, {}).status();
  EXPECT_FALSE(status.ok());
  EXPECT_THAT(std::string(status.message()), HasSubstr("\"" + options.address + "\""));
  EXPECT_THAT(std::string(status.message()), HasSubstr("Address already in use"));
}

TEST(HttpListenerStart, AnAddressOfAnotherHostIsNamedWithTheReason) {
  HttpOptions options;
  options.address = "192.0.2.1:0";
  const absl::Status status = HttpListener::Start(options, {}).status();
  EXPECT_THAT(std::string(status.message()), HasSubstr("192.0.2.1:0\": bind: Cannot assign requested address"));
}

TEST(HttpListenerStart, BadAddressesAreRefused) {
  for (const char* address :
       {"", ":", "7481", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:-1", "127.0.0.1:65536", "localhost:7481",
        "::1:7481", "[::1:7481", "[::1]7481", "[]:1", "[127.0.0.1]:1", "1.2.3:1", " 127.0.0.1:1"}) {
    HttpOptions options;
    options.address = address;
    const absl::Status status = HttpListener::Start(options, {}).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << address;
    EXPECT_THAT(std::string(status.message()), HasSubstr("\"" + std::string(address) + "\""));
  }
}

TEST(HttpListenerStart, OptionsHaveBounds) {
  const auto start = [](unsigned limit, absl::Duration timeout) {
    HttpOptions options;
    options.address = "127.0.0.1:0";
    options.connection_limit = limit;
    options.connection_timeout = timeout;
    return HttpListener::Start(options, {}).status();
  };
  EXPECT_TRUE(start(1, kMinHttpTimeout).ok());
  EXPECT_TRUE(start(kMaxHttpConnections, kMaxHttpTimeout).ok());
  EXPECT_THAT(std::string(start(0, kMinHttpTimeout).message()),
              HasSubstr("connection_limit: must be 1 to 65535, is 0"));
  EXPECT_FALSE(start(kMaxHttpConnections + 1, kMinHttpTimeout).ok());
  EXPECT_THAT(std::string(start(1, absl::Milliseconds(999)).message()), HasSubstr("is 999ms"));
  EXPECT_FALSE(start(1, kMaxHttpTimeout + absl::Seconds(1)).ok());
}

TEST(HttpListenerStop, FreesThePortAndClosesConnections) {
  std::unique_ptr<HttpListener> listener = StartOn("127.0.0.1:0");
  ASSERT_NE(listener, nullptr);
  const uint16_t port = listener->port();
  const UniqueFd idle = Connect("127.0.0.1", port);
  SendAll(idle.get(), "GET / HTTP/1.1\r\nHost: t\r\n\r\n");
  char first;
  ASSERT_EQ(::recv(idle.get(), &first, 1, 0), 1) << "served, and kept open";
  listener.reset();
  ReadToEnd(idle.get());  // ends, because the connection is closed
  EXPECT_FALSE(Connect("127.0.0.1", port).valid());
  EXPECT_NE(StartOn("127.0.0.1:" + std::to_string(port)), nullptr);
}

std::set<int> OpenFds() {
  std::set<int> fds;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    fds.insert(std::stoi(entry.path().filename().string()));
  }
  return fds;
}

TEST(HttpListenerStop, LeavesNoDescriptor) {
  const std::set<int> before = OpenFds();
  StartOn("127.0.0.1:0").reset();
  EXPECT_EQ(OpenFds(), before);
}

TEST_F(HttpListenerTest, EveryDescriptorIsClosedOnExec) {
  const UniqueFd fd = Connect("127.0.0.1", listener_->port());
  SendAll(fd.get(), "GET / HTTP/1.1\r\nHost: t\r\n\r\n");
  char first;
  ASSERT_EQ(::recv(fd.get(), &first, 1, 0), 1);
  int checked = 0;
  for (const int open : OpenFds()) {
    std::ifstream info("/proc/self/fdinfo/" + std::to_string(open));
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(open), gone).string();
    if (target.find("socket:") == std::string::npos && target.find("anon_inode:") == std::string::npos) continue;
    for (std::string key, value; info >> key >> value;) {
      if (key != "flags:") continue;
      EXPECT_TRUE(std::stoul(value, nullptr, 8) & O_CLOEXEC) << target;
      ++checked;
    }
  }
  EXPECT_GE(checked, 5) << "both ends of the connection, the listening socket, epoll and the event";
}

// As many silent connections as descriptors allow, up to 1,000: both ends are ours.
size_t RaiseDescriptorsForSilentConnections() {
  rlimit limit = {};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
  return limit.rlim_cur >= 2200 ? 1000 : 300;
}

TEST_F(HttpListenerTest, SilentConnectionsDoNotDelayAScrape) {
  const size_t count = RaiseDescriptorsForSilentConnections();
  std::vector<UniqueFd> silent;
  for (size_t i = 0; i < count; ++i) {
    silent.push_back(Connect("127.0.0.1", listener_->port()));
    ASSERT_TRUE(silent.back().valid());
    if (i % 2 == 0) SendAll(silent.back().get(), "GET / HT");  // half a request is as silent
  }
  EXPECT_EQ(Get("/echo").code, 200);
  // None of them was sacrificed for it: each may still finish its request.
  SendAll(silent.front().get(), "TP/1.1\r\nHost: t\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(ParseReply(ReadToEnd(silent.front().get())).code, 200);
}

TEST(HttpListenerLimits, ASilentConnectionIsClosedAfterItsTimeoutAndMakesRoom) {
  HttpOptions options;
  options.connection_limit = 1;
  options.connection_timeout = absl::Seconds(1);
  const std::unique_ptr<HttpListener> listener = StartOn("127.0.0.1:0", options);
  ASSERT_NE(listener, nullptr);
  const UniqueFd silent = Connect("127.0.0.1", listener->port());
  const Reply reply = Fetch(listener->port(), "/");  // waits in the kernel until the other is closed
  EXPECT_EQ(reply.code, 200);
  char byte;
  EXPECT_EQ(::recv(silent.get(), &byte, 1, MSG_DONTWAIT), 0) << "closed by the listener";
}

}  // namespace
}  // namespace benchfleet
