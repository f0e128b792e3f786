#include "vision/board/unaided_board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/board/joined_tiles.h"
#include "vision/board/unaided_growth.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

using Place = UnaidedGrowth::Place;

// Squares that the network is asked about, best supported first, and boards that
// are grown from what it takes for tiles.
constexpr std::size_t kMostSquares = 240;
constexpr std::size_t kMostBoards = 6;
// And so many tries, of which those that are no squares on a table are given up. Right boards have
// been skewed by up to 0.06, wrong ones from 0.2 on; of few tiles it is not known.
constexpr std::size_t kMostTries = 16, kFewTiles = 4;
constexpr double kMostSkewOfBoard = 0.13;
// Edges show at one size of the picture where grain or blur hides them at another. A board of so
// many tiles that leaves no clear tile of the picture over is looked for no further.
struct EdgeSize {
  int work_side_px;
  bool open_ends;
};
constexpr std::array<EdgeSize, 4> kEdgeSizes = {
    EdgeSize{1280, false}, {800, false}, {1280, true}, {1800, false}};
constexpr std::size_t kEnoughTiles = 8;
// Smaller squares are print; nothing could be read from tiles so small.
constexpr double kSmallest_px = 50;
// A first tile must be clear, or certainly one whichever and likely named so.
constexpr double kCertain = 0.99, kLikelyNamed = 0.6;

// How far the cells of a lattice are from squares, seen by a camera whose axis goes through the
// middle of the picture: the cosine of their angle and the ratio of their sides less 1, as one
// number, with the focal length for which it is least.
double SkewOf(const Lattice& lattice, cv::Size size) {
  const cv::Matx33d h = lattice.Plane().px_from_lattice;
  const double longer = std::max(size.width, size.height);
  double least = 1e9;
  for (const double focal : {0.5, 0.63, 0.8, 1.0, 1.25, 1.6, 2.0, 3.0, 5.0}) {
    const double f = focal * longer;
    const cv::Matx33d ray_from_px(1 / f, 0, -0.5 * size.width / f, 0, 1 / f, -0.5 * size.height / f,
                                  0, 0, 1);
    const cv::Matx33d ray = ray_from_px * h;
    const cv::Vec3d x(ray(0, 0), ray(1, 0), ray(2, 0)), y(ray(0, 1), ray(1, 1), ray(2, 1));
    const double nx = cv::norm(x), ny = cv::norm(y);
    const double ratio = std::max(nx, ny) / std::max(1e-12, std::min(nx, ny)) - 1;
    least = std::min(least, std::hypot(x.dot(y) / (nx * ny), ratio));
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
  // Squares by their edges, best supported first, each place once.
  std::vector<Place> Squares(const calibration::QuadOptions& options) const;
  // Those of these places that the network takes for tiles, each once, the clearest first.
  absl::StatusOr<std::vector<UnaidedTile>> TilesOf(const std::vector<Place>& places) const;
  // The best of the boards that these tiles belong to. `joined`: all that lie beside one another
  // grow together, otherwise each alone.
  absl::StatusOr<UnaidedBoard> Best(const std::vector<UnaidedTile>& tiles, bool joined) const;

  const cv::Mat& picture_;
  const PicturePyramid& pyramid_;
  const UnaidedGrowth& growth_;
};

bool AreOne(const cv::Matx33f& a, const cv::Matx33f& b) {
  constexpr double kNear = 0.15;
  const double ratio = calibration::SideOf(CornersOf(a)) / calibration::SideOf(CornersOf(b));
  return InOnePlace(a, b, kNear) && std::abs(ratio - 1) < kNear;
}

std::vector<UnaidedGrowth::Place> Search::Squares(const calibration::QuadOptions& options) const {
  std::vector<Place> places;
  for (const calibration::Quad& quad : calibration::FindQuads(picture_, options)) {
    if (places.size() == kMostSquares) break;
    const double side = calibration::SideOf(quad.corners_px);
    if (side < kSmallest_px) continue;
    const cv::Matx33f px_from_tile = PxFromTile(quad.corners_px);
    const auto is_known = [&](const auto& other) {
      return AreOne(other.px_from_tile, px_from_tile);
    };
    if (std::any_of(places.begin(), places.end(), is_known)) continue;
    places.push_back({{}, px_from_tile});
  }
  return places;
}

absl::StatusOr<std::vector<UnaidedTile>> Search::TilesOf(const std::vector<Place>& places) const {
  absl::StatusOr<std::vector<TileScores>> scores = growth_.Glance(places);
  if (!scores.ok()) return scores.status();
  std::vector<UnaidedTile> all;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const double tile = TileProbability((*scores)[i]), named = Clearness((*scores)[i]);
    if (tile < kClear || (tile < kCertain && named < kLikelyNamed)) continue;
    all.push_back({OutlineNear(pyramid_, places[i].px_from_tile), std::move((*scores)[i])});
  }
  std::stable_sort(all.begin(), all.end(), [](const UnaidedTile& a, const UnaidedTile& b) {
    return Clearness(a.scores) > Clearness(b.scores);
  });
  std::vector<UnaidedTile> tiles;
  for (UnaidedTile& tile : all) {
    const bool known = std::any_of(tiles.begin(), tiles.end(), [&](const UnaidedTile& other) {
      return AreOne(other.px_from_tile, tile.px_from_tile);
    });
    if (!known) tiles.push_back(std::move(tile));
  }
  return tiles;
}

