#include "services/by_hand.h"

#include "absl/strings/str_cat.h"
#include "services/convert.h"

namespace tilewarden::services {

absl::Status GameHasEnded() {
  return absl::FailedPreconditionError("the game has ended; start a new one");
}

absl::StatusOr<Table::Judgement> PlayByHand(const v1::Turn& turn, engine::Referee& referee) {
  if (referee.ended()) return GameHasEnded();
  const auto wanted = FromProto(turn, referee);
  if (!wanted.ok()) return wanted.status();
  return referee.PlayTurn(*wanted);
}

absl::StatusOr<Table::Judgement> CorrectByHand(std::uint32_t number, v1::Turn turn,
                                               engine::Referee& referee) {
  if (referee.game() == nullptr || number < 1 || number > referee.game()->turns().size()) {
    return absl::OutOfRangeError(absl::StrCat("turn_number: there is no turn ", number));
  }
  const int player = referee.game()->turns()[number - 1].player;
  if (turn.colour().empty() && player >= 0) {
    turn.set_colour(referee.game()->players()[static_cast<std::size_t>(player)].colour);
  }
  const auto wanted = FromProto(turn, referee);
  if (!wanted.ok()) return wanted.status();
  return referee.CorrectTurn(static_cast<int>(number), *wanted);
}

absl::StatusOr<Table::Judgement> UndoByHand(engine::Referee& referee) {
  auto events = referee.UndoTurn();
  if (events.empty()) return absl::FailedPreconditionError("there is no turn to take back");
  return events;
}

}  // namespace tilewarden::services
