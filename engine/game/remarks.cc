#include "engine/game/remarks.h"

#include <algorithm>

#include "engine/game/stack.h"
#include "engine/tiles/compiled_tile.h"
#include "engine/tiles/index.h"

namespace tilewarden::engine {
namespace {

bool IsRiver(const Game& game, int tile) {
  return game.tile_set().compiled()[At(tile)].river_sides != 0;
}

// The river's ends that are drawn after its other tiles.
bool ComesLast(const Game& game, int tile) {
  const TileSet& tiles = game.tile_set();
  const std::vector<int>& lakes = tiles.last();
  if (tile == tiles.start_tile()) return true;
  return !game.rules().lakes_mixed && std::find(lakes.begin(), lakes.end(), tile) != lakes.end();
}

// Whether a tile of the river is left that can be laid; `middle`: that is none of its ends.
bool RiverGoesOn(const Game& game, bool middle) {
  for (int tile = 0; tile < static_cast<int>(game.tile_set().types().size()); ++tile) {
    if (!IsRiver(game, tile) || game.TilesLeft(tile) <= 0) continue;
    if (middle && ComesLast(game, tile)) continue;
    PlacementList placements;
    game.LegalPlacements(tile, &placements);
    if (!placements.empty()) return true;
  }
  return false;
}

// Whether the fork had to be laid in this turn, the first one with a tile.
bool ForkWasDue(const Game& game, const Turn& turn) {
  const int fork = game.tile_set().second();
  const Rules& rules = game.rules();
  return fork >= 0 && turn.tile != fork && game.TilesLeft(fork) > 0 && !rules.river_shuffled &&
         !rules.river_in_two_stacks &&
         game.PlacedTiles().size() == 2 + game.tile_set().more_start_tiles().size();
}

void AddRiver(const Game& game, const Turn& turn, std::vector<Refusal>* remarks) {
  const Rules& rules = game.rules();
  const bool mixed_in = rules.start_tile_mixed && turn.tile == game.tile_set().replaced_start();
  if (!IsRiver(game, turn.tile)) {
    if (mixed_in || !RiverGoesOn(game, false)) return;
    remarks->push_back({"river-first",
                        "The river's tiles are laid before all others (The River, placing a tile).",
                        {turn.cell}});
  } else if (ForkWasDue(game, turn)) {
    remarks->push_back({"fork-first",
                        "The fork is laid right after the source (The River II, preparation).",
                        {turn.cell}});
  } else if (!rules.river_shuffled && ComesLast(game, turn.tile)) {
    Game before(game);
    before.Undo();
    if (!RiverGoesOn(before, true)) return;
    remarks->push_back({"lake-last",
                        "The river's ends are laid after its other tiles (The River, preparation).",
                        {turn.cell}});
  }
}

void AddCities(const Game& game, const Turn& turn, std::vector<Refusal>* remarks) {
  const auto& segments = game.tile_set().types()[At(turn.tile)].segments;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i].kind != SegmentKind::kCity) continue;
    const Game::Feature city = game.FeatureAt(turn.cell, static_cast<int>(i));
    if (!city.complete || city.gaps.empty()) continue;
    remarks->push_back({"city-around-gap",
                        "This city goes around an empty cell and counts as complete. The booklets "
                        "say \"no holes in the city\"; with the option cities_must_be_filled it "
                        "waits until the cell is filled (Scoring a city).",
                        city.gaps});
    return;
  }
}

}  // namespace

std::vector<Refusal> RemarksOn(const Game& game) {
  std::vector<Refusal> remarks;
  if (game.turns().empty() || game.turns().back().set_aside) return remarks;
  const Turn& turn = game.turns().back();
  if (game.TilesLeft(turn.tile) < 0) {
    remarks.push_back(
        {"no-copies-left", "Every copy of this tile lay on the board already.", {turn.cell}});
  }
  if (IsRiver(game, game.tile_set().start_tile())) AddRiver(game, turn, &remarks);
  AddCities(game, turn, &remarks);
  return remarks;
}

}  // namespace tilewarden::engine
