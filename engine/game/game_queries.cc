// What can be asked of a game at any moment; nothing here changes it.
#include <algorithm>
#include <set>

#include "engine/game/game.h"

namespace tilewarden::engine {

const PlacedTile* Game::TileAt(Cell cell) const {
  const int number = board_.At(cell);
  return number < 0 ? nullptr : &laid_[static_cast<std::size_t>(number)];
}

int Game::TilesLeft(int tile) const {
  if (tile < 0 || tile >= static_cast<int>(left_.size())) return 0;
  return left_[static_cast<std::size_t>(tile)];
}

bool Game::IsOver() const {
  bool left = false;
  PlacementList placements;
  for (int tile = 0; tile < static_cast<int>(left_.size()); ++tile) {
    if (TilesLeft(tile) <= 0) continue;
    left = true;
    LegalPlacements(tile, &placements);
    if (!placements.empty()) return false;
  }
  // Tiles that fit nowhere and go back to the bag would be drawn for ever.
  return !left || rules_.ends_when_none_fits || rules_.unplaceable_returns;
}

PlacedFigure Game::Describe(const Figure& figure) const {
  return {figure.player, figure.kind,
          laid_[static_cast<std::size_t>(features_.at(figure.node).tile)].cell,
          SegmentOf(figure.node)};
}

std::vector<PlacedFigure> Game::Figures() const {
  std::vector<PlacedFigure> out;
  out.reserve(figures_.size());
  for (const Figure& figure : figures_) out.push_back(Describe(figure));
  return out;
}

std::vector<ScoreItem> Game::score_items() const {
  std::vector<ScoreItem> out;
  out.reserve(items_.size());
  for (const Item& item : items_) out.push_back(Describe(item));
  return out;
}

std::vector<Cell> Game::CellsOf(int node) const {
  std::vector<Cell> cells;
  cells.reserve(static_cast<std::size_t>(features_.at(features_.Find(node)).size));
  features_.ForEach(node, [&](int i) {
    cells.push_back(laid_[static_cast<std::size_t>(features_.at(i).tile)].cell);
  });
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

int Game::OpenCellsOf(int root) const {
  std::set<Cell> cells;
  features_.ForEach(root, [&](int node) {
    const PlacedTile& tile = laid_[static_cast<std::size_t>(features_.at(node).tile)];
    for (const Side side : kSides) {
      if (!(SegmentAt(node).sides >> static_cast<int>(Rotated(side, -tile.rotation)) & 1)) continue;
      const Cell next = Neighbour(tile.cell, side);
      if (board_.At(next) < 0) cells.insert(next);
    }
  });
  return static_cast<int>(cells.size());
}

Game::Feature Game::FeatureAt(Cell cell, int segment) const {
  Feature out;
  const int number = board_.At(cell);
  if (number < 0 || segment < 0 || segment >= static_cast<int>(TileOf(number).parts.size())) {
    return out;
  }
  const int root = features_.Find(NodeAt(number, segment));
  const Features::Node& feature = features_.at(root);
  out.kind = feature.kind;
  out.open_edges = feature.open;
  if (feature.kind == SegmentKind::kField) {
    out.completed_cities = static_cast<int>(CompletedCitiesBeside(root).size());
    features_.ForEach(root, [&](int node) {
      const PlacedTile& tile = laid_[static_cast<std::size_t>(features_.at(node).tile)];
      for (int half = 0; half < 8; ++half) {
        if (!(SegmentAt(node).half_edges >> half & 1)) continue;
        const Side side = SideOfHalfEdge(RotatedHalfEdge(half, tile.rotation));
        if (board_.At(Neighbour(tile.cell, side)) < 0) ++out.open_edges;
      }
    });
  }
  out.complete = feature.kind != SegmentKind::kField && feature.kind != SegmentKind::kRiver &&
                 IsComplete(root);
  out.cells = CellsOf(root);
  features_.ForEach(root, [&](int node) { out.places.push_back({CellOf(node), SegmentOf(node)}); });
  std::sort(out.places.begin(), out.places.end());
  // A temple is for whoever has most on its cross, until it is surrounded.
  const bool temple = feature.kind == SegmentKind::kTemple;
  const std::uint64_t figures = !temple            ? feature.figures
                                : feature.open > 0 ? FiguresAroundTemple(root)
                                                   : 0;
  std::uint64_t most = 0;
  for (int player = 0; player < kMaxPlayers; ++player) {
    most = std::max(most, figures >> (8 * player) & 0xFF);
  }
  for (int player = 0; player < kMaxPlayers; ++player) {
    if (most > 0 && (figures >> (8 * player) & 0xFF) == most) out.owners.push_back(player);
  }
  for (const Figure& figure : figures_) {
    if (features_.Find(figure.node) == root) out.figures.push_back(Describe(figure));
  }
  out.worth_complete = WorthOf(root, true, OpenCellsOf(root)).points;
  out.worth_now = WorthOf(root, out.complete).points;
  if (!rules_.final_incomplete && feature.kind != SegmentKind::kField && !out.complete) {
    out.worth_now = 0;
  }
  return out;
}

std::vector<std::pair<Cell, int>> Game::AllFeatures() const {
  std::vector<std::pair<Cell, int>> out;
  std::set<int> seen;
  for (int node = 0; node < features_.size(); ++node) {
    if (!seen.insert(features_.Find(node)).second) continue;
    out.emplace_back(laid_[static_cast<std::size_t>(features_.at(node).tile)].cell,
                     SegmentOf(node));
  }
  return out;
}

std::size_t Game::MemoryUsed() const {
  const auto bytes = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  std::size_t total = sizeof(*this) + board_.MemoryUsed() + features_.MemoryUsed();
  total += bytes(players_) + bytes(laid_) + bytes(first_node_) + bytes(river_entry_);
  total += bytes(left_) + bytes(figures_) + bytes(items_) + bytes(returned_);
  total += bytes(turns_) + bytes(steps_);
  for (const Turn& turn : turns_) total += bytes(turn.ark_path) + bytes(turn.gingerbread);
  return total;
}

}  // namespace tilewarden::engine
