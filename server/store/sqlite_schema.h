// The tables, and how a file of an earlier version becomes one of this version.
#ifndef BENCHFLEET_SERVER_STORE_SQLITE_SCHEMA_H_
#define BENCHFLEET_SERVER_STORE_SQLITE_SCHEMA_H_

#include <vector>

#include "absl/status/status.h"
#include "server/store/sqlite_connection.h"

namespace benchfleet {

// Statements that lead from version i to version i + 1, i being the position. Only ever
// added to: a file may be of any version.
const std::vector<const char*>& SqliteMigrations();

// Brings the database to version migrations.size(), each step in a transaction of its
// own. kFailedPrecondition: it is of a newer version, or of another program.
absl::Status Migrate(SqliteConnection& connection, const std::vector<const char*>& migrations);

}  // namespace benchfleet

#endif  // BENCHFLEET_SERVER_STORE_SQLITE_SCHEMA_H_
