// The tables of the PostgreSQL store, in a schema of their own, "tilewarden".
#pragma once

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/store/postgres_connections.h"

namespace tilewarden::services {

// Makes the tables, or brings those of an earlier version to the present one; all
// or nothing, and by one engine service at a time. FAILED_PRECONDITION: they were
// written by a newer version, or this user has no rights. Others as Transact.
absl::Status PreparePostgres(PostgresConnections* connections);

// For tests: stops at this version.
absl::Status PreparePostgres(PostgresConnections* connections, int version);

// Games whose numbers have a gap, or that have no log at all.
absl::StatusOr<std::vector<std::string>> DamagedGames(PostgresConnections* connections);

}  // namespace tilewarden::services
