#include "services/base/leader.h"

#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {

absl::Status LedElsewhere(const std::string& game_id, const std::string& address) {
  absl::Status status = absl::UnavailableError(
      absl::StrCat("game ", game_id, " is led by the engine service at ", address,
                   "; ask that one, or try again: another one takes over when it is gone"));
  status.SetPayload(kLeaderMetadata, absl::Cord(address));
  return status;
}

std::optional<std::string> LeaderOf(const absl::Status& status) {
  const auto leader = status.GetPayload(kLeaderMetadata);
  if (!leader) return std::nullopt;
  return std::string(*leader);
}

}  // namespace tilewarden::services
