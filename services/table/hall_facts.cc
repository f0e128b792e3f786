#include "services/table/hall_facts.h"

#include <algorithm>

#include "engine/tiles/index.h"

namespace tilewarden::services {
namespace {

// Clocks of machines are set back now and then.
std::int64_t Between(std::int64_t from_ms, std::int64_t to_ms) {
  return std::max<std::int64_t>(0, to_ms - from_ms);
}

void Run(bool running, std::int64_t time_ms, v1::GameClock* clock) {
  if (running == (clock->running_since_ms() != 0)) return;
  if (!running) {
    clock->set_turn_ms(clock->turn_ms() + Between(clock->running_since_ms(), time_ms));
  }
  clock->set_running_since_ms(running ? time_ms : 0);
}

// Something that a person must put right or answer.
bool Troubled(const engine::Referee& referee) {
  const auto& findings = referee.findings();
  return !referee.ended() && (!referee.questions().empty() ||
                              std::any_of(findings.begin(), findings.end(), [](const auto& f) {
                                return f.severity != engine::Severity::kNote;
                              }));
}

}  // namespace

void FollowPlay(const engine::Referee& after, std::int64_t time_ms, HallFacts* facts) {
  v1::GameClock& clock = facts->clock;
  const engine::Game* game = after.game();
  if (game != nullptr) {
    if (clock.began_ms() == 0) clock.set_began_ms(time_ms);
    const auto& turns = game->turns();
    const int played = static_cast<int>(turns.size());
    if (played != facts->turns) {
      const bool running = clock.running_since_ms() != 0;
      Run(false, time_ms, &clock);
      if (played > facts->turns && turns.back().player >= 0) {
        (*clock.mutable_thought_ms())[game->players()[engine::At(turns.back().player)].colour] +=
            clock.turn_ms();
      }
      clock.set_turn_ms(0);
      Run(running, time_ms, &clock);
      facts->turns = played;
    }
    Run(!after.ended() && !facts->call, time_ms, &clock);
  }
  const bool troubled = Troubled(after);
  if (troubled != (facts->troubled_since_ms != 0)) {
    facts->troubled_since_ms = troubled ? time_ms : 0;
  }
  facts->playing = game != nullptr && !after.ended();
}

void FollowCall(const v1::LoggedCall& called, std::int64_t time_ms, HallFacts* facts) {
  facts->call.reset();
  if (called.has_call()) facts->call = called.call();
  if (called.by_players()) ++facts->calls;
  Run(facts->playing && !facts->call, time_ms, &facts->clock);
}

}  // namespace tilewarden::services
