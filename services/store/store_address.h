// Where games are kept, as people say it: nothing for the SQLite file in the data
// folder, or the address of a PostgreSQL database as libpq takes it:
//
//   postgresql://ann@db.club.example/games
//   postgresql://ann@/games?host=/run/postgresql
//
// A password is better kept out of it, in ~/.pgpass or PGPASSFILE. Pure functions.
#pragma once

#include <string>

namespace tilewarden::services {

bool IsPostgresAddress(const std::string& text);

// The same with "***" for every password: for people, logs and errors.
std::string WithoutSecrets(const std::string& text);

}  // namespace tilewarden::services
