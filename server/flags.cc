#include "server/flags.h"

#include <arpa/inet.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

constexpr int kUsageError = 2;

// "HOST:PORT" with a numeric host; brackets around an IPv6 one.
absl::Status CheckAddress(absl::string_view flag, absl::string_view address, bool insecure) {
  const size_t colon = address.rfind(':');
  int port = -1;
  if (colon == absl::string_view::npos || !absl::SimpleAtoi(address.substr(colon + 1), &port) || port < 0 ||
      port > 65535) {
    return absl::InvalidArgumentError(absl::StrCat(flag, ": '", address, "' is not HOST:PORT"));
  }
  std::string host(address.substr(0, colon));
  in6_addr v6;
  in_addr v4;
  bool loopback;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']' &&
      inet_pton(AF_INET6, host.substr(1, host.size() - 2).c_str(), &v6) == 1) {
    loopback = IN6_IS_ADDR_LOOPBACK(&v6);
  } else if (inet_pton(AF_INET, host.c_str(), &v4) == 1) {
    loopback = (ntohl(v4.s_addr) >> 24) == 127;
  } else {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": '", address, "' does not begin with an IPv4 address or an IPv6 one in brackets"));
  }
  if (!loopback && !insecure) {
    return absl::InvalidArgumentError(absl::StrCat(flag, ": '", address,
                                                   "' is reachable from other hosts, in plain text and by anybody; "
                                                   "add --insecure if that is meant"));
  }
  return absl::OkStatus();
}

absl::Status CheckLimits(absl::string_view flag, absl::Duration value, absl::Duration min, absl::Duration max) {
  if (value >= min && value <= max) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(flag, ": is ", absl::FormatDuration(value), ", must be ",
                                                 absl::FormatDuration(min), " to ", absl::FormatDuration(max)));
}

// A CLI11 validator that leaves the value in `out`.
CLI::Validator DurationInto(absl::Duration* out) {
  return CLI::Validator(
      [out](const std::string& text) {
        return absl::ParseDuration(text, out) ? std::string() : "'" + text + "' is not a duration such as 90s";
      },
      "DURATION");
}

}  // namespace

absl::Status CheckServerFlags(const ServerFlags& flags) {
  BF_RETURN_IF_ERROR(CheckAddress("--listen", flags.listen, flags.insecure));
  BF_RETURN_IF_ERROR(CheckAddress("--http", flags.http, flags.insecure));
  BF_RETURN_IF_ERROR(CheckLimits("--sync-hang", flags.sync_hang, kMinSyncHang, kMaxSyncHang));
  // A lost answer and a late one must not cost a lease: three calls, each with half a hang of slack.
  BF_RETURN_IF_ERROR(CheckLimits("--lease-ttl", flags.lease_ttl, 4.5 * flags.sync_hang, kMaxLeaseTtl));
  return absl::OkStatus();
}

ParsedFlags ParseServerFlags(int argc, char** argv, const std::string& version) {
  ParsedFlags parsed;
  ServerFlags& flags = parsed.flags;
  CLI::App app{
      "The coordinator of a Benchfleet fleet: takes jobs, leases them to workers, keeps every sample.\n\n"
      "Examples:\n"
      "  benchfleet-server\n"
      "  benchfleet-server --state-dir ./state --listen 127.0.0.1:0 --http 127.0.0.1:0 --port-file ./ports",
      "benchfleet-server"};
  std::string ignored;
  app.add_option("--listen", flags.listen, "gRPC address")->capture_default_str();
  app.add_option("--http", flags.http, "HTTP address for /metrics, probes and pages")->capture_default_str();
  app.add_option("--state-dir", flags.state_dir,
                 "where everything is kept (default: $STATE_DIRECTORY, /var/lib/benchfleet/server for root, "
                 "else below $XDG_STATE_HOME)");
  app.add_option("--port-file", flags.port_file, "file that gets the addresses once both are listened on");
  app.add_flag("--insecure", flags.insecure, "allow plain-text addresses that other hosts reach");
  app.add_option("--sync-hang", ignored, "how long a worker's Sync may hang (default 20s)")
      ->check(DurationInto(&flags.sync_hang));
  app.add_option("--lease-ttl", ignored, "how long a lease lives without renewal (default 90s)")
      ->check(DurationInto(&flags.lease_ttl));
  app.add_option("--log-level", flags.log_level, "debug, info, warn or error")
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}))
      ->capture_default_str();
  app.set_version_flag("--version", version);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& e) {
    parsed.exit_code = app.exit(e);
    return parsed;
  } catch (const CLI::CallForVersion& e) {
    parsed.exit_code = app.exit(e);
    return parsed;
  } catch (const CLI::ParseError& e) {
    std::cerr << "benchfleet-server: " << e.what() << "\n";
    parsed.exit_code = kUsageError;
    return parsed;
  }
  if (const absl::Status status = CheckServerFlags(flags); !status.ok()) {
    std::cerr << "benchfleet-server: " << status.message() << "\n";
    parsed.exit_code = kUsageError;
  }
  return parsed;
}

}  // namespace benchfleet
