#include "vision/board/unaided_growth.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/board/joined_tiles.h"
#include "vision/picture/in_parallel.h"
#include "vision/picture/lattice_cells.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

// A place whose middle is nearer to a tile's, in sides, is that tile's.
constexpr double kCovered = 0.5;
// Grain, print and chequered cloth that pass for tiles here and there are named with less than this
// on average, boards with more.
constexpr double kNoBoard = 0.5;
// Fields of a score track and squares of cloth are named alike in rows, a board's tiles are not.
constexpr std::size_t kRow = 3;
constexpr double kMostAlike = 0.6;
// A tile one of whose corners lies further from where the others say, in sides, is looked at there,
// too. Hand-laid tiles are off by a few hundredths.
constexpr double kWellLaid = 0.08;
// And further than this it is none of the board's, or was taken from other edges: it is looked for
// anew. Of fewer tiles it could not be told which one is astray.
constexpr double kAstray = 0.35;
constexpr std::size_t kFewToTell = 5;
constexpr int kMostDrops = 2;
// Where the lattice goes astray, from far aside, it is off by about this much, in sides.
constexpr float kOff = 0.25F;
constexpr int kMostRounds = 10;  // what is found and dropped in turn would go on for ever
// A tile that was there is gone below this, as figures hide much of one; another lies there if
// it is named what it was with less than this.
constexpr double kStillLies = 0.4, kStillNamed = 0.05;
// A tile may be cut off by the picture's border by so much of its side.
constexpr float kSlack = 0.1F;

// How likely this name and turn is, whatever the reading's own probability.
double Named(const TileScores& scores, const TileReading& name) {
  for (const TileReading& reading : scores.readings) {
    if (reading.tile == name.tile && reading.rotation == name.rotation) return reading.probability;
  }
  return 0;
}

// How far apart the furthest two corners of these are, in sides of the second.
double FurthestCorner(const cv::Matx33f& a, const cv::Matx33f& b) {
  const std::array<cv::Point2f, 4> ca = CornersOf(a), cb = CornersOf(b);
  double furthest = 0;
  for (std::size_t i = 0; i < 4; ++i) furthest = std::max(furthest, cv::norm(ca[i] - cb[i]));
  return furthest / calibration::SideOf(cb);
}

}  // namespace

double UnexpectedProbability(const TileScores& scores) {
  double sum = 0;
  for (const TileReading& reading : scores.unexpected) sum += reading.probability;
  return sum >= kClear ? sum : 0;
}

double Clearness(const TileScores& scores) {
  const double unexpected = UnexpectedProbability(scores);
  if (scores.readings.empty()) return unexpected;
  return std::max(unexpected, (1 - scores.nothing) * scores.readings.front().probability);
}

double TileProbability(const TileScores& scores) {
  return std::max(1 - scores.nothing, UnexpectedProbability(scores));
}

bool InOnePlace(const cv::Matx33f& a, const cv::Matx33f& b, double near) {
  const std::array<cv::Point2f, 4> ca = CornersOf(a), cb = CornersOf(b);
  return cv::norm(calibration::CentreOf(ca) - calibration::CentreOf(cb)) <
         near * std::max(calibration::SideOf(ca), calibration::SideOf(cb));
}

bool CoversPlace(const UnaidedBoard& board, const cv::Matx33f& px_from_tile) {
  return std::any_of(board.tiles.begin(), board.tiles.end(), [&](const auto& tile) {
    return InOnePlace(tile.second.px_from_tile, px_from_tile, kCovered);
  });
}

double Worth(const UnaidedBoard& board, cv::Size size) {
  double clear = 0;
  cv::Point2f centre(0, 0);
  std::map<std::string, std::size_t> alike;
  for (const auto& [cell, tile] : board.tiles) {
    if (const auto& names = tile.scores.readings;
        !names.empty() && names.front().tile != kOtherTile) {
      ++alike[names.front().tile];
    }
    clear += (Clearness(tile.scores) - kNoBoard) / (1 - kNoBoard);
    centre += calibration::CentreOf(CornersOf(tile.px_from_tile));
  }
  if (clear <= 0) return 0;
  for (const auto& [name, count] : alike) {
    if (count >= kRow &&
        static_cast<double>(count) > kMostAlike * static_cast<double>(board.tiles.size()))
      return 0;
  }
  centre *= 1 / static_cast<float>(board.tiles.size());
  const double off = std::hypot(centre.x / static_cast<float>(size.width) - 0.5F,
                                centre.y / static_cast<float>(size.height) - 0.5F);
  return std::max(1e-6, clear - off);
}

