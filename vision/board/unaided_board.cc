#include "vision/board/unaided_board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/board/table_views.h"
#include "vision/board/unaided_growth.h"
#include "vision/picture/in_parallel.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

using Place = UnaidedGrowth::Place;

// Boards that are grown, and the worth from which on no further one is.
constexpr std::size_t kMostBoards = 6;
constexpr double kEnoughTiles = 8;
// Right boards have been skewed by up to 0.06, wrong ones from 0.2 on; of few tiles it is not
// known.
constexpr std::size_t kFewTiles = 4;
constexpr double kMostSkewOfBoard = 0.13;
// Where the camera's axis is looked for, off the picture's middle, as a share of its size.
constexpr double kAxisOff = 0.2;
// Smaller squares are print; nothing could be read from tiles so small.
constexpr double kSmallest_px = 50;
// A first tile must be clear, or certainly one whichever and likely named so.
constexpr double kCertain = 0.99, kLikelyNamed = 0.6;

// How far the cells of a lattice are from squares, seen by a camera whose axis goes through about
// the middle of the picture, as some of it may have been cut off: the cosine of their angle and the
// ratio of their sides less 1, as one number, with the focal length and axis for which it is least.
double SkewOf(const Lattice& lattice, cv::Size size) {
  const cv::Matx33d h = lattice.Plane().px_from_lattice;
  const double longer = std::max(size.width, size.height);
  double least = 1e9;
  for (const double focal : {0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 5.0}) {
    const double f = focal * longer;
    for (int axis = 0; axis < 9; ++axis) {
      const double across = (0.5 + kAxisOff * (axis % 3 - 1)) * size.width / f;
      const double down = (0.5 + kAxisOff * (axis / 3 - 1)) * size.height / f;
      const cv::Matx33d ray = cv::Matx33d(1 / f, 0, -across, 0, 1 / f, -down, 0, 0, 1) * h;
      const cv::Vec3d x(ray(0, 0), ray(1, 0), ray(2, 0)), y(ray(0, 1), ray(1, 1), ray(2, 1));
      const double nx = cv::norm(x), ny = cv::norm(y);
      const double ratio = std::max(nx, ny) / std::max(1e-12, std::min(nx, ny)) - 1;
      least = std::min(least, std::hypot(x.dot(y) / (nx * ny), ratio));
    }
  }
  return least;
}

class Search {
 public:
  // All outlive this.
  Search(const cv::Mat& picture, const PicturePyramid& pyramid, const UnaidedGrowth& growth)
      : picture_(picture), pyramid_(pyramid), growth_(growth) {}

  absl::StatusOr<UnaidedBoard> Find(TileFinder& finder) const;

 private:
  // What the finder joined, as the network names it.
  absl::StatusOr<std::vector<UnaidedBoard>> Named(const TableView& view) const;
  // The best of these boards, after each has grown as far as it goes.
  absl::StatusOr<UnaidedBoard> Best(std::vector<UnaidedBoard> boards) const;
  // Last, and of the best one only, as wrong boards would grow by them, too.
  absl::StatusOr<UnaidedBoard> WithTilesOffTheLattice(UnaidedBoard board) const;

  const cv::Mat& picture_;
  const PicturePyramid& pyramid_;
  const UnaidedGrowth& growth_;
};

// A board grows from such tiles.
bool IsClear(const UnaidedTile& tile) {
  const double lies = TileProbability(tile.scores);
  return lies >= kClear && (lies >= kCertain || Clearness(tile.scores) >= kLikelyNamed);
}

absl::StatusOr<std::vector<UnaidedBoard>> Search::Named(const TableView& view) const {
  std::vector<Place> places;
  for (const JoinedTiles& board : view.boards) {
    for (const auto& [cell, tile] : board.tiles) places.push_back({cell, tile.px_from_tile});
  }
  InParallel(places.size(), [&](std::size_t i) {
    cv::Matx33f& at = places[i].px_from_tile;
    at = ParallelogramNear(pyramid_, at);
    // Twice brings it nearer; but from aside its underside has edges, too, and it strays there.
    if (!view.from_aside) at = OutlineNear(pyramid_, at);
  });
  absl::StatusOr<std::vector<TileScores>> scores = growth_.Glance(places);
  if (!scores.ok()) return scores.status();
  std::vector<UnaidedBoard> boards;
  std::size_t next = 0;
  for (const JoinedTiles& joined : view.boards) {
    UnaidedBoard& board = boards.emplace_back();
    for (std::size_t i = 0; i < joined.tiles.size(); ++i, ++next) {
      const Place& place = places[next];
      if (calibration::SideOf(CornersOf(place.px_from_tile)) < kSmallest_px) continue;
      if (TileProbability((*scores)[next]) < kLikely) continue;
      board.tiles.emplace(place.cell, UnaidedTile{place.px_from_tile, std::move((*scores)[next])});
    }
  }
  std::erase_if(boards, [](const UnaidedBoard& board) {
    return std::none_of(board.tiles.begin(), board.tiles.end(),
                        [](const auto& tile) { return IsClear(tile.second); });
  });
  std::stable_sort(boards.begin(), boards.end(), [](const UnaidedBoard& a, const UnaidedBoard& b) {
    return a.tiles.size() > b.tiles.size();
  });
  return boards;
}

