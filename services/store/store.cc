#include "services/store/store.h"

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "services/store/store_address.h"

namespace tilewarden::services {

std::optional<std::uint64_t> Follows(const Change& change) {
  if (change.as_of) return change.as_of;
  if (change.entries.empty()) return std::nullopt;
  return change.entries.front().number - 1;
}

absl::Status Overtaken(const std::string& game_id) {
  return absl::AbortedError(absl::StrCat("somebody else has written to game ", game_id));
}

bool HoldsText(std::string_view bytes, std::string_view text) {
  const auto same = [](char a, char b) {
    return absl::ascii_tolower(static_cast<unsigned char>(a)) ==
           absl::ascii_tolower(static_cast<unsigned char>(b));
  };
  return std::search(bytes.begin(), bytes.end(), text.begin(), text.end(), same) != bytes.end();
}

absl::StatusOr<std::unique_ptr<Store>> OpenStore(const std::string& address,
                                                 const std::filesystem::path& data) {
  if (address.empty()) return OpenSqliteStore(data / "games.sqlite");
  if (IsPostgresAddress(address)) return OpenPostgresStore(address);
  return absl::InvalidArgumentError(absl::StrCat(
      "--store: '", WithoutSecrets(address),
      "' is not a store; write postgresql://USER@HOST/NAME, or nothing for the file in "
      "the data folder"));
}

}  // namespace tilewarden::services
