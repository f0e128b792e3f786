#include "tests/virtual_table/story/story.h"

#include <memory>
#include <stdexcept>
#include <utility>

#include "tests/engine/referee/onlooker.h"
#include "tests/engine/referee/simulation.h"
#include "tests/virtual_table/story/player.h"

namespace tilewarden::virtual_table {
namespace {

class Teller : public engine::Onlooker {
 public:
  void Look(const engine::SimulatedTable& table, const engine::Game& truth,
            std::optional<engine::Cell> hand) override {
    story_.moments.push_back({table.tiles, table.figures, hand, NextPlayer(truth),
                              static_cast<int>(truth.turns().size())});
    story_.game.assign(1, truth);
  }
  void MistakeMade(const std::string& kind, const std::set<std::string>& codes) override {
    const std::size_t now = story_.moments.size();
    story_.mistakes.push_back({kind, codes, now, now, now});
  }
  void MistakePlain() override { story_.mistakes.back().plain = story_.moments.size(); }
  void MistakeOver() override { story_.mistakes.back().over = story_.moments.size() - 1; }

  Story Finish() { return std::move(story_); }

 private:
  Story story_;
};

}  // namespace

Story TellStory(const StoryPlan& plan) {
  Teller teller;
  engine::SimulatedGame evening;
  evening.config = {plan.preset, plan.set, plan.preset, plan.rules};
  evening.seed = static_cast<unsigned>(plan.seed);
  evening.players = plan.players;
  evening.errors = engine::NoErrors();
  evening.mistakes = plan.mistakes;
  evening.kind = plan.kind;
  evening.onlooker = &teller;

  const engine::Game fresh = engine::NewGame(evening.config, plan.players);
  GamePlan people_plan;
  people_plan.colours.clear();
  for (const auto& player : fresh.players()) people_plan.colours.push_back(player.colour);
  people_plan.seed = plan.seed;
  people_plan.max_columns = plan.max_columns;
  people_plan.max_rows = plan.max_rows;
  const auto people = std::make_shared<People>(fresh, people_plan);
  evening.people = [people, turns = plan.turns](const engine::Game& game) {
    return static_cast<int>(game.turns().size()) < turns ? people->NextTurn(game) : std::nullopt;
  };
  engine::PlayGame(evening);
  return teller.Finish();
}

}  // namespace tilewarden::virtual_table
