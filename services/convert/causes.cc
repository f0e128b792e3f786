#include "services/convert/causes.h"

#include <array>
#include <string>
#include <utility>

namespace tilewarden::services {
namespace {

using engine::RevisionCause;

constexpr std::array<std::pair<RevisionCause, v1::RevisionCause>, 5> kCauses = {{
    {RevisionCause::kObserved, v1::REVISION_CAUSE_OBSERVED},
    {RevisionCause::kClaimConcluded, v1::REVISION_CAUSE_CLAIM_CONCLUDED},
    {RevisionCause::kCorrectedByHand, v1::REVISION_CAUSE_CORRECTED_BY_HAND},
    {RevisionCause::kTakenBackByHand, v1::REVISION_CAUSE_TAKEN_BACK_BY_HAND},
    {RevisionCause::kAnswered, v1::REVISION_CAUSE_ANSWERED},
}};
static_assert(kCauses.size() + 1 == v1::RevisionCause_ARRAYSIZE, "a cause is missing");

// Nothing: none is stored.
absl::StatusOr<std::optional<RevisionCause>> Stored(v1::RevisionCause cause) {
  if (cause == v1::REVISION_CAUSE_UNSPECIFIED) return std::nullopt;
  for (const auto& [ours, message] : kCauses) {
    if (message == cause) return ours;
  }
  return absl::DataLossError("it revises turns for a cause that this program does not know");
}

// Logs from before causes were stored say by their sentence alone why turns were revised. These
// are the sentences that they were written with; nothing else reads one.
RevisionCause CauseOfOldSentence(const std::string& reason) {
  if (reason == "corrected by hand") return RevisionCause::kCorrectedByHand;
  if (reason == "taken back by hand") return RevisionCause::kTakenBackByHand;
  if (reason == "answered by a player") return RevisionCause::kAnswered;
  if (reason == "a hand came back to what the tile completed") {
    return RevisionCause::kClaimConcluded;
  }
  return RevisionCause::kObserved;
}

// Likewise of a board that was found: a flag told that a person put it right, and the board as it
// was first seen had no sentence.
std::optional<RevisionCause> CauseOfOldBoard(const v1::LoggedBoard& board) {
  if (board.by_hand()) return RevisionCause::kCorrectedByHand;
  if (board.reason().empty()) return std::nullopt;
  return RevisionCause::kObserved;
}

}  // namespace

v1::RevisionCause ToProto(RevisionCause cause) {
  for (const auto& [ours, message] : kCauses) {
    if (ours == cause) return message;
  }
  return v1::REVISION_CAUSE_UNSPECIFIED;
}

absl::StatusOr<RevisionCause> CauseOf(const v1::LoggedRevision& revision) {
  const auto stored = Stored(revision.cause());
  if (!stored.ok()) return stored.status();
  return stored->value_or(CauseOfOldSentence(revision.reason()));
}

absl::StatusOr<std::optional<RevisionCause>> CauseOf(const v1::LoggedBoard& board) {
  const auto stored = Stored(board.cause());
  if (!stored.ok()) return stored.status();
  return *stored ? *stored : CauseOfOldBoard(board);
}

}  // namespace tilewarden::services