absl::StatusOr<UnaidedBoard> Search::Find(TileFinder& finder) const {
  UnaidedBoard best;
  double best_worth = 0;
  TileOutlines tiles;
  const absl::Status status =
      ReadFromBestSide(picture_, finder, [&](TableView view) -> absl::StatusOr<TileOutlines> {
        absl::StatusOr<std::vector<UnaidedBoard>> named = Named(view);
        if (!named.ok()) return named.status();
        absl::StatusOr<UnaidedBoard> board = Best(*std::move(named));
        if (!board.ok()) return board.status();
        TileOutlines seen;
        for (const auto& [cell, tile] : board->tiles) seen.push_back(tile.px_from_tile);
        const double worth = Worth(*board, picture_.size());
        if (worth > best_worth && CoversMore(seen, tiles)) {
          best_worth = worth;
          best = *std::move(board);
          best.view = std::move(view);
          tiles = std::move(seen);
        }
        return tiles;
      });
  if (!status.ok()) return status;
  return WithTilesOffTheLattice(std::move(best));
}

absl::StatusOr<UnaidedBoard> Search::WithTilesOffTheLattice(UnaidedBoard board) const {
  UnaidedBoard more = board;
  if (absl::Status status = growth_.CompleteOffTheLattice(more); !status.ok()) return status;
  if (more.tiles.size() <= board.tiles.size() ||
      SkewOf(more.lattice, picture_.size()) > kMostSkewOfBoard) {
    return board;
  }
  if (absl::Status status = growth_.Settle(more); !status.ok()) return status;
  return Worth(more, picture_.size()) > Worth(board, picture_.size()) ? std::move(more)
                                                                      : std::move(board);
}

absl::StatusOr<UnaidedBoard> Search::Best(std::vector<UnaidedBoard> boards) const {
  std::vector<UnaidedTile> clear;
  for (const UnaidedBoard& board : boards) {
    for (const auto& [cell, tile] : board.tiles) {
      if (IsClear(tile)) clear.push_back(tile);
    }
  }
  std::vector<std::pair<double, UnaidedBoard>> grown;
  double best_worth = 0;
  for (UnaidedBoard& board : boards) {
    if (grown.size() == kMostBoards || best_worth >= kEnoughTiles) break;
    if (std::any_of(grown.begin(), grown.end(), [&](const auto& other) {
          return CoversPlace(other.second, board.tiles.begin()->second.px_from_tile);
        })) {
      continue;
    }
    if (absl::Status status = growth_.Complete(clear, board); !status.ok()) return status;
    if (board.tiles.size() >= kFewTiles &&
        SkewOf(board.lattice, picture_.size()) > kMostSkewOfBoard) {
      continue;
    }
    const double worth = Worth(board, picture_.size());
    best_worth = std::max(best_worth, worth);
    grown.emplace_back(worth, std::move(board));
  }
  std::stable_sort(grown.begin(), grown.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [worth, board] : grown) {
    if (worth <= 0) break;
    if (absl::Status status = growth_.Settle(board); !status.ok()) return status;
    // A second look shows what only seemed to be tiles: none of them is clear.
    const bool stays = std::any_of(board.tiles.begin(), board.tiles.end(), [](const auto& tile) {
      return Clearness(tile.second.scores) >= kClear;
    });
    if (stays && Worth(board, picture_.size()) > 0) return std::move(board);
  }
  return UnaidedBoard{};
}

}  // namespace

absl::StatusOr<UnaidedBoard> FindUnaidedBoard(const cv::Mat& picture, const PicturePyramid& pyramid,
                                              TileFinder& finder, TileNetwork& network,
                                              const std::vector<std::string>& types,
                                              const std::vector<std::string>& others) {
  const UnaidedGrowth growth(picture, pyramid, network, types, others);
  return Search(picture, pyramid, growth).Find(finder);
}

absl::StatusOr<std::size_t> UpdateUnaidedBoard(const cv::Mat& picture,
                                               const PicturePyramid& pyramid, TileNetwork& network,
                                               const std::vector<std::string>& types,
                                               const std::set<LatticeCell>& cells, bool moved,
                                               UnaidedBoard& board,
                                               const std::vector<std::string>& others) {
  return UnaidedGrowth(picture, pyramid, network, types, others).ReadAgain(cells, moved, board);
}

}  // namespace tilewarden::vision
