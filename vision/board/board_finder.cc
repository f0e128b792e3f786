#include "vision/board/board_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/board/board_growth.h"
#include "vision/picture/in_parallel.h"
#include "vision/tiles/tile_evidence.h"

namespace tilewarden::vision {
namespace {

// A square is tried as a first tile up to this cost, 1 - correlation. So many of them are tried at
// most, and so many boards grown: each costs the time of a board where none is the right one.
constexpr float kSeedCost = 0.5F;
constexpr std::size_t kMostSeeds = 24;
constexpr int kMostBoards = 8;
// Tiles from which on a board needs no rival to be tried but from a square that is clearly a tile
// and yet none of its: then it may have gone astray.
constexpr std::size_t kEnoughTiles = 6;
constexpr float kClearSeed = 0.25F;

struct Seed {
  TileMatcher::Match match;
  cv::Point2f centre;
  double side = 0;
};

std::vector<Seed> FindSeeds(const cv::Mat& picture, const PicturePyramid& pyramid,
                            const TileMatcher& matcher, const calibration::QuadOptions& squares) {
  const std::vector<calibration::Quad> quads = calibration::FindQuads(picture, squares);
  // The best supported first, until enough are clearly tiles.
  constexpr std::size_t kAtOnce = 128;  // enough for all processors
  std::vector<TileMatcher::Match> shapes(quads.size());
  for (TileMatcher::Match& match : shapes) match.cost = 2;
  std::size_t looked_at = 0, clear = 0;
  while (looked_at < quads.size() && clear < kMostSeeds) {
    const std::size_t from = looked_at;
    looked_at = std::min(quads.size(), from + kAtOnce);
    InParallel(from, looked_at, [&](std::size_t i) {
      shapes[i] = matcher.MatchShape(pyramid, PxFromTile(quads[i].corners_px));
    });
    for (std::size_t i = from; i < looked_at; ++i) clear += shapes[i].cost < kClearSeed ? 1 : 0;
  }
  std::vector<std::size_t> order(quads.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return shapes[a].cost < shapes[b].cost; });
  std::vector<Seed> seeds;
  for (const std::size_t i : order) {
    if (shapes[i].cost > kSeedCost || seeds.size() == kMostSeeds) break;
    const cv::Point2f centre = calibration::CentreOf(quads[i].corners_px);
    const double side = calibration::SideOf(quads[i].corners_px);
    const bool known = std::any_of(seeds.begin(), seeds.end(), [&](const Seed& s) {
      return cv::norm(s.centre - centre) < 0.3 * side && std::abs(s.side / side - 1) < 0.25;
    });
    if (!known) seeds.push_back({shapes[i], centre, side});
  }
  InParallel(seeds.size(), [&](std::size_t i) {
    seeds[i].match = matcher.AlignInAnyLight(pyramid, seeds[i].match);
  });
  std::sort(seeds.begin(), seeds.end(),
            [](const Seed& a, const Seed& b) { return a.match.cost < b.match.cost; });
  return seeds;
}

Board BoardOf(const PicturePyramid& picture, const TileMatcher& matcher, const Seed& seed) {
  Board board;
  board.light = seed.match.light;
  ReadCell first;
  first.candidates = matcher.Candidates(picture, seed.match.px_from_tile, board.light);
  if (first.candidates.empty()) return board;
  first.tile_probability = PictureProbability(first.candidates.front());
  if (first.tile_probability < kTileLies) return board;
  board.tiles.emplace(LatticeCell{0, 0}, std::move(first));
  // Quickly at first: what is not clear is looked at again.
  GrowBoard(picture, matcher, board, TileMatcher::Tries::kLikeliest);
  SettleBoard(picture, matcher, board);
  // A better lattice and light reach cells that were out of reach before.
  board.others.clear();
  GrowBoard(picture, matcher, board);
  return board;
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

// Of the boards that the likeliest of these squares belong to the best.
Board BestBoard(const cv::Mat& picture, const PicturePyramid& pyramid, const TileMatcher& matcher,
                const calibration::QuadOptions& squares) {
  const std::vector<Seed> seeds = FindSeeds(picture, pyramid, matcher, squares);
  Board best;
  double best_worth = 0;
  int grown = 0;
  std::vector<Board> boards;
  for (const Seed& seed : seeds) {
    const bool enough = best.tiles.size() >= kEnoughTiles;
    if (grown == kMostBoards || (enough && seed.match.cost > kClearSeed)) break;
    const bool covered = std::any_of(boards.begin(), boards.end(), [&](const Board& board) {
      return Covers(board, seed.centre);
    });
    if (covered) continue;
    Board board = BoardOf(pyramid, matcher, seed);
    ++grown;
    if (board.tiles.empty()) continue;
    if (const double worth = Worth(board, picture.size()); worth > best_worth) {
      best_worth = worth;
      best = board;
    }
    boards.push_back(std::move(board));
  }
  return best;
}

}  // namespace

Board FindBoardAround(const PicturePyramid& picture, const TileMatcher& matcher,
                      const cv::Matx33f& px_from_tile) {
  Seed seed;
  seed.match = matcher.MatchShape(picture, px_from_tile);
  if (seed.match.reference < 0) return {};  // a plain place is like none of them
  seed.match = matcher.AlignInAnyLight(picture, seed.match);
  return BoardOf(picture, matcher, seed);
}

Board FindBoard(const cv::Mat& picture, const PicturePyramid& pyramid, const TileMatcher& matcher) {
  calibration::QuadOptions squares;
  Board board = BestBoard(picture, pyramid, matcher, squares);
  if (board.tiles.size() >= kEnoughTiles) return board;
  squares.open_ends = true;
  Board other = BestBoard(picture, pyramid, matcher, squares);
  return Worth(other, picture.size()) > Worth(board, picture.size()) ? other : board;
}

}  // namespace tilewarden::vision
