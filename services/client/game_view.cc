#include "services/client/game_view.h"

#include <algorithm>

namespace tilewarden::services {
namespace {

template <typename List, typename Predicate>
void EraseIf(List* list, Predicate predicate) {
  list->erase(std::remove_if(list->begin(), list->end(), predicate), list->end());
}

bool SamePlace(const v1::PlacedFigure& a, const v1::PlacedFigure& b) {
  return a.cell().x() == b.cell().x() && a.cell().y() == b.cell().y() &&
         a.segment() == b.segment() && a.colour() == b.colour() && a.kind() == b.kind();
}

void TakeTurn(const v1::TurnPlayed& turn, v1::GameState* state) {
  state->set_turn(turn.turn());
  state->clear_undo_playing_with();
  state->clear_undo_river();
  *state->add_tiles() = turn.tile();
  if (turn.has_deployed()) *state->add_figures() = turn.deployed();
  state->mutable_score_items()->MergeFrom(turn.score_items());
  for (const v1::PlacedFigure& home : turn.returned()) {
    EraseIf(state->mutable_figures(),
            [&](const v1::PlacedFigure& figure) { return SamePlace(figure, home); });
  }
  const auto left = state->mutable_tiles_left()->find(turn.tile().tile());
  if (left != state->mutable_tiles_left()->end() && left->second > 0) --left->second;
}

}  // namespace

bool Update(const v1::WatchGameResponse& message, v1::GameState* state) {
  if (message.has_state()) {
    *state = message.state();
    return true;
  }
  if (!message.has_event() || message.event().number() <= state->event_number()) return false;
  const v1::GameEvent& event = message.event();
  switch (event.what_case()) {
    case v1::GameEvent::kCreated:
      *state = event.created();
      break;
    case v1::GameEvent::kRevised:
      *state = event.revised().state();
      break;
    case v1::GameEvent::kTurnPlayed:
      TakeTurn(event.turn_played(), state);
      break;
    case v1::GameEvent::kFindingRaised:
      *state->add_findings() = event.finding_raised();
      break;
    case v1::GameEvent::kFindingCleared:
      EraseIf(state->mutable_findings(), [&](const v1::Finding& finding) {
        return finding.id() == event.finding_cleared().id();
      });
      break;
    case v1::GameEvent::kQuestionAsked:
      *state->add_questions() = event.question_asked();
      break;
    case v1::GameEvent::kQuestionClosed:
      EraseIf(state->mutable_questions(), [&](const v1::Question& question) {
        return question.id() == event.question_closed().id();
      });
      break;
    case v1::GameEvent::kEnded:
      state->set_phase(v1::GAME_PHASE_ENDED);
      state->mutable_score_items()->MergeFrom(event.ended().final_items());
      break;
    case v1::GameEvent::kPlayerJoined:
    case v1::GameEvent::WHAT_NOT_SET:
      break;
  }
  if (event.has_clock()) *state->mutable_clock() = event.clock();
  *state->mutable_players() = event.players();
  state->set_to_move(event.to_move());
  state->set_event_number(event.number());
  return true;
}

}  // namespace tilewarden::services
