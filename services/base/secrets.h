// Random secrets, their hashes, and how people write codes. Pure but for the
// randomness and the file.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace tilewarden::services {

// A secret as somebody gives it: as it is, or "@FILE" for a file that holds nothing else.
// FAILED_PRECONDITION: the file cannot be read, or is empty.
absl::StatusOr<std::string> SecretOf(const std::string& given);

// From the operating system's generator.
std::string RandomBytes(std::size_t count);
// So many symbols of Crockford's base 32 (no I, L, O, U): five random bits each.
std::string RandomSymbols(std::size_t count);

// SHA-256, 32 bytes.
std::string HashOf(std::string_view secret);
// In a time that does not tell where they differ.
bool SameSecret(std::string_view a, std::string_view b);

// A code as somebody typed it in the form that was hashed: capitals, O as 0, I
// and L as 1, nothing between them.
std::string PlainCode(std::string_view typed);
// "K7QF9M2X" as it is shown: "K7QF-9M2X".
std::string ShownCode(std::string_view plain);

}  // namespace tilewarden::services
