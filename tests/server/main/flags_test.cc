#include "server/flags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace benchfleet {
namespace {

using ::testing::HasSubstr;

struct FlagsCase {
  std::string name;
  std::function<void(ServerFlags&)> change;
  std::string error;  // empty: accepted
};

class FlagsTest : public ::testing::TestWithParam<FlagsCase> {};

TEST_P(FlagsTest, AreAcceptedOrRefusedByName) {
  ServerFlags flags;
  GetParam().change(flags);
  const absl::Status status = CheckServerFlags(flags);
  if (GetParam().error.empty()) {
    EXPECT_TRUE(status.ok()) << status;
  } else {
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_THAT(std::string(status.message()), HasSubstr(GetParam().error));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Table, FlagsTest,
    ::testing::ValuesIn(std::vector<FlagsCase>{
        {"Defaults", [](ServerFlags&) {}, ""},
        {"AnyLoopbackAddress", [](ServerFlags& f) { f.listen = "127.1.2.3:0"; }, ""},
        {"Ipv6Loopback", [](ServerFlags& f) { f.http = "[::1]:65535"; }, ""},
        {"OtherHostsNeedInsecure", [](ServerFlags& f) { f.listen = "0.0.0.0:7480"; }, "--listen: '0.0.0.0:7480'"},
        {"OtherHostsNeedInsecureForHttpToo", [](ServerFlags& f) { f.http = "[::]:7481"; }, "--http: '[::]:7481'"},
        {"Insecure",
         [](ServerFlags& f) {
           f.listen = "0.0.0.0:7480";
           f.http = "[::]:7481";
           f.insecure = true;
         },
         ""},
        {"NoPort", [](ServerFlags& f) { f.listen = "127.0.0.1"; }, "--listen: '127.0.0.1' is not HOST:PORT"},
        {"PortTooHigh", [](ServerFlags& f) { f.listen = "127.0.0.1:65536"; }, "is not HOST:PORT"},
        {"PortNegative", [](ServerFlags& f) { f.listen = "127.0.0.1:-1"; }, "is not HOST:PORT"},
        {"AName", [](ServerFlags& f) { f.listen = "localhost:1"; }, "does not begin with an IPv4 address"},
        {"Ipv6WithoutBrackets", [](ServerFlags& f) { f.listen = "::1:7480"; }, "does not begin with"},
        {"ShortestHang",
         [](ServerFlags& f) {
           f.sync_hang = kMinSyncHang;
           f.lease_ttl = 4.5 * kMinSyncHang;
         },
         ""},
        {"HangTooShort", [](ServerFlags& f) { f.sync_hang = kMinSyncHang - absl::Milliseconds(1); }, "--sync-hang"},
        {"HangTooLong",
         [](ServerFlags& f) {
           f.sync_hang = kMaxSyncHang + absl::Seconds(1);
           f.lease_ttl = kMaxLeaseTtl;
         },
         "--sync-hang"},
        {"TtlBelowThreeCalls", [](ServerFlags& f) { f.lease_ttl = absl::Seconds(89); }, "--lease-ttl: is 1m29s"},
        {"TtlTooLong", [](ServerFlags& f) { f.lease_ttl = kMaxLeaseTtl + absl::Seconds(1); }, "--lease-ttl"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace benchfleet
