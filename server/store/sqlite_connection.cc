#include "server/store/sqlite_connection.h"

#include <sqlite3.h>

#include <cstring>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/base/status_macros.h"

namespace benchfleet {
namespace {

constexpr int kBusyTimeoutMs = 5000;
constexpr int64_t kInfinite = std::numeric_limits<int64_t>::max();
constexpr int64_t kInfinitePast = std::numeric_limits<int64_t>::min();

// The code without its extension.
int PrimaryCode(int code) { return code & 0xff; }

bool IsDataFault(int primary) {
  return primary == SQLITE_CONSTRAINT || primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB ||
         primary == SQLITE_MISMATCH || primary == SQLITE_TOOBIG || primary == SQLITE_RANGE ||
         primary == SQLITE_MISUSE || primary == SQLITE_ERROR;
}

// What an error while opening means to whoever starts the server.
absl::Status WhileOpening(const absl::Status& status, const std::string& path, int primary) {
  if (primary == SQLITE_NOTADB || primary == SQLITE_CORRUPT) {
    return absl::DataLossError(absl::StrCat(status.message(), "; ", path,
                                            " is no usable database: move it away to start with an empty one, or "
                                            "restore a copy"));
  }
  if (primary == SQLITE_CANTOPEN || primary == SQLITE_PERM || primary == SQLITE_READONLY) {
    return absl::FailedPreconditionError(
        absl::StrCat(status.message(), "; check that ", path, " is a file that this user may write"));
  }
  return status;
}

}  // namespace

SqliteConnection::SqliteConnection(const std::string& path, int flags)
    : path_(path), database_(path, flags, kBusyTimeoutMs) {}

absl::StatusOr<std::unique_ptr<SqliteConnection>> SqliteConnection::Open(const std::string& path, Mode mode) {
  std::unique_ptr<SqliteConnection> connection;
  try {
    const int create = mode == Mode::kWriter ? SQLite::OPEN_CREATE : 0;
    connection.reset(new SqliteConnection(path, SQLite::OPEN_READWRITE | SQLite::OPEN_NOMUTEX | create));
    // The first statement reads the file, so here it shows whether it is a database.
    if (mode == Mode::kWriter) {
      connection->Script("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA foreign_keys=ON;");
    } else {
      connection->Script("PRAGMA query_only=ON; SELECT count(*) FROM sqlite_master;");
    }
  } catch (const SQLite::Exception& error) {
    const absl::Status status = connection != nullptr
                                    ? connection->StatusOf(error)
                                    : absl::UnavailableError(absl::StrCat("database ", path, ": ", error.what()));
    return WhileOpening(status, path, PrimaryCode(error.getErrorCode()));
  }
  return connection;
}

absl::Status SqliteConnection::Execute(const char* sql) {
  return Guarded([&]() -> absl::Status {
    Query(*this, sql).Run();
    return absl::OkStatus();
  });
}

bool SqliteConnection::InTransaction() const { return sqlite3_get_autocommit(database_.getHandle()) == 0; }

SQLite::Statement& SqliteConnection::Prepared(const char* sql) {
  const auto it = statements_.find(sql);
  if (it != statements_.end()) return it->second;
  return statements_.emplace(sql, SQLite::Statement(database_, sql)).first->second;
}

absl::Status SqliteConnection::StatusOf(const SQLite::Exception& error) const {
  const int primary = PrimaryCode(error.getErrorCode());
  std::string message = absl::StrCat("database ", path_, ": ", error.what());
  // The operating system's error is kept for opening only.
  const int system_error = sqlite3_system_errno(database_.getHandle());
  if (primary == SQLITE_CANTOPEN && system_error != 0)
    absl::StrAppend(&message, " (", std::strerror(system_error), ")");
  if (primary == SQLITE_IOERR) absl::StrAppend(&message, " (SQLite code ", error.getExtendedErrorCode(), ")");
  return IsDataFault(primary) ? absl::InternalError(message) : absl::UnavailableError(message);
}

int64_t ToNanos(absl::Duration duration) {
  if (duration >= absl::Nanoseconds(kInfinite)) return kInfinite;
  if (duration <= absl::Nanoseconds(kInfinitePast)) return kInfinitePast;
  return absl::ToInt64Nanoseconds(duration);
}

int64_t ToNanos(absl::Time time) { return ToNanos(time - absl::UnixEpoch()); }

absl::Duration DurationFromNanos(int64_t nanos) {
  if (nanos == kInfinite) return absl::InfiniteDuration();
  if (nanos == kInfinitePast) return -absl::InfiniteDuration();
  return absl::Nanoseconds(nanos);
}

absl::Time TimeFromNanos(int64_t nanos) { return absl::UnixEpoch() + DurationFromNanos(nanos); }

}  // namespace benchfleet
