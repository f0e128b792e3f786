#include "services/table/by_hand.h"

#include "absl/strings/str_cat.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

// No feature of any edition is worth more.
constexpr int kMostPoints = 500;
constexpr std::size_t kLongestReason = 200;

}  // namespace

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
  const engine::Game* game = referee.game();
  if (game == nullptr || number > game->turns().size() || (number == 0 && game->Found().empty())) {
    return absl::OutOfRangeError(absl::StrCat("turn_number: there is no turn ", number));
  }
  const int player = number == 0 ? -1 : game->turns()[number - 1].player;
  if (turn.colour().empty() && player >= 0) {
    turn.set_colour(game->players()[static_cast<std::size_t>(player)].colour);
  }
  auto wanted = FromProto(turn, referee);
  if (!wanted.ok()) return wanted.status();
  // Nobody knows whose it was: so it stays, until somebody says or a figure tells.
  if (number > 0 && turn.colour().empty() && !turn.has_deployment()) wanted->player = player;
  return referee.CorrectTurn(static_cast<int>(number), *wanted);
}

absl::StatusOr<Table::Judgement> PointsByHand(const v1::PointsChange& change,
                                              engine::Referee& referee) {
  // Both ends: the smallest number has no opposite.
  if (change.points() == 0 || change.points() > kMostPoints || change.points() < -kMostPoints) {
    return absl::InvalidArgumentError(
        absl::StrCat("points: give 1 to ", kMostPoints, " points, or take them away"));
  }
  if (change.reason().empty() || change.reason().size() > kLongestReason) {
    return absl::InvalidArgumentError(
        absl::StrCat("reason: say why, in 1 to ", kLongestReason, " characters"));
  }
  auto judged = referee.ChangePoints(change.colour(), change.points(), change.reason());
  if (const auto* refusal = std::get_if<engine::Refusal>(&judged)) {
    return absl::InvalidArgumentError(absl::StrCat("colour: ", refusal->text));
  }
  return judged;
}

absl::StatusOr<Table::Judgement> UndoByHand(engine::Referee& referee) {
  auto events = referee.UndoTurn();
  if (events.empty()) return absl::FailedPreconditionError("there is no turn to take back");
  return events;
}

}  // namespace tilewarden::services
