#include "vision/board/unaided_board.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/picture/lattice_cells.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

// Squares that the network is asked about, best supported first, and boards that
// are grown from what it takes for tiles.
constexpr std::size_t kMostSquares = 240;
constexpr std::size_t kMostBoards = 6;
// Boards that are worth so much need no rival.
constexpr double kEnoughTiles = 8;
// Grain, print and chequered cloth that pass for tiles here and there are named with less than this
// on average, boards with more.
constexpr double kNoBoard = 0.5;
// Fields of a score track and squares of cloth are named alike in rows, a board's tiles are not.
constexpr std::size_t kRow = 3;
constexpr double kMostAlike = 0.6;
// Smaller squares are print; nothing could be read from tiles so small.
constexpr double kSmallest_px = 50;
// A seed must be clear, or certainly a tile whichever, a tile beside others only likely: of 197
// places beside boards the network takes one for a tile.
constexpr double kClear = 0.9, kCertain = 0.99, kLikely = 0.6;
// A tile that was there is gone below this, as figures hide much of one; another lies there if
// it is named what it was with less than this.
constexpr double kStillLies = 0.4, kStillNamed = 0.05;
// A tile may be cut off by the picture's border by so much of its side.
constexpr float kSlack = 0.1F;

// That a tile lies there, and which, as one number to compare places by.
double Clearness(const TileScores& scores) {
  if (scores.readings.empty()) return 0;
  return (1 - scores.nothing) * scores.readings.front().probability;
}

double TileProbability(const TileScores& scores) { return 1 - scores.nothing; }

// How likely this name and turn is, whatever the reading's own probability.
double Named(const TileScores& scores, const TileReading& name) {
  for (const TileReading& reading : scores.readings) {
    if (reading.tile == name.tile && reading.rotation == name.rotation) return reading.probability;
  }
  return 0;
}

float SideOf(const cv::Matx33f& px_from_tile) {
  return static_cast<float>(calibration::SideOf(CornersOf(px_from_tile)));
}

