#include "vision/board/board_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "calibration/common/quad_finder.h"
#include "vision/board/board_growth.h"
#include "vision/board/board_light.h"
#include "vision/picture/in_parallel.h"
#include "vision/tiles/tile_evidence.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

// So many of the joined tiles that are most like one of the pack tell the light: one alone may be
// like the wrong one.
constexpr std::size_t kMostSeeds = 6;
// They are like none of the pack from this cost on, 1 - correlation.
constexpr float kSeedCost = 0.5F;
// So many boards are read at most. A board of so many tiles needs no rival.
constexpr std::size_t kMostBoards = 8, kEnoughTiles = 6;
// Squares none of whose names is this likely are a heap of figures, or print.
constexpr double kNamed = 0.2;
constexpr double kMuchSmaller = 0.25;
// Of squares so many are tried that are like a tile of the pack; so many that clearly are suffice.
constexpr std::size_t kMostSquares = 24;
constexpr float kClearSquare = 0.25F;

// Where tiles of one board seem to lie: px_from_tile by cell.
using OutlinesByCell = std::map<LatticeCell, cv::Matx33f>;

// Where the finder's tiles lie, by the edges along their sides.
OutlinesByCell Outlined(const PicturePyramid& picture, const JoinedTiles& joined, bool from_aside) {
  std::vector<std::pair<LatticeCell, cv::Matx33f>> places;
  for (const auto& [cell, tile] : joined.tiles) places.emplace_back(cell, tile.px_from_tile);
  InParallel(places.size(), [&](std::size_t i) {
    cv::Matx33f& at = places[i].second;
    at = ParallelogramNear(picture, at);
    if (!from_aside) at = OutlineNear(picture, at);
  });
  return {places.begin(), places.end()};
}

// The lights in which the likeliest of these places show a tile of the pack, the likeliest first.
std::vector<Light> LikelyLights(const PicturePyramid& picture, const TileMatcher& matcher,
                                const OutlinesByCell& places) {
  std::vector<TileMatcher::Match> seeds;
  for (const auto& [cell, px_from_tile] : places) {
    seeds.emplace_back().px_from_tile = px_from_tile;
  }
  InParallel(seeds.size(),
             [&](std::size_t i) { seeds[i] = matcher.MatchShape(picture, seeds[i].px_from_tile); });
  const auto cheaper = [](const TileMatcher::Match& a, const TileMatcher::Match& b) {
    return a.cost < b.cost;
  };
  std::erase_if(seeds, [](const TileMatcher::Match& seed) {
    return seed.reference < 0 || seed.cost > kSeedCost;
  });
  std::sort(seeds.begin(), seeds.end(), cheaper);
  seeds.resize(std::min(seeds.size(), kMostSeeds));
  InParallel(seeds.size(),
             [&](std::size_t i) { seeds[i] = matcher.AlignInAnyLight(picture, seeds[i]); });
  std::sort(seeds.begin(), seeds.end(), cheaper);
  std::vector<Light> lights;
  for (const TileMatcher::Match& seed : seeds) lights.push_back(seed.light);
  return lights;
}

// The board of those of its outlines that hold a tile of the pack in this light.
Board BoardIn(const Light& light, const PicturePyramid& picture, const TileMatcher& matcher,
              const OutlinesByCell& outlines) {
  Board board;
  board.light = light;
  board.outlines = outlines;
  const std::vector<std::pair<LatticeCell, cv::Matx33f>> list(outlines.begin(), outlines.end());
  std::vector<ReadCell> reads(list.size());
  InParallel(list.size(), [&](std::size_t i) {
    // Quickly at first: what is not clear is looked at again.
    reads[i].candidates =
        matcher.Candidates(picture, list[i].second, light, TileMatcher::Tries::kLikeliest);
    if (reads[i].candidates.empty()) return;
    reads[i].tile_probability = PictureProbability(reads[i].candidates.front());
  });
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (reads[i].tile_probability < kTileLies) continue;
    board.tiles.emplace(list[i].first, std::move(reads[i]));
  }
  return board;
}

