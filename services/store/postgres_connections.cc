#include "services/store/postgres_connections.h"

#include <libpq-fe.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "services/store/store_address.h"

namespace tilewarden::services {
namespace {

using Clock = std::chrono::steady_clock;

// What libpq gets where the address says nothing.
const std::map<std::string, std::string>& Defaults() {
  static const std::map<std::string, std::string> kDefaults = {
      {"application_name", "tilewarden"}, {"connect_timeout", "3"},  {"keepalives_idle", "5"},
      {"keepalives_interval", "2"},       {"keepalives_count", "2"}, {"tcp_user_timeout", "5000"}};
  return kDefaults;
}

constexpr const char* kSession = R"sql(
SET idle_in_transaction_session_timeout = '2s';
SET lock_timeout = '3s';
SET bytea_output = 'hex';
SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off';
)sql";

// In one line.
std::string Flat(const std::string& text) {
  std::vector<std::string> lines;
  for (const auto line : absl::StrSplit(text, '\n', absl::SkipWhitespace())) {
    lines.emplace_back(absl::StripAsciiWhitespace(line));
  }
  return absl::StrJoin(lines, "; ");
}

// Errors after which the connection is of no use: the server stops or restarts, or
// has ended this session.
bool Breaks(const std::string& code) {
  return absl::StartsWith(code, "08") || absl::StartsWith(code, "57P") || code == "25P03";
}

// libpqxx keeps the code of some errors to itself.
std::string CodeOf(const pqxx::sql_error& error) {
  if (!error.sqlstate().empty()) return error.sqlstate();
  if (dynamic_cast<const pqxx::insufficient_privilege*>(&error) != nullptr) return "42501";
  if (dynamic_cast<const pqxx::insufficient_resources*>(&error) != nullptr) return "53000";
  if (dynamic_cast<const pqxx::unique_violation*>(&error) != nullptr) return "23505";
  return "";
}

}  // namespace

PostgresConnections::Connection::~Connection() {
  if (socket >= 0) close(socket);
}

PostgresConnections::PostgresConnections(std::string address)
    : address_(std::move(address)),
      shown_(WithoutSecrets(address_)),
      watchdog_([this] { CutSilent(); }) {}

PostgresConnections::~PostgresConnections() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stopping_.notify_all();
  watchdog_.join();
}

absl::Status PostgresConnections::Configure() {
  const std::lock_guard lock(mutex_);
  if (!settings_.empty()) return absl::OkStatus();
  char* error = nullptr;
  PQconninfoOption* parsed = PQconninfoParse(address_.c_str(), &error);
  if (parsed == nullptr) {
    // libpq's own words may cite the password.
    PQfreemem(error);
    return absl::InvalidArgumentError(absl::StrCat(
        shown_,
        " is not the address of a PostgreSQL database; write postgresql://USER@HOST/NAME, "
        "with special characters escaped (%40 for @)"));
  }
  std::map<std::string, std::string> settings = Defaults();
  for (const PQconninfoOption* option = parsed; option->keyword != nullptr; ++option) {
    if (option->val != nullptr) settings[option->keyword] = option->val;
  }
  PQconninfoFree(parsed);
  for (const auto& [name, value] : settings) {
    absl::StrAppend(&settings_, name, "='");
    for (const char c : value) {
      if (c == '\'' || c == '\\') settings_ += '\\';
      settings_ += c;
    }
    settings_ += "' ";
  }
  return absl::OkStatus();
}

absl::Status PostgresConnections::Transact(const std::string& doing, const Work& work,
                                           std::chrono::seconds silence) {
  if (auto status = Configure(); !status.ok()) return status;
  for (int tries = 0;; ++tries) {
    std::unique_ptr<Connection> connection = Take();
    const bool used = connection->used;
    bool whole = false;
    absl::Status status;
    try {
      Connect(connection.get(), silence);
      pqxx::work transaction(*connection->link);
      status = work(transaction);
      if (status.ok()) transaction.commit();
      whole = true;
    } catch (const pqxx::in_doubt_error& error) {
      status = Unreachable(doing, error.what());
    } catch (const pqxx::transaction_rollback& error) {
      // Two changes got into each other's way; nothing was changed.
      whole = true;
      if (tries == 0 &&
          dynamic_cast<const pqxx::statement_completion_unknown*>(&error) == nullptr) {
        GiveBack(std::move(connection), whole);
        continue;
      }
      status = absl::UnavailableError(absl::StrCat("cannot ", doing, ": ", Flat(error.what())));
    } catch (const pqxx::sql_error& error) {
      const std::string code = CodeOf(error);
      whole = !Breaks(code);
      if (tries == 0 && Breaks(code) && used) {
        GiveBack(std::move(connection), whole);
        continue;
      }
      status = Failed(doing, code, error.what());
    } catch (const pqxx::broken_connection& error) {
      if (tries == 0 && used) {
        // It broke while it lay idle: the database has been away.
        GiveBack(std::move(connection), false);
        continue;
      }
      status = Unreachable(doing, error.what());
    } catch (const std::exception& error) {
      status = Unreachable(doing, error.what());
    }
    connection->used = true;
    GiveBack(std::move(connection), whole);
    return status;
  }
}

