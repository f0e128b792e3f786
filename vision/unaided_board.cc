#include "vision/unaided_board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "calibration/quad_finder.h"
#include "vision/tile_outline.h"
#include "vision/tile_patch.h"

namespace tilewarden::vision {
namespace {

// Squares that the network is asked about, best supported first, and boards that
// are grown from what it takes for tiles.
constexpr std::size_t kMostSquares = 240;
constexpr std::size_t kMostBoards = 6;
// Boards from this size on need no rival.
constexpr std::size_t kEnoughTiles = 8;
// A seed must be clear, a tile beside others only likely: of 197 places beside
// boards the network takes one for a tile.
constexpr double kClear = 0.9, kLikely = 0.6;
constexpr std::array<LatticeCell, 4> kBeside = {LatticeCell{0, -1}, {1, 0}, {0, 1}, {-1, 0}};

// That a tile lies there, and which, as one number to compare places by.
double Clearness(const TileScores& scores) {
  if (scores.readings.empty()) return 0;
  return (1 - scores.nothing) * scores.readings.front().probability;
}

double TileProbability(const TileScores& scores) { return 1 - scores.nothing; }

float SideOf(const cv::Matx33f& px_from_tile) {
  return static_cast<float>(calibration::SideOf(CornersOf(px_from_tile)));
}

bool InPicture(const cv::Matx33f& px_from_tile, cv::Size size) {
  const float slack = 0.1F * SideOf(px_from_tile);
  const std::array<cv::Point2f, 4> corners = CornersOf(px_from_tile);
  return std::all_of(corners.begin(), corners.end(), [&](const cv::Point2f& c) {
    return c.x > -slack && c.y > -slack && c.x < static_cast<float>(size.width) + slack &&
           c.y < static_cast<float>(size.height) + slack;
  });
}

class Finder {
 public:
  Finder(const cv::Mat& picture, TileNetwork& network, const std::vector<std::string>& types)
      : picture_(picture), pyramid_(picture), network_(network) {
    once_.turns = false;
    once_.tiles = types;
  }

  absl::StatusOr<UnaidedBoard> Find();

 private:
  struct Place {
    LatticeCell cell;
    cv::Matx33f px_from_tile;
  };
  absl::StatusOr<std::vector<TileScores>> Ask(const std::vector<Place>& places,
                                              const Looks& looks) const;
  absl::StatusOr<std::vector<UnaidedTile>> Seeds() const;
  absl::StatusOr<UnaidedBoard> Grow(const UnaidedTile& seed) const;

  const cv::Mat& picture_;
  const PicturePyramid pyramid_;
  TileNetwork& network_;
  Looks once_;
};

absl::StatusOr<std::vector<TileScores>> Finder::Ask(const std::vector<Place>& places,
                                                    const Looks& looks) const {
  std::vector<cv::Mat> patches;
  std::vector<std::size_t> index;
  std::vector<TileScores> scores(places.size());
  for (TileScores& s : scores) s.nothing = 1;
  for (std::size_t i = 0; i < places.size(); ++i) {
    cv::Mat patch = CutPatch(picture_, CornersOf(places[i].px_from_tile));
    if (patch.empty()) continue;
    patches.push_back(std::move(patch));
    index.push_back(i);
  }
  absl::StatusOr<std::vector<TileScores>> asked = network_.Name(patches, looks);
  if (!asked.ok()) return asked.status();
  for (std::size_t k = 0; k < index.size(); ++k) scores[index[k]] = std::move((*asked)[k]);
  return scores;
}

absl::StatusOr<std::vector<UnaidedTile>> Finder::Seeds() const {
  std::vector<Place> places;
  for (const calibration::Quad& quad : calibration::FindQuads(picture_)) {
    if (places.size() == kMostSquares) break;
    const cv::Point2f centre = calibration::CentreOf(quad.corners_px);
    const double side = calibration::SideOf(quad.corners_px);
    const bool known = std::any_of(places.begin(), places.end(), [&](const Place& other) {
      const std::array<cv::Point2f, 4> c = CornersOf(other.px_from_tile);
      return cv::norm(calibration::CentreOf(c) - centre) < 0.15 * side &&
             std::abs(calibration::SideOf(c) / side - 1) < 0.15;
    });
    if (!known) places.push_back({{}, PxFromTile(quad.corners_px)});
  }
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, once_);
  if (!scores.ok()) return scores.status();
  std::vector<UnaidedTile> seeds;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (TileProbability((*scores)[i]) < kClear || Clearness((*scores)[i]) < kLikely) continue;
    seeds.push_back({OutlineNear(pyramid_, places[i].px_from_tile), std::move((*scores)[i])});
  }
  std::sort(seeds.begin(), seeds.end(), [](const UnaidedTile& a, const UnaidedTile& b) {
    return Clearness(a.scores) > Clearness(b.scores);
  });
  return seeds;
}

