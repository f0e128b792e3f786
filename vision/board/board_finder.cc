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
// So many boards are read at most. A board of so many tiles needs no rival: what the finder joins
// comes with the most evidence first.
constexpr std::size_t kMostBoards = 8, kEnoughTiles = 6;

// Where the finder's tiles lie, by the edges along their sides.
std::map<LatticeCell, cv::Matx33f> Outlined(const PicturePyramid& picture,
                                            const JoinedTiles& joined, bool from_aside) {
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
                                const std::map<LatticeCell, cv::Matx33f>& places) {
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
              const std::map<LatticeCell, cv::Matx33f>& outlines) {
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
              const std::map<LatticeCell, cv::Matx33f>& places) {
  Board best;
  for (const Light& light : LikelyLights(picture, matcher, places)) {
    Board board = BoardIn(light, picture, matcher, places);
    if (board.tiles.size() > best.tiles.size()) best = std::move(board);
    if (2 * best.tiles.size() > places.size()) break;
  }
  if (best.tiles.empty()) return best;
  FitLight(picture, matcher, best);
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

}  // namespace

Board FindBoardAround(const PicturePyramid& picture, const TileMatcher& matcher,
                      const cv::Matx33f& px_from_tile) {
  return BoardOf(picture, matcher, {{LatticeCell{0, 0}, px_from_tile}});
}

Board FindBoard(const PicturePyramid& picture, const TileMatcher& matcher, const TableView& view) {
  std::vector<Board> boards;
  Board best;
  double best_worth = 0;
  for (const JoinedTiles& joined : view.boards) {
    if (boards.size() == kMostBoards || best.tiles.size() >= kEnoughTiles) break;
    const cv::Matx33f& first = joined.tiles.begin()->second.px_from_tile;
    if (std::any_of(boards.begin(), boards.end(), [&](const Board& board) {
          return Covers(board, calibration::CentreOf(CornersOf(first)));
        })) {
      continue;
    }
    Board board = BoardOf(picture, matcher, Outlined(picture, joined, view.from_aside));
    if (board.tiles.empty()) continue;
    if (const double worth = Worth(board, picture.size()); worth > best_worth) {
      best_worth = worth;
      best = board;
    }
    boards.push_back(std::move(board));
  }
  return best;
}

}  // namespace tilewarden::vision
