// The account of tiles: no more of a type can lie on the table than the box holds. Where they seem
// to, one was read wrongly, as a coat of arms that a figure covers is; only where none can have
// been is there a tile too many.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// One tile read as its twin counts as that.
int LeftWithTwins(const Mind& mind, int tile) {
  int left = 0;
  for (int twin = 0; twin < static_cast<int>(mind.tiles().types().size()); ++twin) {
    if (mind.faces.Twins(twin, tile)) left += mind.game().TilesLeft(twin);
  }
  return left;
}

// The turns of this type's tiles that may have laid another type instead, of which there are copies
// left: no look showed the tile clearly without a figure on it. They tell that turn.
std::vector<std::pair<int, Turn>> RatherOthers(const Mind& mind, int tile) {
  std::vector<std::pair<int, Turn>> others;
  const std::vector<Turn>& turns = mind.game().turns();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    const CellMemory* seen = mind.cells.Find(turn.cell);
    if (turn.tile != tile || turn.set_aside || !turn.deployment || seen == nullptr ||
        !seen->TakenBySight() || seen->OnceClearBare() || mind.ledger.TileByHand(turn.cell)) {
      continue;
    }
    for (int other = 0; other < static_cast<int>(mind.tiles().types().size()); ++other) {
      if (other == tile || LeftWithTwins(mind, other) <= 0) continue;
      int rotation = 0;
      while (rotation < 4 &&
             !mind.faces.SameButSmall(tile, turn.rotation, other, turn.rotation + rotation)) {
        ++rotation;
      }
      if (rotation == 4) continue;
      Turn instead = WithTile(mind.tiles(), turn, other, (turn.rotation + rotation) & 3);
      // Only where the figure stands can it cover anything.
      const auto& segments = mind.tiles().types()[At(other)].segments;
      if (!instead.deployment || CityMarks(segments[At(instead.deployment->segment)]) == 0) {
        continue;
      }
      others.emplace_back(static_cast<int>(i) + 1, std::move(instead));
    }
  }
  return others;
}

// What this turn's figure covers, if it does.
const char* MarkOf(const Mind& mind, const Turn& turn) {
  const auto& segments = mind.tiles().types()[At(turn.tile)].segments;
  return segments[At(turn.deployment->segment)].scrolls > 0 ? "a scroll?" : "a coat of arms?";
}

Doubt WhichCoat(const Mind& mind, const std::vector<std::pair<int, Turn>>& others) {
  Doubt doubt;
  doubt.text = Text("Which of these tiles shows ", MarkOf(mind, others.front().second));
  for (const auto& [number, turn] : others) {
    doubt.answers.push_back({Text("The one ", Where(turn.cell)),
                             {turn.cell},
                             turn,
                             1.0 / static_cast<double>(others.size())});
  }
  return doubt;
}

Conclusions TooMany(const Mind& mind, int tile) {
  const auto& laid = mind.game().PlacedTiles();
  const auto last = std::find_if(laid.rbegin(), laid.rend(),
                                 [&](const PlacedTile& placed) { return placed.tile == tile; });
  const CellMemory* seen = mind.cells.Find(last->cell);
  const bool sure = seen != nullptr && seen->evidence().looks() > 1 && seen->OnceClear();
  return Wrong("no-copies-left", Severity::kWarning, {last->cell},
               Text("Every copy of the tile ", Where(last->cell),
                    " is already on the board: does it belong to this box?"),
               sure ? 1 : kHalf);
}

// What the looks took this turn's tile for, where the game has it as another one because of the
// account, which has a copy left by now: one that was too many has been taken away again.
std::optional<Turn> AsItWasRead(const Mind& mind, const Turn& turn) {
  const CellMemory* seen = mind.cells.Find(turn.cell);
  if (turn.set_aside || !turn.deployment || seen == nullptr || !seen->TakenBySight() ||
      seen->OnceClearBare() || mind.ledger.FigureByHand(turn.cell) ||
      mind.ledger.TileByHand(turn.cell)) {
    return std::nullopt;
  }
  const double as_it_is = seen->evidence().LogLikelihoodOf(turn.tile, turn.rotation, mind.faces);
  for (const TileReading& read : seen->evidence().Shares()) {
    if (seen->evidence().LogLikelihoodOf(read.tile, read.rotation, mind.faces) >=
            as_it_is + kRevisingLead &&
        mind.faces.SameButSmall(turn.tile, turn.rotation, read.tile, read.rotation) &&
        LeftWithTwins(mind, read.tile) > 0) {
      return WithTile(mind.tiles(), turn, read.tile, read.rotation);
    }
  }
  return std::nullopt;
}

Doubt HasItACoat(const Mind& mind, const Turn& had, const Turn& with, double chance) {
  return {Text("Does the tile ", Where(had.cell), " show ", MarkOf(mind, with)),
          {{"No", {had.cell}, had, 1 - chance}, {"Yes", {had.cell}, with, chance}}};
}

}  // namespace

Conclusions AskCoats(Mind& mind) {
  const std::vector<Turn> turns = mind.game().turns();
  // Where a copy with a coat of arms is left, it lies here unread, or is the one that is left: as
  // often as coats of arms are hidden, the one to the other.
  const double hidden = mind.habits.ShareOfHiddenCoats();
  const double chance = hidden / (1 + hidden);
  Conclusions concluded;
  std::set<int> asked;
  for (const Turn& had : turns) {
    if (!had.deployment || !asked.insert(had.tile).second) continue;
    for (const auto& [number, with] : RatherOthers(mind, had.tile)) {
      const Turn& is = turns[At(number - 1)];
      std::vector<Turn> instead = turns;
      instead[At(number - 1)] = with;
      const std::optional<Game> story = mind.ledger.Replay(instead);
      if (!story || chance * PointsBetween(mind.game(), *story) < kWorthAsking) continue;
      concluded += Ask(&mind.ledger, number, HasItACoat(mind, is, with, chance));
    }
  }
  return concluded;
}

Conclusions ReviewCounts(Mind& mind) {
  const int types = static_cast<int>(mind.tiles().types().size());
  Conclusions concluded;
  // Once a figure has gone home, its tile is what it then shows.
  for (const PlacedFigure& figure : mind.game().Figures()) {
    const int number = mind.game().TileAt(figure.cell)->turn;
    if (number < 1) continue;
    if (const auto read = AsItWasRead(mind, mind.game().turns()[At(number - 1)])) {
      concluded +=
          SetTurn(&mind.ledger, number, *read, "a copy of what the tile seemed to be is left");
    }
  }
  for (int tile = 0; tile < types; ++tile) {
    if (mind.game().TilesLeft(tile) >= 0 || LeftWithTwins(mind, tile) >= 0) continue;
    const std::vector<std::pair<int, Turn>> others = RatherOthers(mind, tile);
    if (others.empty()) {
      concluded += TooMany(mind, tile);
    } else if (others.size() == 1) {
      const auto& [number, turn] = others.front();
      concluded += SetTurn(&mind.ledger, number, turn,
                           "every other copy of what the tile seemed to be lies elsewhere");
    } else {
      concluded += Ask(&mind.ledger, others.front().first, WhichCoat(mind, others));
    }
  }
  return concluded;
}

}  // namespace tilewarden::engine