// Better lattice and light than those of the first tiles, and on from there.
void Complete(const PicturePyramid& picture, const TileMatcher& matcher, Board& board) {
  GrowBoard(picture, matcher, board, TileMatcher::Tries::kLikeliest);
  SettleBoard(picture, matcher, board);
  // They reach cells that were out of reach before.
  board.others.clear();
  GrowBoard(picture, matcher, board);
}

Board BoardOf(const PicturePyramid& picture, const TileMatcher& matcher,
              const OutlinesByCell& places) {
  Board best;
  for (const Light& light : LikelyLights(picture, matcher, places)) {
    Board board = BoardIn(light, picture, matcher, places);
    if (board.tiles.size() > best.tiles.size()) best = std::move(board);
    if (2 * best.tiles.size() > places.size()) break;
  }
  if (best.tiles.empty()) return best;
  // Of few tiles the light would be fitted to one of them.
  if (best.tiles.size() >= kEnoughTiles) FitLight(picture, matcher, best);
  Complete(picture, matcher, best);
  return best;
}

bool Covers(const Board& board, cv::Point2f px) {
  return std::any_of(board.tiles.begin(), board.tiles.end(), [&](const auto& tile) {
    const std::array<cv::Point2f, 4> c = CornersOf(tile.second.candidates.front().px_from_tile);
    return cv::norm(calibration::CentreOf(c) - px) < 0.75 * calibration::SideOf(c);
  });
}

// More tiles make the better board; of single tiles the one nearest to the
// middle, because what lies beside the board lies at the picture's border.
double Worth(const Board& board, cv::Size size) {
  double worth = 0;
  cv::Point2f centre(0, 0);
  for (const auto& [cell, read] : board.tiles) {
    worth += read.tile_probability;
    centre += calibration::CentreOf(CornersOf(read.candidates.front().px_from_tile));
  }
  if (board.tiles.empty()) return 0;
  centre *= 1.F / static_cast<float>(board.tiles.size());
  const double off = std::hypot(centre.x / static_cast<float>(size.width) - 0.5F,
                                centre.y / static_cast<float>(size.height) - 0.5F);
  return worth - off;
}

bool Overlap(const Board& board, const Board& other) {
  return std::any_of(board.tiles.begin(), board.tiles.end(), [&](const auto& tile) {
    return Covers(other,
                  calibration::CentreOf(CornersOf(tile.second.candidates.front().px_from_tile)));
  });
}

// Square pixels; 0 where there is none.
double AreaOfOneTile(const Board& board) {
  double area = 0;
  for (const auto& [cell, read] : board.tiles) {
    area += AreaOf(read.candidates.front().px_from_tile);
  }
  return board.tiles.empty() ? 0 : area / static_cast<double>(board.tiles.size());
}

// Without the tiles that are like several of the pack, and like none of them much.
Board Named(const TileMatcher& matcher, Board board) {
  std::erase_if(board.tiles, [&](const auto& tile) {
    const auto& [cell, read] = tile;
    const auto names = NamesOf(matcher, read.candidates, Trust{}, read.tile_probability);
    return names.empty() || names.front().probability < kNamed;
  });
  return board;
}

