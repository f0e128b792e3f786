#include "vision/board/joined_tiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <queue>
#include <utility>

#include "vision/picture/geometry.h"
#include "vision/picture/lattice.h"
#include "vision/picture/lattice_cells.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// How far, in sides, a neighbour's middle may lie from where a tile says; and its sides from the
// tile's own. Hand-laid tiles are off by 0.13 and turned by 6 degrees, found ones by a little more.
constexpr float kOff = 0.2F, kOffAcrossGap = 0.2F, kMostUnlike = 0.22F;
// A tile further from a board than this many cells is none of its, wherever it lies.
constexpr int kWidestGap = 3;

struct Sides {
  cv::Point2f middle, u, v;
  float length = 0;
};

Sides SidesOf(const cv::Matx33f& px_from_tile) {
  // A tile is small: without perspective.
  const std::array<cv::Point2f, 4> c = CornersOf(px_from_tile);
  Sides sides;
  sides.u = 0.5F * (c[1] + c[2] - c[0] - c[3]);
  sides.v = 0.5F * (c[2] + c[3] - c[0] - c[1]);
  sides.middle = 0.25F * (c[0] + c[1] + c[2] + c[3]);
  sides.length = std::sqrt(std::abs(sides.u.x * sides.v.y - sides.u.y * sides.v.x));
  return sides;
}

cv::Matx33f TileOf(const Sides& sides) {
  const cv::Point2f corner = sides.middle - 0.5F * (sides.u + sides.v);
  return {sides.u.x, sides.v.x, corner.x, sides.u.y, sides.v.y, corner.y, 0, 0, 1};
}

// The same tile from its next corner on.
Sides Turned(const Sides& sides) { return {sides.middle, sides.v, -sides.u, sides.length}; }

// Turned so that its sides are most like those; none, if they are not alike in any turn.
std::optional<Sides> TurnedAs(Sides sides, cv::Point2f u, cv::Point2f v) {
  std::optional<Sides> best;
  double least = kMostUnlike * (cv::norm(u) + cv::norm(v));
  for (int i = 0; i < 4; ++i, sides = Turned(sides)) {
    const double unlike = cv::norm(sides.u - u) + cv::norm(sides.v - v);
    if (unlike >= least) continue;
    least = unlike;
    best = sides;
  }
  return best;
}

class Joiner {
 public:
  explicit Joiner(const std::vector<FoundTile>& found) : found_(found), taken_(found.size()) {
    for (const FoundTile& tile : found) sides_.push_back(SidesOf(tile.px_from_tile));
  }

  // The board that the first of those belongs to which belong to none yet.
  std::optional<JoinedTiles> Next() {
    const auto first = std::find(taken_.begin(), taken_.end(), false);
    if (first == taken_.end()) return std::nullopt;
    const auto i = static_cast<std::size_t>(first - taken_.begin());
    JoinedTiles board;
    Take(i, {}, sides_[i], board);
    do Spread(board);
    while (AcrossGaps(board));
    for (const auto& [cell, tile] : board.tiles) board.evidence += tile.evidence;
    return board;
  }

 private:
  void Take(std::size_t i, LatticeCell cell, const Sides& sides, JoinedTiles& board) {
    taken_[i] = true;
    board.tiles.emplace(cell, FoundTile{TileOf(sides), found_[i].evidence});
    added_.push(cell);
  }

  // From tile to tile beside it.
  void Spread(JoinedTiles& board) {
    for (; !added_.empty(); added_.pop()) {
      const LatticeCell cell = added_.front();
      const Sides at = SidesOf(board.tiles.at(cell).px_from_tile);
      for (const LatticeCell& d : kBeside) {
        const LatticeCell next = Plus(cell, d);
        if (board.tiles.contains(next)) continue;
        const cv::Point2f middle =
            at.middle + static_cast<float>(d.x) * at.u + static_cast<float>(d.y) * at.v;
        TakeNearest(middle, at.u, at.v, kOff, next, board);
      }
    }
  }

  bool TakeNearest(cv::Point2f middle, cv::Point2f u, cv::Point2f v, float off, LatticeCell cell,
                   JoinedTiles& board) {
    const double side = 0.5 * (cv::norm(u) + cv::norm(v));
    double least = off * side;
    std::size_t nearest = found_.size();
    std::optional<Sides> turned;
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (taken_[i] || cv::norm(sides_[i].middle - middle) >= least) continue;
      const std::optional<Sides> as = TurnedAs(sides_[i], u, v);
      if (!as) continue;
      least = cv::norm(sides_[i].middle - middle);
      nearest = i;
      turned = as;
    }
    if (!turned) return false;
    Take(nearest, cell, *turned, board);
    return true;
  }

  // Tiles that lie on the board's lattice, though not beside any of its tiles: one between them was
  // missed, or they touch at a corner.
  bool AcrossGaps(JoinedTiles& board) {
    std::map<LatticeCell, cv::Matx33f> laid;
    for (const auto& [cell, tile] : board.tiles) laid.emplace(cell, tile.px_from_tile);
    Lattice lattice;
    lattice.Fit(laid);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      if (taken_[i]) continue;
      const auto lies = CellOnLattice(laid, lattice, found_[i].px_from_tile);
      if (!lies) continue;
      Take(i, lies->first, SidesOf(lies->second), board);
      return true;
    }
    return false;
  }

  const std::vector<FoundTile>& found_;
  std::vector<Sides> sides_;
  std::vector<bool> taken_;
  std::queue<LatticeCell> added_;
};

}  // namespace

std::optional<std::pair<LatticeCell, cv::Matx33f>> CellOnLattice(
    const std::map<LatticeCell, cv::Matx33f>& laid, const Lattice& lattice,
    const cv::Matx33f& px_from_tile) {
  constexpr std::size_t kFew = 3;
  if (laid.size() < kFew) return std::nullopt;
  const Sides sides = SidesOf(px_from_tile);
  // The whole board's plane is good to about a cell, the cells around say the rest.
  const cv::Point2d at = Through(lattice.Plane().px_from_lattice.inv(), cv::Point2d(sides.middle));
  const LatticeCell about{static_cast<int>(std::floor(at.x)), static_cast<int>(std::floor(at.y))};
  const bool near = std::any_of(laid.begin(), laid.end(), [&](const auto& tile) {
    return std::max(std::abs(tile.first.x - about.x), std::abs(tile.first.y - about.y)) <=
           kWidestGap;
  });
  if (!near) return std::nullopt;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const LatticeCell cell = Plus(about, {dx, dy});
      if (laid.contains(cell)) continue;
      const Sides expected = SidesOf(lattice.Predict(cell));
      if (cv::norm(expected.middle - sides.middle) > kOffAcrossGap * expected.length) continue;
      const std::optional<Sides> turned = TurnedAs(sides, expected.u, expected.v);
      if (turned) return std::pair(cell, TileOf(*turned));
    }
  }
  return std::nullopt;
}

std::vector<JoinedTiles> JoinTiles(const std::vector<FoundTile>& found) {
  Joiner joiner(found);
  std::vector<JoinedTiles> boards;
  while (std::optional<JoinedTiles> board = joiner.Next()) boards.push_back(*std::move(board));
  std::stable_sort(boards.begin(), boards.end(), [](const JoinedTiles& a, const JoinedTiles& b) {
    return a.evidence > b.evidence;
  });
  return boards;
}

}  // namespace tilewarden::vision