UnaidedGrowth::UnaidedGrowth(const cv::Mat& picture, const PicturePyramid& pyramid,
                             TileNetwork& network, const std::vector<std::string>& types,
                             const std::vector<std::string>& others)
    : picture_(picture), pyramid_(pyramid), network_(network) {
  once_.turns = false;
  once_.tiles = careful_.tiles = types;
  once_.others = careful_.others = others;
}

absl::StatusOr<std::vector<TileScores>> UnaidedGrowth::Ask(const std::vector<Place>& places,
                                                           const Looks& looks) const {
  std::vector<cv::Mat> cut(places.size());
  InParallel(places.size(), [&](std::size_t i) {
    cut[i] = CutPatch(picture_, CornersOf(places[i].px_from_tile));
  });
  std::vector<cv::Mat> patches;
  std::vector<std::size_t> index;
  std::vector<TileScores> scores(places.size());
  for (TileScores& s : scores) s.nothing = 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (cut[i].empty()) continue;
    patches.push_back(std::move(cut[i]));
    index.push_back(i);
  }
  absl::StatusOr<std::vector<TileScores>> asked = network_.Name(patches, looks);
  if (!asked.ok()) return asked.status();
  for (std::size_t k = 0; k < index.size(); ++k) scores[index[k]] = std::move((*asked)[k]);
  return scores;
}

absl::StatusOr<std::vector<TileScores>> UnaidedGrowth::Glance(
    const std::vector<Place>& places) const {
  return Ask(places, once_);
}

absl::Status UnaidedGrowth::Grow(UnaidedBoard& board) const {
  const auto around = [&](LatticeCell cell) {
    std::size_t count = 0;
    for (const LatticeCell& d : kBeside) count += board.tiles.count(Plus(cell, d));
    return count;
  };
  while (true) {
    std::map<LatticeCell, cv::Matx33f> laid;
    for (const auto& [cell, tile] : board.tiles) laid.emplace(cell, tile.px_from_tile);
    board.lattice.Fit(laid);
    std::vector<Place> places;
    for (const auto& [cell, tile] : board.tiles) {
      for (const LatticeCell& d : kBeside) {
        const LatticeCell next = Plus(cell, d);
        const std::size_t neighbours = around(next);
        std::size_t& known = board.others[next];
        if (board.tiles.contains(next) || known >= neighbours) continue;
        known = neighbours;
        const cv::Matx33f expected = board.lattice.Predict(next);
        if (InPicture(expected, picture_.size(), kSlack)) {
          places.push_back({next, expected});
        }
      }
    }
    if (places.empty()) break;
    InParallel(places.size(), [&](std::size_t i) {
      places[i].px_from_tile = OutlineNear(pyramid_, places[i].px_from_tile);
    });
    absl::StatusOr<std::vector<TileScores>> scores = Ask(places, once_);
    if (!scores.ok()) return scores.status();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (TileProbability((*scores)[i]) < kLikely) continue;
      board.tiles.insert_or_assign(places[i].cell,
                                   UnaidedTile{places[i].px_from_tile, std::move((*scores)[i])});
    }
  }
  std::erase_if(board.others, [&](const auto& other) { return board.tiles.contains(other.first); });
  return absl::OkStatus();
}