// The squares of the picture that are like a tile of the pack, the likeliest first, each by itself:
// tiles of a box that is like none the finder was made on.
std::vector<OutlinesByCell> SquaresLikeTiles(const cv::Mat& picture, const PicturePyramid& pyramid,
                                             const TileMatcher& matcher, bool open_ends) {
  calibration::QuadOptions options;
  options.open_ends = open_ends;
  const std::vector<calibration::Quad> quads = calibration::FindQuads(picture, options);
  // The best supported first, until enough are clearly tiles.
  constexpr std::size_t kAtOnce = 128;  // looked at between two counts of the clear ones
  std::vector<TileMatcher::Match> shapes(quads.size());
  std::size_t looked_at = 0, clear = 0;
  while (looked_at < quads.size() && clear < kMostSquares) {
    const std::size_t from = looked_at;
    looked_at = std::min(quads.size(), from + kAtOnce);
    InParallel(from, looked_at, [&](std::size_t i) {
      shapes[i] = matcher.MatchShape(pyramid, PxFromTile(quads[i].corners_px));
    });
    for (std::size_t i = from; i < looked_at; ++i) clear += shapes[i].cost < kClearSquare ? 1 : 0;
  }
  shapes.resize(looked_at);
  std::erase_if(shapes, [](const TileMatcher::Match& shape) { return shape.cost > kSeedCost; });
  std::stable_sort(shapes.begin(), shapes.end(),
                   [](const auto& a, const auto& b) { return a.cost < b.cost; });
  std::vector<OutlinesByCell> squares;
  for (const TileMatcher::Match& shape : shapes) {
    if (squares.size() == kMostSquares) break;
    const std::array<cv::Point2f, 4> corners = CornersOf(shape.px_from_tile);
    const double side = calibration::SideOf(corners);
    const bool known =
        std::any_of(squares.begin(), squares.end(), [&](const OutlinesByCell& other) {
          const std::array<cv::Point2f, 4> its = CornersOf(other.begin()->second);
          return cv::norm(calibration::CentreOf(its) - calibration::CentreOf(corners)) <
                     0.3 * side &&
                 std::abs(calibration::SideOf(its) / side - 1) < 0.25;
        });
    if (!known) squares.push_back({{LatticeCell{0, 0}, shape.px_from_tile}});
  }
  return squares;
}

// The best of the boards that lie there.
Board BestOf(const PicturePyramid& picture, const TileMatcher& matcher,
             const std::vector<OutlinesByCell>& places) {
  std::vector<Board> boards;
  Board best;
  for (const OutlinesByCell& outlines : places) {
    if (boards.size() == kMostBoards || best.tiles.size() >= kEnoughTiles) break;
    const cv::Point2f first = calibration::CentreOf(CornersOf(outlines.begin()->second));
    if (std::any_of(boards.begin(), boards.end(),
                    [&](const Board& board) { return Covers(board, first); })) {
      continue;
    }
    Board board = BoardOf(picture, matcher, outlines);
    if (board.tiles.empty()) continue;
    if (IsBetter(board, best, picture.size())) best = board;
    boards.push_back(std::move(board));
  }
  return best;
}

}  // namespace

bool IsBetter(const Board& board, const Board& than, cv::Size picture) {
  if (Overlap(board, than)) return Explained(board) > Explained(than);
  return Worth(board, picture) > Worth(than, picture);
}

double Explained(const Board& board) {
  double explained = 0;
  for (const auto& [cell, read] : board.tiles) {
    const TileMatcher::Match& best = read.candidates.front();
    explained += AreaOf(best.px_from_tile) * std::max(0.F, 1 - best.cost);
  }
  return explained;
}

Board FindBoardAround(const PicturePyramid& picture, const TileMatcher& matcher,
                      const std::map<LatticeCell, cv::Matx33f>& outlines) {
  return BoardOf(picture, matcher, outlines);
}

Board FindBoard(const cv::Mat& picture, const PicturePyramid& pyramid, const TileMatcher& matcher,
                const TableView& view) {
  std::vector<OutlinesByCell> joined;
  for (const JoinedTiles& board : view.boards) {
    if (joined.size() == kMostBoards) break;
    joined.push_back(Outlined(pyramid, board, view.from_aside));
  }
  Board best = BestOf(pyramid, matcher, joined);
  for (const bool open_ends : {false, true}) {
    if (best.tiles.size() >= kEnoughTiles) break;
    Board other = BestOf(pyramid, matcher, SquaresLikeTiles(picture, pyramid, matcher, open_ends));
    // A heap of figures may pass for more tiles than lie there, but for much smaller ones: as of a
    // heap of red ones for four, with a thirteenth of a tile's area.
    if (AreaOfOneTile(other) > kMuchSmaller * AreaOfOneTile(best) &&
        IsBetter(Named(matcher, other), best, picture.size())) {
      best = std::move(other);
    }
  }
  return best;
}

}  // namespace tilewarden::vision
