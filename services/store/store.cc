#include "services/store/store.h"

#include "absl/strings/str_cat.h"
#include "services/store/store_address.h"

namespace tilewarden::services {

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
