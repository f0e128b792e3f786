#include "vision/board/board_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/tiles/tile_alignment.h"
#include "vision/tiles/tile_evidence.h"

namespace tilewarden::vision {
namespace {

constexpr std::array<LatticeCell, 4> kBeside = {LatticeCell{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

// A square is tried as a first tile from this correlation on.
constexpr float kSeedCost = 0.5F;
constexpr std::size_t kMostSeeds = 24;
constexpr int kMostBoards = 8;
// Tiles from which on a board needs no rival to be tried but from a square that is clearly a tile
// and yet none of its: then it may have gone astray.
constexpr std::size_t kEnoughTiles = 6;
constexpr float kClearSeed = 0.25F;
constexpr double kHopeless = 0.01;
// A tile that touches the board at a corner alone is laid against the rules: it must be clear.
constexpr double kTileAtCorner = 0.9;

LatticeCell Plus(LatticeCell a, LatticeCell b) { return {a.x + b.x, a.y + b.y}; }

int TilesAround(const Board& board, LatticeCell cell) {
  int count = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      if (dx != 0 || dy != 0) count += board.tiles.contains(Plus(cell, {dx, dy})) ? 1 : 0;
    }
  }
  return count;
}

void FitLattice(Board& board) {
  std::map<LatticeCell, cv::Matx33f> tiles;
  for (const auto& [cell, read] : board.tiles) {
    tiles.emplace(cell, read.candidates.front().px_from_tile);
  }
  board.lattice.Fit(tiles);
}

// A tile that is well explained may teach light and lattice to those after it.
bool IsClear(const ReadCell& read) {
  if (read.tile_probability < 0.9) return false;
  const TileMatcher::Match& best = read.candidates.front();
  return best.plain_cost - best.cost >= 0.05F;
}

// Gain, glare and offset of the board's light from all colours seen on its
// tiles, each channel for itself, held to what they were.
void FitLight(const PicturePyramid& picture, const TileMatcher& matcher, Board& board) {
  std::vector<ColourPair> pairs;
  for (const auto& [cell, read] : board.tiles) {
    if (pairs.size() > 20000) break;
    const TileMatcher::Match& match = read.candidates.front();
    // A wrong tile must not teach the light that would make it right.
    if (!IsClear(read)) continue;
    CollectColours(picture, matcher.references()[static_cast<std::size_t>(match.reference)], match,
                   pairs);
  }
  if (pairs.size() < 200) return;
  Light& light = board.light;
  for (int k = 0; k < 3; ++k) {
    cv::Matx44d normal = cv::Matx44d::zeros();
    cv::Vec4d right;
    for (const ColourPair& pair : pairs) {
      const double x = pair.seen[k];
      const cv::Vec4d row(pair.exposure * x, pair.exposure * x * x / 255, pair.veil, 1);
      normal += pair.weight * row * row.t();
      right += row * static_cast<double>(pair.weight * pair.reference[k]);
    }
    // Standard deviations against a noise of 12 levels, 40 samples counting as one.
    const double unit = 12.0 * 12.0 * 40;
    const cv::Vec4d spread(0.3, 0.6, 40, 30);
    const cv::Vec4d before(light.gain[k], light.curve[k], light.glare[k], light.offset[k]);
    for (int a = 0; a < 4; ++a) {
      const double prior = unit / (spread[a] * spread[a]);
      normal(a, a) += prior;
      right[a] += prior * before[a];
    }
    const cv::Vec4d fitted = normal.solve(right, cv::DECOMP_CHOLESKY);
    light.gain[k] = std::clamp(static_cast<float>(fitted[0]), -1.F, 4.F);
    light.curve[k] = std::clamp(static_cast<float>(fitted[1]), -2.F, 4.F);
    light.glare[k] = static_cast<float>(fitted[2]);
    light.offset[k] = static_cast<float>(fitted[3]);
  }
}

// Light changes little from a tile to the next, and goes on as it changes there.
Light LightAt(const Board& board, LatticeCell cell) {
  constexpr float kOnward = 0.7F;
  Light sum = board.light;
  sum.exposure = sum.veil = 0;
  float weight = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const auto tile = board.tiles.find(Plus(cell, {dx, dy}));
      if (tile == board.tiles.end() || (dx == 0 && dy == 0)) continue;
      const Light& light = tile->second.candidates.front().light;
      const float w = dx == 0 || dy == 0 ? 1.F : 0.5F;
      sum.exposure += w * light.exposure;
      sum.veil += w * (light.veil - kOnward * (light.veil_x * static_cast<float>(dx) +
                                               light.veil_y * static_cast<float>(dy)));
      sum.veil_x += w * kOnward * light.veil_x;
      sum.veil_y += w * kOnward * light.veil_y;
      weight += w;
    }
  }
  if (weight <= 0) return board.light;
  for (float* v : {&sum.exposure, &sum.veil, &sum.veil_x, &sum.veil_y}) *v /= weight;
  return sum;
}

