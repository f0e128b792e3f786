#include "services/store/store_address.h"

#include <algorithm>
#include <cctype>

#include "absl/strings/match.h"

namespace tilewarden::services {
namespace {

constexpr const char* kHidden = "***";

bool NamesASecret(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // An escaped name may hide one.
  return absl::StrContains(name, "password") || absl::StrContains(name, '%');
}

}  // namespace

bool IsPostgresAddress(const std::string& text) {
  return absl::StartsWith(text, "postgresql://") || absl::StartsWith(text, "postgres://");
}

std::string WithoutSecrets(const std::string& text) {
  const auto scheme = text.find("://");
  if (scheme == std::string::npos) return text;
  std::string out = text;
  // Whatever may belong to a password goes: one that is not escaped may hold
  // any of the address's own characters.
  const auto at = out.rfind('@');
  const auto colon = out.find(':', scheme + 3);
  if (at != std::string::npos && colon < at) out.replace(colon + 1, at - colon - 1, kHidden);
  auto key = out.find('?');
  while (key != std::string::npos) {
    const auto end = out.find('&', key + 1);
    const auto equals = out.find('=', key);
    if (equals < end && NamesASecret(out.substr(key + 1, equals - key - 1))) {
      out.replace(equals + 1, end == std::string::npos ? end : end - equals - 1, kHidden);
    }
    key = out.find('&', key + 1);
  }
  return out;
}

}  // namespace tilewarden::services
