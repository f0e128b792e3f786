// What a turn does with figures that belong to nobody, as far as the tile it lays asks for it:
// where the Ark enters, and where the Gingerbread Man goes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "engine/referee/codes.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// Segments of the tile under the Gingerbread Man that are cities, the likeliest first.
std::vector<Place> CitiesUnder(const Mind& mind, const FigureView& man, Cell cell, int tile,
                               int rotation) {
  const std::vector<double> shares = mind.segments.Likelihoods(man, tile, rotation);
  std::vector<std::pair<double, Place>> cities;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (mind.tiles().types()[At(tile)].segments[s].kind != SegmentKind::kCity) continue;
    cities.push_back({shares[s], {cell, static_cast<int>(s)}});
  }
  std::stable_sort(cities.begin(), cities.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Place> places;
  for (const auto& [share, place] : cities) places.push_back(place);
  return places;
}

// The cities that he seems to stand in, once the tile of this turn lies.
std::vector<Place> SeenIn(const Mind& mind, const Turn& turn, const Game& before,
                          const Look& look) {
  const auto man = SeenNeutral(look, FigureKind::kGingerbreadMan);
  if (!man) return {};
  const auto& [cell, view] = *man;
  if (cell == turn.cell) return CitiesUnder(mind, *view, cell, turn.tile, turn.rotation);
  const PlacedTile* laid = before.TileAt(cell);
  if (laid == nullptr) return {};
  return CitiesUnder(mind, *view, cell, laid->tile, laid->rotation);
}

// Moves him to one of the wishes in this turn, else wherever he may go.
void MoveGingerbreadMan(Turn* turn, const Game& before, const std::vector<Place>& targets,
                        const std::vector<Place>& wishes) {
  // Tried out and taken back: Check would copy the game for each.
  Game scratch = before;
  const auto legal = [&] {
    Refusal refusal;
    if (!scratch.Apply(*turn, &refusal)) return !FamilyOf(refusal.code).neutral_figure;
    scratch.Undo();
    return true;
  };
  for (const Place& wish : wishes) {
    turn->gingerbread = {wish};
    if (legal()) return;
    for (const Place& first : targets) {
      turn->gingerbread = {first, wish};
      if (legal()) return;
    }
  }
  // He stands elsewhere still: somebody will move him.
  for (const Place& first : targets) {
    turn->gingerbread = {first};
    if (legal()) return;
    for (const Place& second : targets) {
      turn->gingerbread = {first, second};
      if (legal()) return;
    }
  }
  turn->gingerbread.clear();
}

}  // namespace

std::optional<std::pair<Cell, const FigureView*>> SeenNeutral(const Look& look, FigureKind kind) {
  std::optional<std::pair<Cell, const FigureView*>> best;
  for (const auto& [cell, figure] : look.neutral) {
    if (figure.seen.kind != kind || figure.seen.probability < kNeutralSeen) continue;
    if (best && best->second->seen.probability >= figure.seen.probability) continue;
    best = {cell, &figure};
  }
  return best;
}

void FillNeutral(const Mind& mind, Turn* turn, const Game& before, const Look& look) {
  const Placement at = {turn->cell, turn->rotation};
  if (before.rules().ark != ArkEdition::kNone) {
    const std::vector<Cell> landings = before.ArkLandings(turn->tile, at);
    if (!landings.empty()) {
      const auto ark = SeenNeutral(look, FigureKind::kArk);
      const bool there =
          ark && std::find(landings.begin(), landings.end(), ark->first) != landings.end();
      turn->ark_landing = there ? ark->first : landings.front();
    }
  }
  const std::vector<Place> targets = before.GingerbreadTargets(turn->tile, at);
  if (!targets.empty())
    MoveGingerbreadMan(turn, before, targets, SeenIn(mind, *turn, before, look));
}

Conclusions ReviewGingerbreadMan(Mind& mind, const Look& look, int amendable_from) {
  if (!mind.game().rules().gingerbread) return {};
  const auto man = SeenNeutral(look, FigureKind::kGingerbreadMan);
  if (!man) return {};
  const Cell cell = man->first;
  const PlacedTile* laid = mind.game().TileAt(cell);
  if (laid == nullptr) return {};
  const std::vector<Place> cities =
      CitiesUnder(mind, *man->second, cell, laid->tile, laid->rotation);
  if (cities.empty()) return {};
  const Place seen = cities.front();
  const std::optional<Place> his = mind.game().gingerbread_man();
  if (his) {
    const std::vector<Place> city = mind.game().FeatureAt(his->cell, his->segment).places;
    if (std::find(city.begin(), city.end(), seen) != city.end()) return {};
  }
  const int count = static_cast<int>(mind.game().turns().size());
  for (int number = count; number >= std::max(1, amendable_from); --number) {
    Turn turn = mind.game().turns()[At(number - 1)];
    if (turn.gingerbread.empty()) continue;
    turn.gingerbread.back() = seen;
    Conclusions set = SetTurn(&mind.ledger, number, turn, "the Gingerbread Man went elsewhere");
    if (set.done) return set;
  }
  if (!his) return {};  // beside the board, as far as the rules are concerned
  return Wrong("gingerbread-moved", Severity::kIllegal, {cell, his->cell},
               Text("The Gingerbread Man belongs ", Where(his->cell), ": put him there."), kHalf);
}

}  // namespace tilewarden::engine