absl::Status UnaidedGrowth::GrowOtherwise(UnaidedBoard& lone) const {
  const std::array<cv::Point2f, 4> found = CornersOf(lone.tiles.begin()->second.px_from_tile);
  std::vector<Place> places;
  for (std::size_t i = 0; i < 4; ++i) {
    std::array<cv::Point2f, 4> corners = found;
    corners[i] = found[(i + 1) % 4] + found[(i + 3) % 4] - found[(i + 2) % 4];
    places.push_back({{}, OutlineNear(pyramid_, PxFromTile(corners))});
  }
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, once_);
  if (!scores.ok()) return scores.status();
  for (std::size_t i = 0; i < 4; ++i) {
    if (TileProbability((*scores)[i]) < kClear) continue;
    UnaidedBoard other;
    other.tiles.emplace(LatticeCell{}, UnaidedTile{places[i].px_from_tile, (*scores)[i]});
    if (absl::Status status = Grow(other); !status.ok()) return status;
    if (Worth(other, picture_.size()) > Worth(lone, picture_.size())) lone = std::move(other);
  }
  return absl::OkStatus();
}

void UnaidedGrowth::DropAstray(UnaidedBoard& board) const {
  std::map<LatticeCell, cv::Matx33f> laid;
  for (const auto& [cell, tile] : board.tiles) laid.emplace(cell, tile.px_from_tile);
  while (laid.size() >= kFewToTell) {
    board.lattice.Fit(laid);
    double furthest = kAstray;
    std::optional<LatticeCell> worst;
    for (const auto& [cell, px_from_tile] : laid) {
      const double off = FurthestCorner(px_from_tile, board.lattice.Predict(cell));
      if (off <= furthest) continue;
      furthest = off;
      worst = cell;
    }
    if (!worst) break;
    laid.erase(*worst);
    board.tiles.erase(*worst);
  }
  board.lattice.Fit(laid);
}

absl::StatusOr<bool> UnaidedGrowth::FindOffTheLattice(std::map<LatticeCell, cv::Matx33f>& looked,
                                                      UnaidedBoard& board) const {
  if (board.tiles.size() < kFewToTell) return false;
  std::vector<Place> places;
  for (const auto& [cell, count] : board.others) {
    const cv::Matx33f expected = board.lattice.Predict(cell);
    if (!InPicture(expected, picture_.size(), kSlack)) continue;
    const auto [before, first] = looked.try_emplace(cell, expected);
    if (!first && InOnePlace(before->second, expected, kOff / 2)) continue;
    before->second = expected;
    for (const LatticeCell& d : kBeside) {
      const cv::Matx33f shift(1, 0, kOff * static_cast<float>(d.x), 0, 1,
                              kOff * static_cast<float>(d.y), 0, 0, 1);
      places.push_back({cell, expected * shift});
    }
  }
  InParallel(places.size(), [&](std::size_t i) {
    places[i].px_from_tile = OutlineNear(pyramid_, places[i].px_from_tile);
  });
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, once_);
  if (!scores.ok()) return scores.status();
  std::map<LatticeCell, UnaidedTile> best;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (TileProbability((*scores)[i]) < kClear) continue;
    const auto [known, added] = best.try_emplace(places[i].cell);
    if (!added && Clearness(known->second.scores) >= Clearness((*scores)[i])) continue;
    known->second = {places[i].px_from_tile, std::move((*scores)[i])};
  }
  places.clear();
  for (const auto& [cell, tile] : best) places.push_back({cell, tile.px_from_tile});
  scores = Ask(places, careful_);
  if (!scores.ok()) return scores.status();
  bool found = false;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (Clearness((*scores)[i]) < kClear) continue;
    board.tiles.insert_or_assign(
        places[i].cell, UnaidedTile{places[i].px_from_tile, std::move((*scores)[i]), true});
    board.others.erase(places[i].cell);
    found = true;
  }
  return found;
}

