// A checksum over everything that an entry of the log says: databases do not
// notice a flipped bit inside a value. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "services/store/store.h"

namespace tilewarden::services {

// FNV-1a.
inline std::int64_t LogChecksum(const std::string& game_id, const LogEntry& entry) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::string& part :
       {absl::StrCat(game_id, "/", entry.number, "/", entry.time_ms, "/"), entry.record}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return static_cast<std::int64_t>(hash);
}

}  // namespace tilewarden::services
