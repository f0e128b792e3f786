// What can be asked of a game at any moment; nothing here changes it.
#include <algorithm>
#include <set>

#include "engine/game/game.h"

namespace tilewarden::engine {

const PlacedTile* Game::TileAt(Cell cell) const {
  const int number = position_.board().At(cell);
  return number < 0 ? nullptr : &position_.Laid(number);
}

bool Game::IsOver() const {
  bool left = false;
  PlacementList placements;
  for (int tile = 0; tile < position_.types(); ++tile) {
    if (TilesLeft(tile) <= 0) continue;
    left = true;
    LegalPlacements(tile, &placements);
    if (!placements.empty()) return false;
  }
  // Otherwise tiles that fit nowhere and go back to the bag would be drawn for ever.
  return !left || rules().ends_when_none_fits || rules().unplaceable_returns;
}

PlacedFigure Game::Describe(const Position::Figure& figure) const {
  const Place place = position_.PlaceOf(figure.node);
  return {figure.player, figure.kind, place.cell, place.segment};
}

std::vector<PlacedFigure> Game::Figures() const {
  std::vector<PlacedFigure> out;
  out.reserve(position_.figures().size());
  for (const Position::Figure& figure : position_.figures()) out.push_back(Describe(figure));
  return out;
}

std::vector<ScoreItem> Game::score_items() const {
  std::vector<ScoreItem> out;
  out.reserve(position_.items().size());
  for (const Position::Item& item : position_.items()) out.push_back(scoring().Describe(item));
  return out;
}

std::vector<ScoreItem> Game::ScoreIfEndedNow() const {
  const std::vector<Position::Item> items = scoring().Final();
  std::vector<ScoreItem> out;
  out.reserve(items.size());
  for (const Position::Item& item : items) out.push_back(scoring().Describe(item));
  return out;
}

Game::Feature Game::FeatureAt(Cell cell, int segment) const {
  Feature out;
  const int node = position_.NodeAt(Place{cell, segment});
  if (node < 0) return out;
  const Features& features = position_.features();
  const int root = features.Find(node);
  const Features::Node& feature = features.at(root);
  out.kind = feature.kind;
  out.open_edges = feature.open;
  if (feature.kind == SegmentKind::kField) {
    out.completed_cities = static_cast<int>(scoring().CompletedCitiesBeside(root).size());
    features.ForEach(root, [&](int part) {
      const PlacedTile& tile = position_.Laid(features.at(part).tile);
      for (int half = 0; half < 8; ++half) {
        if (!(position_.SegmentAt(part).half_edges >> half & 1)) continue;
        const Side side = SideOfHalfEdge(RotatedHalfEdge(half, tile.rotation));
        if (position_.board().At(Neighbour(tile.cell, side)) < 0) ++out.open_edges;
      }
    });
  }
  out.complete = feature.kind != SegmentKind::kField && feature.kind != SegmentKind::kRiver &&
                 position_.IsComplete(root);
  out.cells = position_.CellsOf(root);
  if (feature.kind == SegmentKind::kCity && feature.open == 0) out.gaps = position_.GapsIn(root);
  features.ForEach(root, [&](int part) { out.places.push_back(position_.PlaceOf(part)); });
  std::sort(out.places.begin(), out.places.end());
  // Figures stay on a temple that was surrounded and has paid: nobody has it then.
  const bool paid = feature.kind == SegmentKind::kTemple && feature.open == 0;
  ForEachOwner(paid ? 0 : scoring().Claimants(root),
               [&](int player) { out.owners.push_back(player); });
  for (const Position::Figure& figure : position_.figures()) {
    if (features.Find(figure.node) == root) out.figures.push_back(Describe(figure));
  }
  out.worth_complete = scoring().WorthOf(root, true, scoring().OpenCellsOf(root)).points;
  out.worth_now = scoring().MostFor(root, out.complete, out.owners);
  if (!rules().final_incomplete && feature.kind != SegmentKind::kField && !out.complete) {
    out.worth_now = 0;
  }
  return out;
}

GoodsTokens Game::TokensOf(int player) const {
  GoodsTokens tokens;
  parts_.ForEach([&](const Part& part) { part.CountTokens(position_, player, &tokens); });
  return tokens;
}

std::vector<std::pair<Cell, int>> Game::AllFeatures() const {
  std::vector<std::pair<Cell, int>> out;
  std::set<int> seen;
  for (int node = 0; node < position_.features().size(); ++node) {
    if (!seen.insert(position_.features().Find(node)).second) continue;
    out.emplace_back(position_.CellOf(node), position_.SegmentOf(node));
  }
  return out;
}

std::size_t Game::MemoryUsed() const {
  const auto bytes = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  std::size_t total = sizeof(*this) + position_.MemoryUsed() + parts_.MemoryUsed();
  total += bytes(turns_) + bytes(marks_);
  for (const Turn& turn : turns_) total += bytes(turn.ark_path) + bytes(turn.gingerbread);
  return total;
}

}  // namespace tilewarden::engine
