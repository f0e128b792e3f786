// Tells whether bytes are still what they were: against accidents, not against
// people who want to deceive.
#pragma once

#include <cstdint>
#include <string_view>

namespace tilewarden::calibration {

// FNV-1a, 64 bits.
inline std::uint64_t Checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : bytes) hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace tilewarden::calibration
