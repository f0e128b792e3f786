// Any bytes as turns: each is applied or refused as Check says, and undoing all
// of them leads back to the start.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tests/engine/game/random_game.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tilewarden::engine;
  std::size_t at = 0;
  const auto next = [&](int low, int high) {
    const int byte = at < size ? data[at] : 0;
    ++at;
    return low + byte % (high - low + 1);
  };
  // Loading a tile set takes longer than playing with it.
  static const std::vector<Game> kNewGames = [] {
    std::vector<Game> games;
    for (const GameConfig& config : AllConfigs()) games.push_back(NewGame(config, 3));
    return games;
  }();
  Game game = kNewGames[static_cast<std::size_t>(next(0, static_cast<int>(kNewGames.size()) - 1))];
  const int types = static_cast<int>(game.tile_set().types().size());
  std::size_t applied = 0;
  while (at < size) {
    Turn turn;
    turn.player = next(-1, 3);
    turn.tile = next(-1, types);
    const auto legal = game.LegalPlacements(turn.tile);
    const int how = next(0, 15);
    if (how > 0 && !legal.empty()) {
      const Placement& place = legal[static_cast<std::size_t>(next(0, 255)) % legal.size()];
      turn.cell = place.cell;
      turn.rotation = place.rotation;
    } else {
      turn.cell = {next(-9, 9), next(-9, 9)};
      turn.rotation = next(-1, 4);
    }
    const auto cell = [&] { return Cell{next(-4, 4), next(-4, 4)}; };
    switch (next(0, 7)) {
      case 0:
        turn.recall = cell();
        break;
      case 1:
        for (int i = next(0, 6); i > 0; --i) turn.ark_path.push_back(cell());
        break;
      case 2:
        turn.set_aside = true;
        break;
      case 3:
        break;
      default:
        turn.deployment = {static_cast<FigureKind>(next(0, 4)), next(-1, 9)};
    }
    const auto landings = game.ArkLandings(turn.tile, {turn.cell, turn.rotation & 3});
    if (!landings.empty()) turn.ark_landing = landings[0];
    if (how == 1) turn.ark_landing = cell();
    const auto targets = game.GingerbreadTargets(turn.tile, {turn.cell, turn.rotation & 3});
    if (!targets.empty() && how != 2) turn.gingerbread.push_back(targets[0]);
    if (how == 3) turn.gingerbread.push_back({cell(), next(-1, 9)});
    const bool refused = game.Check(turn).has_value();
    if (game.Apply(turn).has_value() == refused) __builtin_trap();
    if (!refused) ++applied;
    if (game.turns().size() != applied) __builtin_trap();
  }
  game.ScoreIfEndedNow();
  for (const auto& [where, segment] : game.AllFeatures()) game.FeatureAt(where, segment);
  while (game.Undo()) {
  }
  for (const PlayerState& player : game.players()) {
    if (player.score != 0 || player.followers() != game.rules().followers) __builtin_trap();
  }
  return 0;
}
