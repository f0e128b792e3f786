// Connections to one PostgreSQL database, and what its errors mean.
//
// A connection that breaks is replaced by the next call; one that answers nothing
// for kLongestSilence is cut, so that a database that froze or a half-open socket
// holds nobody up. Each session makes sure that commits are durable before they are
// told, and a service that froze in the middle of a change holds its locks for
// two seconds at most.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <pqxx/pqxx>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"

namespace tilewarden::services {

// Thread safe. Blocks on the network and the database.
class PostgresConnections {
 public:
  static constexpr int kMost = 8;
  static constexpr std::chrono::seconds kLongestSilence{5};

  // As IsPostgresAddress takes it. Connects when something is asked.
  explicit PostgresConnections(std::string address);
  ~PostgresConnections();

  // One transaction: committed when `work` returns OK, else undone. `work` may
  // run twice, the first time on a connection that turns out to be broken.
  //
  // INVALID_ARGUMENT: the address cannot be understood. UNAVAILABLE: the database
  // cannot be reached or failed; after a commit whose answer got lost the change
  // may be there. FAILED_PRECONDITION: no rights. ABORTED: a row is there
  // already. DATA_LOSS: the database says that it is damaged.
  using Work = std::function<absl::Status(pqxx::work&)>;
  absl::Status Transact(const std::string& doing, const Work& work,
                        std::chrono::seconds silence = kLongestSilence);

  // The address without secrets.
  const std::string& shown() const { return shown_; }

 private:
  struct Connection {
    ~Connection();
    std::unique_ptr<pqxx::connection> link;
    int socket = -1;    // a second handle of the link's, for the watchdog alone
    bool used = false;  // before
    std::chrono::steady_clock::time_point cut_at;
  };
  absl::Status Configure();
  std::unique_ptr<Connection> Take();
  void GiveBack(std::unique_ptr<Connection> connection, bool whole);
  void Connect(Connection* connection, std::chrono::seconds silence);
  void CutSilent();
  absl::Status Failed(const std::string& doing, const std::string& code,
                      const std::string& what) const;
  absl::Status Unreachable(const std::string& doing, const std::string& what) const;

  const std::string address_, shown_;
  std::string settings_;  // as libpq takes them, with a password if there is one

  std::mutex mutex_;
  std::condition_variable freed_, stopping_;
  int out_ = 0;
  std::vector<std::unique_ptr<Connection>> idle_;
  std::vector<Connection*> busy_;
  bool stopped_ = false;
  std::thread watchdog_;
};

// Bytes as a parameter, and a column of bytes.
inline pqxx::binarystring ToBytes(const std::string& bytes) { return pqxx::binarystring(bytes); }
inline std::string BytesOf(const pqxx::field& field) { return pqxx::binarystring(field).str(); }

}  // namespace tilewarden::services