absl::StatusOr<UnaidedBoard> Search::Find(TileFinder& finder) const {
  std::vector<Place> places;
  for (const FoundTile& tile : finder.Find(picture_)) {
    if (calibration::SideOf(CornersOf(tile.px_from_tile)) < kSmallest_px) continue;
    places.push_back({{}, OutlineNear(pyramid_, tile.px_from_tile)});
  }
  absl::StatusOr<std::vector<UnaidedTile>> tiles = TilesOf(places);
  if (!tiles.ok()) return tiles.status();
  absl::StatusOr<UnaidedBoard> best = Best(*tiles, true);
  // Then by edges, in the picture at several sizes, until the board explains all clear tiles. A
  // view from far aside has squares that only seem to be tiles: those are not joined, each is a
  // first one.
  for (const EdgeSize& where : kEdgeSizes) {
    if (!best.ok()) return best;
    const bool explained = std::all_of(tiles->begin(), tiles->end(), [&](const UnaidedTile& tile) {
      return Clearness(tile.scores) < kClear || CoversPlace(*best, tile.px_from_tile);
    });
    const bool clear = std::all_of(best->tiles.begin(), best->tiles.end(), [](const auto& tile) {
      return Clearness(tile.second.scores) >= kClear;
    });
    if (explained && !best->tiles.empty() && (clear || best->tiles.size() >= kEnoughTiles)) break;
    calibration::QuadOptions squares;
    squares.work_side_px = where.work_side_px;
    squares.open_ends = where.open_ends;
    tiles = TilesOf(Squares(squares));
    if (!tiles.ok()) return tiles.status();
    absl::StatusOr<UnaidedBoard> board = Best(*tiles, false);
    if (!board.ok()) return board;
    if (Worth(*board, picture_.size()) > Worth(*best, picture_.size())) best = std::move(board);
  }
  return best;
}

absl::StatusOr<UnaidedBoard> Search::Best(const std::vector<UnaidedTile>& tiles,
                                          bool joined) const {
  std::vector<JoinedTiles> firsts;
  if (joined) {
    std::vector<FoundTile> found;
    for (const UnaidedTile& tile : tiles) {
      found.push_back({tile.px_from_tile, Clearness(tile.scores)});
    }
    firsts = JoinTiles(found);
  } else {
    for (const UnaidedTile& tile : tiles) {
      firsts.push_back({{{LatticeCell{}, {tile.px_from_tile, 1}}}, Clearness(tile.scores)});
    }
  }
  std::vector<std::pair<double, UnaidedBoard>> boards;
  std::size_t tries = 0;
  double best_worth = 0;
  for (const JoinedTiles& start : firsts) {
    if (boards.size() == kMostBoards || tries == kMostTries || best_worth >= kEnoughTiles) break;
    const cv::Matx33f& first = start.tiles.begin()->second.px_from_tile;
    if (std::any_of(boards.begin(), boards.end(),
                    [&](const auto& board) { return CoversPlace(board.second, first); })) {
      continue;
    }
    ++tries;
    std::vector<Place> places;
    for (const auto& [cell, tile] : start.tiles) places.push_back({cell, tile.px_from_tile});
    absl::StatusOr<std::vector<TileScores>> scores = growth_.Glance(places);
    if (!scores.ok()) return scores.status();
    UnaidedBoard board;
    for (std::size_t i = 0; i < places.size(); ++i) {
      board.tiles.emplace(places[i].cell,
                          UnaidedTile{places[i].px_from_tile, std::move((*scores)[i])});
    }
    if (absl::Status status = growth_.Complete(tiles, board); !status.ok()) return status;
    if (board.tiles.size() >= kFewTiles &&
        SkewOf(board.lattice, picture_.size()) > kMostSkewOfBoard) {
      continue;
    }
    const double worth = Worth(board, picture_.size());
    best_worth = std::max(best_worth, worth);
    boards.emplace_back(worth, std::move(board));
  }
  std::stable_sort(boards.begin(), boards.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [worth, board] : boards) {
    if (worth <= 0) break;
    if (absl::Status status = growth_.Settle(board); !status.ok()) return status;
    // A second look shows what only seemed to be tiles: none of them is clear.
    const bool clear = std::any_of(board.tiles.begin(), board.tiles.end(), [](const auto& tile) {
      return Clearness(tile.second.scores) >= kClear;
    });
    if (clear && Worth(board, picture_.size()) > 0) return std::move(board);
  }
  return UnaidedBoard{};
}

}  // namespace

absl::StatusOr<UnaidedBoard> FindUnaidedBoard(const cv::Mat& picture, const PicturePyramid& pyramid,
                                              TileFinder& finder, TileNetwork& network,
                                              const std::vector<std::string>& types) {
  const UnaidedGrowth growth(picture, pyramid, network, types);
  return Search(picture, pyramid, growth).Find(finder);
}

absl::StatusOr<std::size_t> UpdateUnaidedBoard(const cv::Mat& picture,
                                               const PicturePyramid& pyramid, TileNetwork& network,
                                               const std::vector<std::string>& types,
                                               const std::set<LatticeCell>& cells, bool moved,
                                               UnaidedBoard& board) {
  return UnaidedGrowth(picture, pyramid, network, types).ReadAgain(cells, moved, board);
}

}  // namespace tilewarden::vision
