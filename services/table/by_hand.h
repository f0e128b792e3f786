// What a person does to a game, judged by its referee: for the calls that do it
// and for those that only ask what it would do. The referee is changed; errors
// are those of the calls in game.proto.
#pragma once

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "services/table/table.h"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

absl::Status GameHasEnded();
absl::StatusOr<Table::Judgement> PlayByHand(const v1::Turn& turn, engine::Referee& referee);
// `number` from 1. An empty colour takes the player of the turn to correct.
absl::StatusOr<Table::Judgement> CorrectByHand(std::uint32_t number, v1::Turn turn,
                                               engine::Referee& referee);
absl::StatusOr<Table::Judgement> PointsByHand(const v1::PointsChange& change,
                                              engine::Referee& referee);
absl::StatusOr<Table::Judgement> UndoByHand(engine::Referee& referee);

}  // namespace tilewarden::services