absl::Status UnaidedGrowth::Complete(const std::vector<UnaidedTile>& tiles,
                                     UnaidedBoard& board) const {
  DropAstray(board);
  std::vector<bool> taken(tiles.size(), false);  // once, lest what goes astray comes back
  int dropped_rounds = 0;
  while (true) {
    if (absl::Status status = Grow(board); !status.ok()) return status;
    const std::size_t grown = board.tiles.size();
    DropAstray(board);
    // Where one was taken out it is looked for anew, by a lattice without it; twice at most, as it
    // may go astray again.
    const bool dropped = board.tiles.size() < grown && ++dropped_rounds <= kMostDrops;
    std::map<LatticeCell, cv::Matx33f> laid;
    for (const auto& [cell, tile] : board.tiles) laid.emplace(cell, tile.px_from_tile);
    std::vector<Place> places;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      if (taken[i] || CoversPlace(board, tiles[i].px_from_tile)) continue;
      if (const auto lies = CellOnLattice(laid, board.lattice, tiles[i].px_from_tile)) {
        places.push_back({lies->first, lies->second});
        taken[i] = true;
      }
    }
    absl::StatusOr<std::vector<TileScores>> scores = Ask(places, once_);
    if (!scores.ok()) return scores.status();
    bool added = false;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (TileProbability((*scores)[i]) < kClear) continue;
      added |=
          board.tiles
              .emplace(places[i].cell, UnaidedTile{places[i].px_from_tile, std::move((*scores)[i])})
              .second;
    }
    if (!added && !dropped) break;
  }
  return board.tiles.size() == 1 ? GrowOtherwise(board) : absl::OkStatus();
}

absl::Status UnaidedGrowth::CompleteOffTheLattice(UnaidedBoard& board) const {
  std::map<LatticeCell, cv::Matx33f> looked;
  for (int round = 0; round < kMostRounds; ++round) {
    const absl::StatusOr<bool> found = FindOffTheLattice(looked, board);
    if (!found.ok()) return found.status();
    if (!*found) break;
    if (absl::Status status = Complete({}, board); !status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status UnaidedGrowth::Settle(UnaidedBoard& board) const {
  // One that seems to lie askew may have been taken from other edges: it is looked at where the
  // others say, too.
  std::vector<Place> places;
  for (auto& [cell, tile] : board.tiles) {
    if (tile.careful) continue;
    places.push_back({cell, tile.px_from_tile});
    if (board.tiles.size() == 1) continue;
    const cv::Matx33f expected = board.lattice.Predict(cell);
    if (FurthestCorner(tile.px_from_tile, expected) > kWellLaid) {
      places.push_back({cell, OutlineNear(pyramid_, expected)});
    }
  }
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, careful_);
  if (!scores.ok()) return scores.status();
  for (std::size_t i = 0; i < places.size(); ++i) {
    UnaidedTile& tile = board.tiles.at(places[i].cell);
    if (tile.careful && Clearness((*scores)[i]) <= Clearness(tile.scores)) continue;
    tile = {places[i].px_from_tile, std::move((*scores)[i]), true, tile.weighed};
  }
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> UnaidedGrowth::ReadAgain(const std::set<LatticeCell>& cells, bool moved,
                                                     UnaidedBoard& board) const {
  std::vector<Place> places;
  for (const LatticeCell& cell : cells) {
    board.others.erase(cell);
    const auto tile = board.tiles.find(cell);
    if (tile == board.tiles.end()) continue;
    places.push_back({cell, OutlineNear(pyramid_, tile->second.px_from_tile)});
  }
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, careful_);
  if (!scores.ok()) return scores.status();
  std::size_t lost = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    TileScores& now = (*scores)[i];
    UnaidedTile& tile = board.tiles.at(places[i].cell);
    if (TileProbability(now) < kStillLies) {
      board.tiles.erase(places[i].cell);
      ++lost;
      continue;
    }
    // Where something was set on it, what it is was clearer before that.
    const bool same =
        !tile.scores.readings.empty() && Named(now, tile.scores.readings.front()) > kStillNamed;
    if (!same || Clearness(now) > Clearness(tile.scores)) {
      tile = {places[i].px_from_tile, std::move(now), true, false};
    } else if (moved) {
      tile.px_from_tile = places[i].px_from_tile;
    }
  }
  if (board.tiles.empty()) return lost;
  if (absl::Status status = Grow(board); !status.ok()) return status;
  if (absl::Status status = Settle(board); !status.ok()) return status;
  return lost;
}

}  // namespace tilewarden::vision
