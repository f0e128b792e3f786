#include "services/base/secrets.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <stdexcept>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/base/whole_file.h"

namespace tilewarden::services {
namespace {

constexpr std::string_view kSymbols = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

}  // namespace

absl::StatusOr<std::string> SecretOf(const std::string& given) {
  if (!absl::StartsWith(given, "@")) return given;
  const std::string content = ReadFile(given.substr(1)).value_or("");
  std::string secret(absl::StripAsciiWhitespace(content));
  if (secret.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat(given.substr(1), " cannot be read, or is empty; name a file with the secret"));
  }
  return secret;
}

std::string RandomBytes(std::size_t count) {
  std::string bytes(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(count)) != 1) {
    throw std::runtime_error("this machine has no source of random numbers");
  }
  return bytes;
}

std::string RandomSymbols(std::size_t count) {
  std::string symbols = RandomBytes(count);
  for (char& c : symbols) c = kSymbols[static_cast<unsigned char>(c) % kSymbols.size()];
  return symbols;
}

std::string HashOf(std::string_view secret) {
  std::string hash(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  if (EVP_Digest(secret.data(), secret.size(), reinterpret_cast<unsigned char*>(hash.data()), &size,
                 EVP_sha256(), nullptr) != 1) {
    throw std::runtime_error("SHA-256 is not available");
  }
  hash.resize(size);
  return hash;
}

bool SameSecret(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string PlainCode(std::string_view typed) {
  std::string plain;
  for (const char c : typed) {
    if (c == ' ' || c == '-') continue;
    const char capital = absl::ascii_toupper(static_cast<unsigned char>(c));
    plain += capital == 'O' ? '0' : capital == 'I' || capital == 'L' ? '1' : capital;
  }
  return plain;
}

std::string ShownCode(std::string_view plain) {
  return absl::StrCat(std::string(plain.substr(0, 4)), "-", std::string(plain.substr(4)));
}

}  // namespace tilewarden::services