absl::StatusOr<UnaidedBoard> Finder::Grow(const UnaidedTile& seed) const {
  UnaidedBoard board;
  board.tiles.emplace(LatticeCell{0, 0}, seed);
  std::map<LatticeCell, std::size_t> tried;  // neighbours when it was looked at
  const auto around = [&](LatticeCell cell) {
    std::size_t count = 0;
    for (const LatticeCell& d : kBeside) count += board.tiles.count({cell.x + d.x, cell.y + d.y});
    return count;
  };
  while (true) {
    std::map<LatticeCell, cv::Matx33f> laid;
    for (const auto& [cell, tile] : board.tiles) laid.emplace(cell, tile.px_from_tile);
    board.lattice.Fit(laid);
    std::vector<Place> places;
    for (const auto& [cell, tile] : board.tiles) {
      for (const LatticeCell& d : kBeside) {
        const LatticeCell next{cell.x + d.x, cell.y + d.y};
        const std::size_t neighbours = around(next);
        if (board.tiles.contains(next) || tried[next] >= neighbours) continue;
        tried[next] = neighbours;
        const cv::Matx33f expected = board.lattice.Predict(next);
        if (InPicture(expected, picture_.size())) {
          places.push_back({next, OutlineNear(pyramid_, expected)});
        }
      }
    }
    if (places.empty()) return board;
    absl::StatusOr<std::vector<TileScores>> scores = Ask(places, once_);
    if (!scores.ok()) return scores.status();
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (TileProbability((*scores)[i]) < kLikely) continue;
      board.tiles.insert_or_assign(places[i].cell,
                                   UnaidedTile{places[i].px_from_tile, std::move((*scores)[i])});
    }
  }
}

absl::StatusOr<UnaidedBoard> Finder::Find() {
  absl::StatusOr<std::vector<UnaidedTile>> seeds = Seeds();
  if (!seeds.ok()) return seeds.status();
  UnaidedBoard best;
  std::size_t grown = 0;
  std::vector<cv::Point2f> covered;
  std::vector<float> sides;
  for (const UnaidedTile& seed : *seeds) {
    if (grown == kMostBoards || best.tiles.size() >= kEnoughTiles) break;
    const cv::Point2f centre = calibration::CentreOf(CornersOf(seed.px_from_tile));
    bool known = false;
    for (std::size_t i = 0; i < covered.size(); ++i) {
      known = known || cv::norm(covered[i] - centre) < 0.5F * sides[i];
    }
    if (known) continue;
    absl::StatusOr<UnaidedBoard> board = Grow(seed);
    if (!board.ok()) return board.status();
    ++grown;
    for (const auto& [cell, tile] : board->tiles) {
      covered.push_back(calibration::CentreOf(CornersOf(tile.px_from_tile)));
      sides.push_back(SideOf(tile.px_from_tile));
    }
    if (board->tiles.size() > best.tiles.size()) best = *std::move(board);
  }
  // Once more with care, now that it is known where to look.
  std::vector<Place> places;
  for (const auto& [cell, tile] : best.tiles) places.push_back({cell, tile.px_from_tile});
  Looks careful = once_;
  careful.turns = true;
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, careful);
  if (!scores.ok()) return scores.status();
  for (std::size_t i = 0; i < places.size(); ++i) {
    best.tiles.at(places[i].cell).scores = std::move((*scores)[i]);
  }
  return best;
}

}  // namespace

absl::StatusOr<UnaidedBoard> FindUnaidedBoard(const cv::Mat& picture, TileNetwork& network,
                                              const std::vector<std::string>& types) {
  return Finder(picture, network, types).Find();
}

}  // namespace tilewarden::vision
