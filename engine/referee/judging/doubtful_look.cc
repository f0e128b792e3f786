// Looks in which much differs at once. Hands change one thing and then another; a lamp that is
// switched, or an arm that passes for a still table, changes many. Such a look is doubted until a
// second one agrees, and then nobody is accused of it.
#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

bool TileDiffers(const Mind& mind, const PlacedTile& laid, const Look& look) {
  const CellView& view = look.At(laid.cell);
  return !view.hidden &&
         (!view.tile || view.ProbabilityOf(mind.faces, laid.tile, laid.rotation) < kNotThisTile);
}

// A tile seems to have come: figures may have gone home.
bool TileCame(const Mind& mind, const Look& look) {
  return std::any_of(look.cells.begin(), look.cells.end(), [&](const auto& entry) {
    const auto& [cell, view] = entry;
    return view.tile && !view.hidden && mind.game().TileAt(cell) == nullptr &&
           NearBoard(mind.game(), cell);
  });
}

// Where the look shows it otherwise than the game has it, as no turn in play explains.
std::set<Cell> Differing(const Mind& mind, const Look& look) {
  std::set<Cell> differing, with_figure, sent_home;
  for (const PlacedFigure& figure : mind.game().Figures()) with_figure.insert(figure.cell);
  for (const SentHome& home : mind.ledger.sent_home()) sent_home.insert(home.cell);
  const bool came = TileCame(mind, look);
  const int last = static_cast<int>(mind.game().turns().size());
  for (const PlacedTile& laid : mind.game().PlacedTiles()) {
    const CellView& view = look.At(laid.cell);
    if (view.hidden) continue;
    if (TileDiffers(mind, laid, look)) differing.insert(laid.cell);
    const bool stands = with_figure.contains(laid.cell);
    const bool gone = stands && !came && view.figures.empty();
    const bool stray = !stands && laid.turn < last && !sent_home.contains(laid.cell) &&
                       mind.shown.figures.contains(laid.cell);
    if (gone || stray) differing.insert(laid.cell);
  }
  return differing;
}

}  // namespace

bool Believed(Mind& mind, const Look& look) {
  std::set<Cell> differing = Differing(mind, look);
  const auto since = std::count_if(differing.begin(), differing.end(),
                                   [&](Cell cell) { return !mind.shown.differing.contains(cell); });
  mind.shown.differing = std::move(differing);
  return static_cast<std::size_t>(since) < kMuchDiffers;
}

Conclusions NoteMuchDiffers(const Mind& mind, const Look& look) {
  std::vector<Cell> cells;
  for (const PlacedTile& laid : mind.game().PlacedTiles()) {
    if (TileDiffers(mind, laid, look)) cells.push_back(laid.cell);
  }
  if (cells.size() < kMuchDiffers) return {};
  return Wrong("board-differs", Severity::kNote, std::move(cells),
               "Several tiles look different from before. Do they still lie as they did?", kHalf);
}

}  // namespace tilewarden::engine
