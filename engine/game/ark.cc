// The Ark of the Covenant: when it enters, how it moves, and whom it pays.
#include <cstdlib>

#include "engine/game/game.h"

namespace tilewarden::engine {
namespace {

constexpr int kLongestMove = 5;
constexpr int kFirstArkPoints = 2;
constexpr int kReachedTemplePoints = 3;

int Distance(Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

}  // namespace

bool Game::HasTemple(Cell cell) const {
  const int number = board_.At(cell);
  if (number < 0) return false;
  const auto& parts = TileOf(number).parts;
  return std::any_of(parts.begin(), parts.end(), [](const CompiledTile::Part& part) {
    return part.kind == SegmentKind::kTemple;
  });
}

std::optional<Refusal> Game::CheckArkMove(const Turn& turn) const {
  const auto refuse = [&](std::string code, std::string text) {
    std::vector<Cell> cells = turn.ark_path;
    return Refusal{std::move(code), std::move(text), std::move(cells)};
  };
  if (!ark_) {
    return refuse("ark-not-placed",
                  "The Ark enters when the first city is completed (Moving the Ark).");
  }
  if (rules_.ark_to_temples &&
      std::none_of(laid_.begin(), laid_.end(),
                   [&](const PlacedTile& tile) { return HasTemple(tile.cell); })) {
    return refuse("ark-needs-temple",
                  "The Ark moves only once a temple has been laid (German edition).");
  }
  if (turn.ark_path.size() > static_cast<std::size_t>(kLongestMove)) {
    return refuse("ark-distance", "The Ark moves 1 to 5 tiles (Moving the Ark).");
  }
  std::vector<Cell> visited = {*ark_};
  for (std::size_t i = 0; i < turn.ark_path.size(); ++i) {
    const Cell to = turn.ark_path[i];
    if (Distance(visited.back(), to) != 1) {
      return refuse("ark-not-orthogonal",
                    "The Ark moves from tile to tile across edges (Moving the Ark).");
    }
    if (board_.At(to) < 0) {
      return refuse("ark-off-board", "The Ark moves over laid tiles only (Moving the Ark).");
    }
    // Round and back to where it began is a question of its own; stepping
    // straight back is not.
    const bool round = i + 1 == turn.ark_path.size() && i >= 3 && to == *ark_;
    if (round && rules_.ark_ends_elsewhere) {
      return refuse("ark-ends-on-start",
                    "The Ark may not end its move on the tile where it began (second edition).");
    }
    if (!round && std::find(visited.begin(), visited.end(), to) != visited.end()) {
      return refuse("ark-backtrack",
                    "The Ark may not go back over a tile of the same move (Moving the Ark).");
    }
    visited.push_back(to);
  }
  if (!rules_.ark_to_temples) return std::nullopt;
  for (const PlacedTile& tile : laid_) {
    if (!HasTemple(tile.cell)) continue;
    bool direct = true;
    for (std::size_t i = 1; i < visited.size(); ++i) {
      direct &= Distance(visited[i], tile.cell) < Distance(visited[i - 1], tile.cell);
    }
    if (direct) return std::nullopt;
  }
  return refuse("ark-needs-temple",
                "The Ark moves only straight towards a temple (German edition).");
}

// Each follower or prophet passed or ended on pays its owner 1; the tile where
// the Ark starts pays nothing.
void Game::MoveArk(const Turn& turn) {
  for (const Cell& cell : turn.ark_path) {
    if (cell == *ark_) continue;
    for (const Figure& figure : figures_) {
      if (CellOf(figure.node) == cell) AddItem(figure.node, 1, figure.player, Cause::kArk, 1);
    }
  }
  ark_ = turn.ark_path.back();
  if (rules_.ark_to_temples && HasTemple(*ark_) &&
      (rules_.ark_temple_each_time || !ark_reached_temple_)) {
    if (turn.player >= 0) {
      AddItem(NodeAt(board_.At(*ark_), 0), kReachedTemplePoints, turn.player, Cause::kArkTemple, 1);
    }
    ark_reached_temple_ = true;
  }
}

// The first completed city brings the Ark, on one of its tiles.
std::optional<Refusal> Game::LandArk(const Turn& turn, const Completed& completed) {
  const auto refuse = [&](std::string code, std::string text) {
    return Refusal{std::move(code), std::move(text), {turn.cell}};
  };
  std::vector<Cell> cells;
  if (!ark_) {
    for (std::size_t i = 0; i < completed.count; ++i) {
      if (features_.at(completed.roots[i]).kind != SegmentKind::kCity) continue;
      const std::vector<Cell> city = CellsOf(completed.roots[i]);
      cells.insert(cells.end(), city.begin(), city.end());
    }
  }
  if (!turn.ark_landing) {
    if (cells.empty() || turn.player < 0) return std::nullopt;
    return refuse("ark-must-be-placed",
                  "The first city is completed: the Ark must be put on one of its tiles (Moving "
                  "the Ark).");
  }
  if (std::find(cells.begin(), cells.end(), *turn.ark_landing) == cells.end()) {
    return refuse("ark-bad-placement",
                  "The Ark enters on a tile of the first completed city only (Moving the Ark).");
  }
  ark_ = turn.ark_landing;
  if (rules_.ark_to_temples && turn.player >= 0) {
    AddItem(NodeAt(board_.At(*ark_), 0), kFirstArkPoints, turn.player, Cause::kArkFirst, 1);
  }
  return std::nullopt;
}

std::vector<Cell> Game::ArkLandings(int tile, const Placement& at) const {
  Turn turn;
  turn.player = -1;
  turn.tile = tile;
  turn.cell = at.cell;
  turn.rotation = at.rotation;
  if (rules_.ark == ArkEdition::kNone || ark_ || CheckBasics(turn)) return {};
  Game copy(*this);
  copy.turns_.push_back(turn);
  copy.Lay(tile, at, -1);
  const Completed completed = copy.FindCompleted(at.cell);
  std::vector<Cell> cells;
  for (std::size_t i = 0; i < completed.count; ++i) {
    if (copy.features_.at(completed.roots[i]).kind != SegmentKind::kCity) continue;
    const std::vector<Cell> city = copy.CellsOf(completed.roots[i]);
    cells.insert(cells.end(), city.begin(), city.end());
  }
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

bool Game::HasProphet(int root, int player) const {
  return std::any_of(figures_.begin(), figures_.end(), [&](const Figure& figure) {
    return figure.kind == FigureKind::kProphet && figure.player == player &&
           features_.Find(figure.node) == root;
  });
}

// Followers and prophets on the temple's tile and the four beside it, by
// player, one byte each.
std::uint64_t Game::FiguresAroundTemple(int temple) const {
  std::uint64_t figures = 0;
  for (const Figure& figure : figures_) {
    if (Distance(CellOf(figure.node), CellOf(temple)) <= 1) {
      figures += std::uint64_t{1} << (8 * figure.player);
    }
  }
  return figures;
}

}  // namespace tilewarden::engine