// Clear tiles make the better board, and doubtful ones speak against it. Of single ones the nearest
// to the middle, because what lies beside the board lies at the picture's border. 0 for what is
// none.
double Worth(const UnaidedBoard& board, cv::Size size) {
  double clear = 0;
  cv::Point2f centre(0, 0);
  std::map<std::string, std::size_t> alike;
  for (const auto& [cell, tile] : board.tiles) {
    if (!tile.scores.readings.empty()) ++alike[tile.scores.readings.front().tile];
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

class Finder {
 public:
  Finder(const cv::Mat& picture, const PicturePyramid& pyramid, TileNetwork& network,
         const std::vector<std::string>& types)
      : picture_(picture), pyramid_(pyramid), network_(network) {
    once_.turns = false;
    once_.tiles = types;
    careful_.tiles = types;
  }

  absl::StatusOr<UnaidedBoard> Find() const;
  absl::StatusOr<std::size_t> ReadAgain(const std::set<LatticeCell>& cells, bool moved,
                                        UnaidedBoard& board) const;

 private:
  struct Place {
    LatticeCell cell;
    cv::Matx33f px_from_tile;
  };
  absl::StatusOr<std::vector<TileScores>> Ask(const std::vector<Place>& places,
                                              const Looks& looks) const;
  absl::StatusOr<std::vector<UnaidedTile>> Seeds(const calibration::QuadOptions& squares) const;
  // Of the boards that the clearest of these squares belong to the best.
  absl::StatusOr<UnaidedBoard> Best(const calibration::QuadOptions& squares) const;
  absl::Status Grow(UnaidedBoard& board) const;
  // A lone tile's neighbours are looked for where its outline says. One corner of it may have been
  // taken from something printed: it is put where the other three say.
  absl::Status GrowOtherwise(UnaidedBoard& lone) const;
  // Once more with care, now that it is known where to look.
  absl::Status Settle(UnaidedBoard& board) const;

  const cv::Mat& picture_;
  const PicturePyramid& pyramid_;
  TileNetwork& network_;
  Looks once_, careful_;
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

absl::StatusOr<std::vector<UnaidedTile>> Finder::Seeds(
    const calibration::QuadOptions& squares) const {
  std::vector<Place> places;
  for (const calibration::Quad& quad : calibration::FindQuads(picture_, squares)) {
    if (places.size() == kMostSquares) break;
    if (calibration::SideOf(quad.corners_px) < kSmallest_px) continue;
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
    const double tile = TileProbability((*scores)[i]), named = Clearness((*scores)[i]);
    if (tile < kClear || (tile < kCertain && named < kLikely)) continue;
    seeds.push_back({OutlineNear(pyramid_, places[i].px_from_tile), std::move((*scores)[i])});
  }
  std::sort(seeds.begin(), seeds.end(), [](const UnaidedTile& a, const UnaidedTile& b) {
    return Clearness(a.scores) > Clearness(b.scores);
  });
  return seeds;
}

absl::Status Finder::Grow(UnaidedBoard& board) const {
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
          places.push_back({next, OutlineNear(pyramid_, expected)});
        }
      }
    }
    if (places.empty()) break;
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

absl::Status Finder::GrowOtherwise(UnaidedBoard& lone) const {
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

absl::Status Finder::Settle(UnaidedBoard& board) const {
  std::vector<Place> places;
  for (const auto& [cell, tile] : board.tiles) {
    if (!tile.careful) places.push_back({cell, tile.px_from_tile});
  }
  absl::StatusOr<std::vector<TileScores>> scores = Ask(places, careful_);
  if (!scores.ok()) return scores.status();
  for (std::size_t i = 0; i < places.size(); ++i) {
    UnaidedTile& tile = board.tiles.at(places[i].cell);
    tile.scores = std::move((*scores)[i]);
    tile.careful = true;
  }
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> Finder::ReadAgain(const std::set<LatticeCell>& cells, bool moved,
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

absl::StatusOr<UnaidedBoard> Finder::Find() const {
  calibration::QuadOptions squares;
  absl::StatusOr<UnaidedBoard> board = Best(squares);
  if (!board.ok() || static_cast<double>(board->tiles.size()) >= kEnoughTiles) return board;
  squares.open_ends = true;
  absl::StatusOr<UnaidedBoard> other = Best(squares);
  if (!other.ok()) return other;
  return Worth(*other, picture_.size()) > Worth(*board, picture_.size()) ? other : board;
}

absl::StatusOr<UnaidedBoard> Finder::Best(const calibration::QuadOptions& squares) const {
  absl::StatusOr<std::vector<UnaidedTile>> seeds = Seeds(squares);
  if (!seeds.ok()) return seeds.status();
  std::vector<std::pair<double, UnaidedBoard>> boards;
  double best_worth = 0;
  std::vector<cv::Point2f> covered;
  std::vector<float> sides;
  for (const UnaidedTile& seed : *seeds) {
    if (boards.size() == kMostBoards || best_worth >= kEnoughTiles) break;
    const cv::Point2f centre = calibration::CentreOf(CornersOf(seed.px_from_tile));
    bool known = false;
    for (std::size_t i = 0; i < covered.size(); ++i) {
      known = known || cv::norm(covered[i] - centre) < 0.5F * sides[i];
    }
    if (known) continue;
    UnaidedBoard board;
    board.tiles.emplace(LatticeCell{0, 0}, seed);
    if (absl::Status status = Grow(board); !status.ok()) return status;
    if (board.tiles.size() == 1) {
      if (absl::Status status = GrowOtherwise(board); !status.ok()) return status;
    }
    for (const auto& [cell, tile] : board.tiles) {
      covered.push_back(calibration::CentreOf(CornersOf(tile.px_from_tile)));
      sides.push_back(SideOf(tile.px_from_tile));
    }
    const double worth = Worth(board, picture_.size());
    best_worth = std::max(best_worth, worth);
    boards.emplace_back(worth, std::move(board));
  }
  std::stable_sort(boards.begin(), boards.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  for (auto& [worth, board] : boards) {
    if (worth <= 0) break;
    if (absl::Status status = Settle(board); !status.ok()) return status;
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
                                              TileNetwork& network,
                                              const std::vector<std::string>& types) {
  return Finder(picture, pyramid, network, types).Find();
}

absl::StatusOr<std::size_t> UpdateUnaidedBoard(const cv::Mat& picture,
                                               const PicturePyramid& pyramid, TileNetwork& network,
                                               const std::vector<std::string>& types,
                                               const std::set<LatticeCell>& cells, bool moved,
                                               UnaidedBoard& board) {
  return Finder(picture, pyramid, network, types).ReadAgain(cells, moved, board);
}

}  // namespace tilewarden::vision
