#include "vision/board/board_growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "calibration/common/quad_finder.h"
#include "vision/board/board_light.h"
#include "vision/picture/in_parallel.h"
#include "vision/picture/lattice_cells.h"
#include "vision/tiles/tile_evidence.h"

namespace tilewarden::vision {
namespace {

// A place that is less likely a tile than this is looked at again only once three tiles lie around
// it. More costs tiles at the rim, less costs looks at bare table.
constexpr double kHopeless = 0.01;
constexpr int kEnoughAround = 3;
// More waves than the longest row has tiles.
constexpr int kMostWaves = 200;
// A tile that touches the board at a corner alone is laid against the rules: it must be clear.
constexpr double kTileAtCorner = 0.9;

// Of more tiles their lattice says better where one lies than the edges around it, which shadows
// and figures hide.
constexpr std::size_t kFewToFit = 4;

int TilesAround(const Board& board, LatticeCell cell) {
  return static_cast<int>(std::count_if(kAround.begin(), kAround.end(), [&](LatticeCell d) {
    return board.tiles.contains(Plus(cell, d));
  }));
}

void FitLattice(Board& board) {
  std::map<LatticeCell, cv::Matx33f> tiles;
  for (const auto& [cell, read] : board.tiles) {
    tiles.emplace(cell, read.candidates.front().px_from_tile);
  }
  board.lattice.Fit(tiles);
}

// How a place stands out from what is around it.
Surroundings LookAround(const PicturePyramid& picture, const Board& board, LatticeCell cell,
                        const cv::Matx33f& px_from_tile) {
  constexpr int kAlong = 12;  // samples along a side
  // Levels that keep the contrast of dark places from counting for more than it is.
  constexpr float kDark = 30;
  constexpr float kStep = 1.F / kAlong;
  // Samples one step inside and two steps outside, the way between left out:
  // gaps, worn edges and the tile's thickness lie there.
  constexpr int kWideRow = kAlong + 4;
  std::array<cv::Vec3f, kWideRow * kWideRow> seen;
  Sample(picture, px_from_tile, -1.5F * kStep, kStep, kStep, kWideRow, seen.data());
  const auto at = [&](int x, int y) {
    return seen[static_cast<std::size_t>((y + 2) * kWideRow + x + 2)];
  };
  Surroundings around;
  float strongest = 0;
  for (const LatticeCell& d : kBeside) {
    const bool after = d.x + d.y > 0;
    const int in = after ? kAlong - 2 : 1, out = after ? kAlong + 1 : -2;
    std::array<float, kAlong - 2> contrast{};
    for (int i = 1; i < kAlong - 1; ++i) {
      const cv::Vec3f a = d.x != 0 ? at(in, i) : at(i, in);
      const cv::Vec3f b = d.x != 0 ? at(out, i) : at(i, out);
      float difference = 0, level = kDark;
      for (int k = 0; k < 3; ++k) {
        difference += std::abs(a[k] - b[k]);
        level += 0.5F * (a[k] + b[k]);
      }
      contrast[static_cast<std::size_t>(i - 1)] = difference / level;
    }
    std::nth_element(contrast.begin(), contrast.begin() + contrast.size() / 2, contrast.end());
    const bool tile = board.tiles.contains(Plus(cell, d));
    const float median = contrast[contrast.size() / 2];
    (tile ? around.to_tiles : around.to_table) += median;
    ++(tile ? around.tiles : around.free);
    if (!tile) strongest = std::max(strongest, median);
  }
  // The strongest may be a tile beside it that is yet to be found.
  if (around.free > 1) around.to_table = (around.to_table - strongest) / (around.free - 1);
  if (around.tiles > 0) around.to_tiles /= around.tiles;
  return around;
}

// Adds the likeliest of the places that no clear picture vouches for. Of thresholds 0.5, 0.7 and
// 0.85 the middle one left no tile of the two rendered sequences out and added none.
bool AddLikeliest(Board& board) {
  constexpr double kLikely = 0.7;
  auto likeliest = board.others.end();
  for (auto other = board.others.begin(); other != board.others.end(); ++other) {
    if (other->second.tile_probability < kLikely) continue;
    if (likeliest == board.others.end() ||
        other->second.tile_probability > likeliest->second.tile_probability) {
      likeliest = other;
    }
  }
  if (likeliest == board.others.end()) return false;
  board.tiles.insert_or_assign(likeliest->first, std::move(likeliest->second));
  board.others.erase(likeliest);
  return true;
}

// A picture of another copy may fit best where the tile does not lie: what is not clear, and strays
// from its outline, lies where the outline says.
void HoldTo(const cv::Matx33f& outline, std::vector<TileMatcher::Match>& candidates) {
  // In sides of a tile; and a cost below which a picture says better where it lies than edges do.
  constexpr double kStrays = 0.08;
  constexpr float kClear = 0.12F;
  const std::array<cv::Point2f, 4> lies = CornersOf(outline);
  for (TileMatcher::Match& match : candidates) {
    if (match.cost < kClear) continue;
    const std::array<cv::Point2f, 4> fits = CornersOf(match.px_from_tile);
    double furthest = 0;
    for (std::size_t i = 0; i < 4; ++i) furthest = std::max(furthest, cv::norm(fits[i] - lies[i]));
    if (furthest > kStrays * calibration::SideOf(lies)) match.px_from_tile = outline;
  }
}

}  // namespace

const cv::Matx33f* OutlineOf(const Board& board, LatticeCell cell) {
  const auto outline = board.outlines.find(cell);
  return board.tiles.size() > kFewToFit || outline == board.outlines.end() ? nullptr
                                                                           : &outline->second;
}

cv::Matx33f PlaceOf(const Board& board, LatticeCell cell) {
  const cv::Matx33f* outline = OutlineOf(board, cell);
  return outline == nullptr ? board.lattice.Predict(cell) : *outline;
}

ReadCell ReadOneCell(const PicturePyramid& picture, const TileMatcher& matcher, const Board& board,
                     LatticeCell cell, TileMatcher::Tries tries) {
  ReadCell read;
  read.neighbours = TilesAround(board, cell);
  const cv::Matx33f expected = PlaceOf(board, cell);
  if (!InPicture(expected, picture.size())) return read;
  read.candidates = matcher.Candidates(picture, expected, LightAt(board, cell), tries);
  if (read.candidates.empty()) return read;
  if (OutlineOf(board, cell) != nullptr) HoldTo(expected, read.candidates);
  const TileMatcher::Match& best = read.candidates.front();
  read.tile_probability =
      TileProbability(best, LookAround(picture, board, cell, best.px_from_tile));
  return read;
}

void GrowBoard(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
               TileMatcher::Tries tries) {
  FitLattice(board);
  for (int wave = 0; wave < kMostWaves; ++wave) {
    std::set<LatticeCell> beside;
    for (const auto& [cell, read] : board.tiles) {
      for (const LatticeCell& d : kBeside) {
        const LatticeCell next = Plus(cell, d);
        if (board.tiles.contains(next)) continue;
        if (const auto other = board.others.find(next); other != board.others.end()) {
          const int around = TilesAround(board, next);
          if (other->second.neighbours >= around) continue;
          // What was nothing like a tile is not looked at again for each neighbour.
          if (other->second.tile_probability < kHopeless && around < kEnoughAround) continue;
        }
        beside.insert(next);
      }
    }
    const std::vector<LatticeCell> frontier(beside.begin(), beside.end());
    std::vector<ReadCell> reads(frontier.size());
    InParallel(frontier.size(), [&](std::size_t i) {
      reads[i] = ReadOneCell(picture, matcher, board, frontier[i], tries);
    });
    bool added = false;
    for (std::size_t i = 0; i < frontier.size(); ++i) {
      if (!reads[i].candidates.empty() &&
          PictureProbability(reads[i].candidates.front()) >= kTileLies) {
        board.others.erase(frontier[i]);
        board.tiles.insert_or_assign(frontier[i], std::move(reads[i]));
        added = true;
      } else {
        board.others.insert_or_assign(frontier[i], std::move(reads[i]));
      }
    }
    // Where no clear tile is left, the likeliest of the others.
    if (!added) added = AddLikeliest(board);
    if (!added) break;
    FitLattice(board);
    FitLight(picture, matcher, board);
  }
}

std::set<LatticeCell> CornersOfBoard(const Board& board) {
  std::set<LatticeCell> corners;
  for (const auto& [cell, read] : board.tiles) {
    for (const LatticeCell& d : {LatticeCell{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}) {
      const LatticeCell next = Plus(cell, d);
      const bool beside = std::any_of(kBeside.begin(), kBeside.end(), [&](LatticeCell side) {
        return board.tiles.contains(Plus(next, side));
      });
      if (!beside && !board.tiles.contains(next)) corners.insert(next);
    }
  }
  return corners;
}

void AddAtCorners(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
                  const std::set<LatticeCell>& changed) {
  for (const LatticeCell& cell : CornersOfBoard(board)) {
    if (!changed.contains(cell)) continue;
    ReadCell read = ReadOneCell(picture, matcher, board, cell);
    if (read.candidates.empty() || PictureProbability(read.candidates.front()) < kTileAtCorner) {
      continue;
    }
    board.others.erase(cell);
    board.tiles.insert_or_assign(cell, std::move(read));
  }
}

void AddCandidate(const PicturePyramid& picture, const TileMatcher& matcher, const Board& board,
                  LatticeCell cell, const cv::Matx33f& px_from_tile, const std::string& tile,
                  int rotation, ReadCell& read) {
  const bool known = std::any_of(read.candidates.begin(), read.candidates.end(),
                                 [&](const TileMatcher::Match& match) {
                                   const auto& reference = matcher.ReferenceOf(match);
                                   return reference.tile == tile && reference.rotation == rotation;
                                 });
  if (known) return;
  const TileMatcher::Match match =
      matcher.AlignAs(picture, tile, rotation, px_from_tile, LightAt(board, cell));
  if (match.reference >= 0) read.candidates.push_back(match);
}

bool AddLikelyTiles(Board& board) {
  bool added = false;
  for (auto other = board.others.begin(); other != board.others.end();) {
    if (other->second.tile_probability < kTileLies || !other->second.asked) {
      ++other;
      continue;
    }
    board.tiles.insert_or_assign(other->first, std::move(other->second));
    other = board.others.erase(other);
    added = true;
  }
  if (added) FitLattice(board);
  return added;
}

void SettleBoard(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
                 const std::set<LatticeCell>* cells) {
  // Early tiles were looked for with a lattice and a light known from a few tiles only. What costs
  // less is not looked at again; what gains less by that stays as it was.
  constexpr float kWellRead = 0.06F, kGain = 0.002F;
  for (int round = 0; round < 2; ++round) {
    std::vector<LatticeCell> doubtful;
    for (const auto& [cell, read] : board.tiles) {
      const bool asked = cells == nullptr || cells->contains(cell);
      if (asked && read.candidates.front().cost > kWellRead) doubtful.push_back(cell);
    }
    std::vector<ReadCell> reads(doubtful.size());
    InParallel(doubtful.size(), [&](std::size_t i) {
      reads[i] = ReadOneCell(picture, matcher, board, doubtful[i]);
    });
    bool better = false;
    for (std::size_t i = 0; i < doubtful.size(); ++i) {
      if (reads[i].candidates.empty()) continue;
      ReadCell& read = board.tiles.at(doubtful[i]);
      if (reads[i].candidates.front().cost > read.candidates.front().cost - kGain) continue;
      reads[i].looked_again = read.looked_again;
      read = std::move(reads[i]);
      better = true;
    }
    for (auto tile = board.tiles.begin(); tile != board.tiles.end();) {
      if (tile->second.tile_probability >= kTileLies || board.tiles.size() == 1) {
        ++tile;
        continue;
      }
      board.others.insert_or_assign(tile->first, std::move(tile->second));
      tile = board.tiles.erase(tile);
    }
    if (!better) break;
    FitLattice(board);
    FitLight(picture, matcher, board);
  }
}

}  // namespace tilewarden::vision