std::unique_ptr<PostgresConnections::Connection> PostgresConnections::Take() {
  std::unique_lock lock(mutex_);
  freed_.wait(lock, [this] { return out_ < kMost; });
  ++out_;
  if (idle_.empty()) return std::make_unique<Connection>();
  auto connection = std::move(idle_.back());
  idle_.pop_back();
  return connection;
}

void PostgresConnections::GiveBack(std::unique_ptr<Connection> connection, bool whole) {
  std::vector<std::unique_ptr<Connection>> broken;  // closed without the lock
  {
    const std::lock_guard lock(mutex_);
    --out_;
    std::erase(busy_, connection.get());
    if (whole && connection->link != nullptr) {
      idle_.push_back(std::move(connection));
    } else {
      // What broke one has broken those that lay idle.
      broken.swap(idle_);
      broken.push_back(std::move(connection));
    }
  }
  freed_.notify_one();
}

void PostgresConnections::Connect(Connection* connection, std::chrono::seconds silence) {
  const bool fresh = connection->link == nullptr;
  if (fresh) {
    connection->link = std::make_unique<pqxx::connection>(settings_);
    connection->socket = dup(connection->link->sock());
  }
  {
    const std::lock_guard lock(mutex_);
    connection->cut_at = Clock::now() + silence;
    busy_.push_back(connection);
  }
  if (fresh) {
    pqxx::nontransaction settings(*connection->link);
    settings.exec(kSession);
  }
}

void PostgresConnections::CutSilent() {
  std::unique_lock lock(mutex_);
  while (!stopping_.wait_for(lock, std::chrono::milliseconds(500), [this] { return stopped_; })) {
    for (const Connection* connection : busy_) {
      // libpq, which waits for an answer in another thread, finds the end of it.
      if (Clock::now() >= connection->cut_at) shutdown(connection->socket, SHUT_RDWR);
    }
  }
}

absl::Status PostgresConnections::Unreachable(const std::string& doing,
                                              const std::string& what) const {
  return absl::UnavailableError(absl::StrCat(
      "cannot ", doing, ": the database ", shown_, " cannot be reached (", Flat(what),
      "); check that it runs and that the address is right; what was acknowledged is kept there"));
}

absl::Status PostgresConnections::Failed(const std::string& doing, const std::string& code,
                                         const std::string& what) const {
  const std::string told =
      absl::StrCat("cannot ", doing, ": the database ", shown_, ": ", Flat(what));
  if (Breaks(code)) return Unreachable(doing, what);
  if (code == "23505") return absl::AbortedError(absl::StrCat(told, "; it is there already"));
  if (code == "42501") {
    return absl::FailedPreconditionError(
        absl::StrCat(told,
                     "; give this user the database (CREATE and CONNECT on it), or the "
                     "schema tilewarden and its tables"));
  }
  if (code == "25006") {
    return absl::UnavailableError(
        absl::StrCat(told, "; this one only reads: give the address of the one that writes"));
  }
  if (absl::StartsWith(code, "53")) {
    return absl::UnavailableError(absl::StrCat(told, "; make room on its disk or allow more"));
  }
  if (absl::StartsWith(code, "XX")) {
    return absl::DataLossError(absl::StrCat(told, "; put back a copy of the database"));
  }
  if (code == "42P01" || code == "42703" || code == "3F000") {
    return absl::DataLossError(
        absl::StrCat(told, "; somebody has changed its tables: put back a copy of the database"));
  }
  return absl::UnavailableError(told);
}

}  // namespace tilewarden::services