// How a place stands out from what is around it.
Surroundings LookAround(const PicturePyramid& picture, const Board& board, LatticeCell cell,
                        const cv::Matx33f& px_from_tile) {
  constexpr int kAlong = 12;
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
      float difference = 0, level = 30;
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

struct Seed {
  TileMatcher::Match match;
  cv::Point2f centre;
  double side = 0;
};

std::vector<Seed> FindSeeds(const cv::Mat& picture, const PicturePyramid& pyramid,
                            const TileMatcher& matcher, const calibration::QuadOptions& squares) {
  const std::vector<calibration::Quad> quads = calibration::FindQuads(picture, squares);
  // The best supported first, until enough are clearly tiles.
  constexpr std::size_t kAtOnce = 128;
  std::vector<TileMatcher::Match> shapes(quads.size());
  for (TileMatcher::Match& match : shapes) match.cost = 2;
  std::size_t looked_at = 0, clear = 0;
  while (looked_at < quads.size() && clear < kMostSeeds) {
    const std::size_t from = looked_at;
    looked_at = std::min(quads.size(), from + kAtOnce);
    cv::parallel_for_(cv::Range(static_cast<int>(from), static_cast<int>(looked_at)),
                      [&](const cv::Range& range) {
                        for (int i = range.start; i < range.end; ++i) {
                          const auto k = static_cast<std::size_t>(i);
                          shapes[k] = matcher.MatchShape(pyramid, PxFromTile(quads[k].corners_px));
                        }
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
  cv::parallel_for_(cv::Range(0, static_cast<int>(seeds.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      Seed& seed = seeds[static_cast<std::size_t>(i)];
      seed.match = matcher.AlignInAnyLight(pyramid, seed.match);
    }
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

ReadCell ReadOneCell(const PicturePyramid& picture, const TileMatcher& matcher, const Board& board,
                     LatticeCell cell, TileMatcher::Tries tries) {
  ReadCell read;
  read.neighbours = TilesAround(board, cell);
  const cv::Matx33f expected = board.lattice.Predict(cell);
  if (!InPicture(expected, picture.size())) return read;
  read.candidates = matcher.Candidates(picture, expected, LightAt(board, cell), tries);
  if (read.candidates.empty()) return read;
  const TileMatcher::Match& best = read.candidates.front();
  read.tile_probability =
      TileProbability(best, LookAround(picture, board, cell, best.px_from_tile));
  return read;
}

void GrowBoard(const PicturePyramid& picture, const TileMatcher& matcher, Board& board,
               TileMatcher::Tries tries) {
  FitLattice(board);
  for (int wave = 0; wave < 200; ++wave) {
    std::set<LatticeCell> beside;
    for (const auto& [cell, read] : board.tiles) {
      for (const LatticeCell& d : kBeside) {
        const LatticeCell next = Plus(cell, d);
        if (board.tiles.contains(next)) continue;
        if (const auto other = board.others.find(next); other != board.others.end()) {
          const int around = TilesAround(board, next);
          if (other->second.neighbours >= around) continue;
          // What was nothing like a tile is not looked at again for each neighbour.
          if (other->second.tile_probability < kHopeless && around < 3) continue;
        }
        beside.insert(next);
      }
    }
    const std::vector<LatticeCell> frontier(beside.begin(), beside.end());
    std::vector<ReadCell> reads(frontier.size());
    cv::parallel_for_(cv::Range(0, static_cast<int>(frontier.size())), [&](const cv::Range& range) {
      for (int i = range.start; i < range.end; ++i) {
        const auto k = static_cast<std::size_t>(i);
        reads[k] = ReadOneCell(picture, matcher, board, frontier[k], tries);
      }
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
  const bool known = std::any_of(
      read.candidates.begin(), read.candidates.end(), [&](const TileMatcher::Match& match) {
        const auto& reference = matcher.references()[static_cast<std::size_t>(match.reference)];
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
                 const std::set<LatticeCell>* changed) {
  const auto concerned = [&](LatticeCell cell) {
    return changed == nullptr || std::any_of(changed->begin(), changed->end(), [&](LatticeCell c) {
             return std::abs(c.x - cell.x) <= 1 && std::abs(c.y - cell.y) <= 1;
           });
  };
  // Early tiles were looked for by a lattice and a light that few had told.
  constexpr float kWellRead = 0.06F;
  for (int round = 0; round < 2; ++round) {
    std::vector<LatticeCell> doubtful;
    for (const auto& [cell, read] : board.tiles) {
      if (read.candidates.front().cost > kWellRead && concerned(cell)) doubtful.push_back(cell);
    }
    std::vector<ReadCell> reads(doubtful.size());
    cv::parallel_for_(cv::Range(0, static_cast<int>(doubtful.size())), [&](const cv::Range& range) {
      for (int i = range.start; i < range.end; ++i) {
        const auto k = static_cast<std::size_t>(i);
        reads[k] = ReadOneCell(picture, matcher, board, doubtful[k]);
      }
    });
    bool better = false;
    for (std::size_t i = 0; i < doubtful.size(); ++i) {
      if (reads[i].candidates.empty()) continue;
      ReadCell& read = board.tiles.at(doubtful[i]);
      if (reads[i].candidates.front().cost > read.candidates.front().cost - 0.002F) continue;
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
