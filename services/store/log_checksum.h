// Checksums over everything that a store keeps and is believed: databases do not notice a flipped
// bit inside a value. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "services/store/store.h"

namespace tilewarden::services {

// FNV-1a.
inline std::int64_t Checksum(std::string_view bytes, std::string_view more = {}) {
  std::uint64_t hash = 14695981039346656037u;
  for (const std::string_view part : {bytes, more}) {
    for (const char c : part) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  }
  return static_cast<std::int64_t>(hash);
}

// Of an entry.
inline std::int64_t LogChecksum(const std::string& game_id, const LogEntry& entry) {
  return Checksum(absl::StrCat(game_id, "/", entry.number, "/", entry.time_ms, "/"), entry.record);
}

// Bytes behind a checksum of them and of what they belong to ("summary/GAME", "answer/REQUEST").
inline std::string Sealed(const std::string& of, std::string_view bytes) {
  const auto sum = static_cast<std::uint64_t>(Checksum(of, bytes));
  std::string out;
  for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(sum >> shift & 0xff);
  out.append(bytes);
  return out;
}
// The bytes again; nothing: they are damaged.
inline std::optional<std::string> Unsealed(const std::string& of, std::string_view sealed) {
  if (sealed.size() < 8) return std::nullopt;
  std::string bytes(sealed.substr(8));
  if (Sealed(of, bytes) != sealed) return std::nullopt;
  return bytes;
}
inline std::string SummaryOfGame(const std::string& game_id) {
  return absl::StrCat("summary/", game_id);
}
// `request` is sealed with it: both are believed.
inline std::string AnswerTo(const std::string& request_id, const std::string& request) {
  return absl::StrCat("answer/", request_id, "/", request);
}

}  // namespace tilewarden::services
