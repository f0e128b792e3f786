// Which events a webhook's receiver has: the number of the last one of each game, in an
// SQLite file of the data folder.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"

namespace tilewarden::services {

// Not thread safe. Survives a crash of this process; after a power cut it may know a little
// less, so that the receiver gets some events again.
class DeliveredFile {
 public:
  static constexpr const char* kFile = "webhook.sqlite";
  // The receiver wants the game's state next: events before it were given up.
  static constexpr std::int64_t kWantsState = -1;

  // For this receiver's address. FAILED_PRECONDITION: the file cannot be read or written.
  static absl::StatusOr<std::unique_ptr<DeliveredFile>> Open(const std::filesystem::path& file,
                                                             const std::string& receiver);
  ~DeliveredFile();

  // Number of the last event that was delivered, 0 for none, or kWantsState; absent: nothing
  // is known of this game. Errors as if absent.
  std::optional<std::int64_t> Find(const std::string& game_id);
  std::map<std::string, std::int64_t> All();
  absl::Status Set(const std::string& game_id, std::int64_t number);
  void Remove(const std::string& game_id);

 private:
  DeliveredFile(std::filesystem::path file, const std::string& receiver);
  absl::Status Failed() const;

  const std::filesystem::path file_;
  const std::string receiver_;  // SHA-256 of its address, which may hold secrets
  sqlite3* db_ = nullptr;
};

}  // namespace tilewarden::services
