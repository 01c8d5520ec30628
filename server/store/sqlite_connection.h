// One connection to the database file, its prepared statements, and the only place where
// exceptions of SQLiteCpp become statuses.
//
//   return connection.Guarded([&]() -> absl::StatusOr<int64_t> {
//     Query query(connection, "SELECT value FROM counters WHERE name = ?", "lease_epoch");
//     if (!query.Step()) return absl::InternalError("no counter");
//     return query.Int();
//   });
//
// Thread-safety: none; one thread at a time.
#ifndef BENCHFLEET_SERVER_STORE_SQLITE_CONNECTION_H_
#define BENCHFLEET_SERVER_STORE_SQLITE_CONNECTION_H_

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace benchfleet {

class SqliteConnection {
 public:
  enum class Mode { kWriter, kReader };

  // The writer makes a missing file and turns write-ahead logging on; a reader cannot
  // change anything. kDataLoss: not a database, or a damaged one; kFailedPrecondition:
  // cannot be opened. Both name the path and what to do.
  static absl::StatusOr<std::unique_ptr<SqliteConnection>> Open(const std::string& path, Mode mode);

  // Runs `work` (-> Status or StatusOr) with what it throws made a status: kUnavailable,
  // the engine cannot work now; kInternal, the data contradicts itself.
  template <typename Work>
  auto Guarded(Work work) -> decltype(work()) {
    try {
      return work();
    } catch (const SQLite::Exception& error) {
      return StatusOf(error);
    }
  }

  // One statement without a result; `sql` is a literal.
  absl::Status Execute(const char* sql);
  // Whether a transaction is open: a full disk may have ended it.
  bool InTransaction() const;

  // The prepared statement for `sql`, a literal: its address is the key. Throws.
  SQLite::Statement& Prepared(const char* sql);
  // Statements of any number. Throws.
  void Script(const std::string& sql) { database_.exec(sql); }

  const std::string& path() const { return path_; }
  SQLite::Database& database() { return database_; }

 private:
  explicit SqliteConnection(const std::string& path, int flags);
  absl::Status StatusOf(const SQLite::Exception& error) const;

  const std::string path_;
  SQLite::Database database_;
  std::unordered_map<const char*, SQLite::Statement> statements_;  // of database_, so they go first
};

// Bytes, where a std::string is text.
struct Blob {
  const std::string& bytes;
};

// Times and durations are whole nanoseconds; the ends of the range stand for infinity.
int64_t ToNanos(absl::Time time);
int64_t ToNanos(absl::Duration duration);
absl::Time TimeFromNanos(int64_t nanos);
absl::Duration DurationFromNanos(int64_t nanos);

// One use of a prepared statement; it is reset at the end of the scope, so that no open
// statement stands in the way of COMMIT. Parameters are bound in order, columns read in
// order. Throws SQLite::Exception: inside Guarded() only.
class Query {
 public:
  template <typename... Args>
  Query(SqliteConnection& connection, const char* sql, const Args&... args) : statement_(connection.Prepared(sql)) {
    int index = 0;
    (Bind(++index, args), ...);
  }
  ~Query() { statement_.tryReset(); }
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;

  // Moves to the next row and its first column; false: there is none.
  bool Step() {
    column_ = 0;
    return statement_.executeStep();
  }
  // Runs a statement without rows and returns how many rows it changed.
  int Run() { return statement_.exec(); }

  // The next column of the row.
  int64_t Int() { return statement_.getColumn(column_++).getInt64(); }
  bool Bool() { return Int() != 0; }
  double Double() { return statement_.getColumn(column_++).getDouble(); }
  std::string Text() { return statement_.getColumn(column_++).getString(); }
  absl::Time Time() { return TimeFromNanos(Int()); }
  absl::Duration Duration() { return DurationFromNanos(Int()); }
  std::optional<int64_t> MaybeInt() {
    return Maybe([this] { return Int(); });
  }
  std::optional<double> MaybeDouble() {
    return Maybe([this] { return Double(); });
  }
  std::optional<std::string> MaybeText() {
    return Maybe([this] { return Text(); });
  }
  std::optional<absl::Time> MaybeTime() {
    return Maybe([this] { return Time(); });
  }

 private:
  template <typename Read>
  auto Maybe(Read read) -> std::optional<decltype(read())> {
    if (!statement_.isColumnNull(column_)) return read();
    ++column_;
    return std::nullopt;
  }

  void Bind(int index, bool value) { statement_.bind(index, static_cast<int32_t>(value)); }
  void Bind(int index, int value) { statement_.bind(index, value); }
  void Bind(int index, uint32_t value) { statement_.bind(index, static_cast<int64_t>(value)); }
  void Bind(int index, int64_t value) { statement_.bind(index, value); }
  void Bind(int index, double value) { statement_.bind(index, value); }
  void Bind(int index, const std::string& value) { statement_.bind(index, value); }
  void Bind(int index, const char* value) { statement_.bind(index, value); }
  void Bind(int index, absl::string_view value) { statement_.bind(index, std::string(value)); }
  void Bind(int index, Blob value) { statement_.bind(index, value.bytes.data(), static_cast<int>(value.bytes.size())); }
  void Bind(int index, absl::Time value) { statement_.bind(index, ToNanos(value)); }
  void Bind(int index, absl::Duration value) { statement_.bind(index, ToNanos(value)); }
  template <typename T>
  void Bind(int index, const std::optional<T>& value) {
    if (value.has_value()) {
      Bind(index, *value);
    } else {
      statement_.bind(index);
    }
  }

  SQLite::Statement& statement_;
  int column_ = 0;
};

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_SQLITE_CONNECTION_H_
