#include "vision/board/board_by_pictures.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>
#include <vector>

#include "vision/board/board_finder.h"
#include "vision/board/board_growth.h"
#include "vision/board/unaided_board.h"
#include "vision/board/unaided_growth.h"
#include "vision/picture/lattice_cells.h"
#include "vision/picture/named_tile.h"

namespace tilewarden::vision {
namespace {

// What was cut out beside a tile is like none of the pack: its name is less likely than this. So
// few of a board's tiles may be hidden by figures.
constexpr double kUnlikely = 0.5, kFew = 1.0 / 6;
// Names less likely than this are in doubt.
constexpr double kDoubtful = 0.9;

NamedTile ToNamedTile(const TileMatcher& matcher, LatticeCell cell, const ReadCell& read,
                      const std::vector<TileCandidate>& names) {
  NamedTile tile;
  const TileMatcher::Match& match = read.candidates.front();
  tile.cell = cell;
  tile.corners_px = CornersOf(match.px_from_tile);
  tile.tile = names.front().tile;
  tile.rotation = names.front().rotation;
  tile.probability = names.front().probability;
  tile.expected = matcher.ReferenceOf(match).expected;
  return tile;
}

// Whether what lies there now may be the tile that was seen better before: then
// something was set on it, and what it is was clearer before that.
bool StillThere(const TileMatcher& matcher, const ReadCell& before, const ReadCell& now) {
  // In costs: what a figure on a tile changes between two looks at it. More keeps an exchanged tile
  // for the old one.
  constexpr float kAsGood = 0.04F;
  const TileMatcher::Match& best = before.candidates.front();
  if (best.cost > now.candidates.front().cost) return false;
  const TileMatcher::Reference& known = matcher.ReferenceOf(best);
  return std::any_of(now.candidates.begin(), now.candidates.end(),
                     [&](const TileMatcher::Match& match) {
                       const TileMatcher::Reference& one = matcher.ReferenceOf(match);
                       return one.tile == known.tile && one.rotation == known.rotation &&
                              match.cost < now.candidates.front().cost + kAsGood;
                     });
}

double ProbabilityOf(const TileCandidate& name, const std::vector<TileCandidate>& names) {
  const auto found = std::find_if(names.begin(), names.end(), [&](const TileCandidate& other) {
    return other.tile == name.tile && other.rotation == name.rotation;
  });
  return found == names.end() ? 0 : found->probability;
}

// That it is one of these.
double Probability(const std::vector<TileCandidate>& names) {
  double sum = 0;
  for (const TileCandidate& name : names) sum += name.probability;
  return sum;
}

// How much of the picture shows tiles of which it is clear which they are, in square pixels. Their
// number says less: of two tiles cut askew there are three.
double Clearness(const Board& board,
                 const std::map<LatticeCell, std::vector<TileCandidate>>& names) {
  double area = 0;
  for (const auto& [cell, candidates] : names) {
    if (candidates.empty()) continue;
    area += candidates.front().probability *
            AreaOf(board.tiles.at(cell).candidates.front().px_from_tile);
  }
  return area;
}

TileOutlines OutlinesOf(const Board& board) {
  TileOutlines outlines;
  for (const auto& [cell, read] : board.tiles) {
    outlines.push_back(read.candidates.front().px_from_tile);
  }
  return outlines;
}

}  // namespace

BoardByPictures::BoardByPictures(const TileMatcher& matcher, TileFinder& finder,
                                 TileNetwork& network, FigureNetwork& figure_network,
                                 FigureKindNetwork& kinds, std::vector<std::string> unexpected)
    : matcher_(matcher),
      finder_(finder),
      naming_(matcher, network),
      unexpected_(std::move(unexpected)),
      hidden_(matcher),
      figures_(&figure_network, FigureGround::kTilesOnTable, &kinds) {}

absl::Status BoardByPictures::Find(const cv::Mat& picture, const PicturePyramid& pyramid,
                                   StageClock& clock) {
  changed_.reset();
  board_ = {};
  names_.clear();
  view_ = {};
  strange_ = {};
  TileOutlines tiles;
  const absl::Status status =
      ReadFromBestSide(picture, finder_, [&](TableView view) -> absl::StatusOr<TileOutlines> {
        Board board = FindBoard(picture, pyramid, matcher_, view);
        TileOutlines seen = OutlinesOf(board);
        // The halves of a tile are alike to some tile, too, if not much.
        if (view_.boards.empty() ||
            (CoversMore(seen, tiles) && Explained(board) > Explained(board_))) {
          board_ = std::move(board);
          view_ = std::move(view);
          tiles = std::move(seen);
        }
        return tiles;
      });
  if (!status.ok()) return status;
  clock.Done("find");
  naming_.Name(picture, pyramid, board_);
  names_ = naming_.NamesOfBoard(board_);
  const absl::Status otherwise = IsInDoubt() ? FindOtherwise(picture, pyramid) : absl::OkStatus();
  clock.Done("classify");
  return otherwise;
}

bool BoardByPictures::IsInDoubt() const {
  if (view_.boards.empty()) return false;
  const auto unlikely = std::count_if(names_.begin(), names_.end(), [](const auto& tile) {
    return tile.second.empty() || tile.second.front().probability < kUnlikely;
  });
  return static_cast<double>(unlikely) >= kFew * static_cast<double>(names_.size());
}

absl::Status BoardByPictures::FindOtherwise(const cv::Mat& picture, const PicturePyramid& pyramid) {
  if (naming_.network() == nullptr) return absl::OkStatus();
  absl::StatusOr<UnaidedBoard> unaided = FindUnaidedBoard(
      picture, pyramid, finder_, *naming_.network(), naming_.known_types(), unexpected_);
  if (!unaided.ok()) return unaided.status();
  std::map<LatticeCell, cv::Matx33f> outlines;
  for (const auto& [cell, tile] : unaided->tiles) {
    if (UnexpectedProbability(tile.scores) == 0) outlines.emplace(cell, tile.px_from_tile);
  }
  if (board_.tiles.empty() && outlines.empty()) strange_ = *unaided;
  if (outlines.empty()) return absl::OkStatus();
  Board board = FindBoardAround(pyramid, matcher_, outlines);
  naming_.Name(picture, pyramid, board);
  auto names = naming_.NamesOfBoard(board);
  if (Clearness(board, names) <= Clearness(board_, names_)) return absl::OkStatus();
  board_ = std::move(board);
  names_ = std::move(names);
  view_ = std::move(unaided->view);
  return absl::OkStatus();
}

absl::StatusOr<bool> BoardByPictures::Update(const cv::Mat& picture, const PicturePyramid& pyramid,
                                             const CellWatch::Change& change, StageClock& clock) {
  const std::set<LatticeCell> changed = change.everywhere ? CellsOf(Places()) : change.cells;
  changed_.reset();
  if (!change.everywhere) changed_ = changed;
  const std::size_t before = board_.tiles.size();
  Known known;
  if (change.everywhere) known = {names_, board_.tiles};
  std::size_t lost = 0;
  for (const LatticeCell& cell : changed) {
    board_.outlines.erase(cell);  // another one may lie there now
    const auto tile = board_.tiles.find(cell);
    if (tile == board_.tiles.end()) continue;
    ReadCell read = ReadOneCell(pyramid, matcher_, board_, cell);
    if (read.tile_probability >= kTileLies) {
      if (change.everywhere || !StillThere(matcher_, tile->second, read)) {
        tile->second = std::move(read);
      }
    } else {
      board_.tiles.erase(tile);
      ++lost;
    }
  }
  if (TooMuchLost(before, lost, board_.tiles.size())) return false;
  std::erase_if(board_.others, [&](const auto& other) { return changed.contains(other.first); });
  GrowBoard(pyramid, matcher_, board_);
  if (!change.everywhere) AddAtCorners(pyramid, matcher_, board_, changed);
  // What was read with doubt may be clear now that more of the light beside it is known.
  const std::set<LatticeCell> again = WorthAnotherLook(changed);
  SettleBoard(pyramid, matcher_, board_, &again);
  clock.Done("find");
  naming_.Name(picture, pyramid, board_);
  if (change.everywhere) KeepNames(known);
  names_ = naming_.NamesOfBoard(board_);
  clock.Done("classify");
  return true;
}

std::set<LatticeCell> BoardByPictures::WorthAnotherLook(const std::set<LatticeCell>& changed) {
  std::set<LatticeCell> again = changed;
  for (const LatticeCell& cell : changed) {
    for (const LatticeCell& d : kAround) again.insert(Plus(cell, d));
  }
  for (const auto& [cell, names] : names_) {
    const auto tile = board_.tiles.find(cell);
    if (tile == board_.tiles.end() || tile->second.looked_again) continue;
    if (!names.empty() && names.front().probability >= kDoubtful) continue;
    // Where it changed it was just looked at: that counts.
    tile->second.looked_again = true;
    again.insert(cell);
  }
  return again;
}

void BoardByPictures::KeepNames(const Known& known) {
  // That somebody exchanges a tile while the camera is bumped is believed at twenty to one.
  constexpr double kExchanged = 0.05;
  const auto now = naming_.NamesOfBoard(board_);
  for (const auto& [cell, names] : known.names) {
    const auto seen = now.find(cell);
    if (seen == now.end()) continue;
    const TileCandidate &was = names.front(), &is = seen->second.front();
    const double same = was.probability * ProbabilityOf(was, seen->second);
    const double better = is.probability * ProbabilityOf(is, names);
    if (same < better || same < kExchanged * is.probability) continue;
    ReadCell& read = board_.tiles.at(cell);
    const ReadCell& before = known.tiles.at(cell);
    // The same was seen as well as before, or better.
    const bool named_so = was.tile == is.tile && was.rotation == is.rotation;
    if (named_so && read.candidates.front().cost <= before.candidates.front().cost) continue;
    const cv::Matx33f lies = read.candidates.front().px_from_tile;
    read = before;
    for (TileMatcher::Match& match : read.candidates) match.px_from_tile = lies;
  }
}

void BoardByPictures::Carry(const cv::Matx33d& px_now_from_px_before) {
  changed_.reset();
  std::map<LatticeCell, cv::Matx33f> tiles;
  for (auto& [cell, read] : board_.tiles) {
    for (TileMatcher::Match& match : read.candidates) {
      match.px_from_tile = Carried(px_now_from_px_before, match.px_from_tile);
    }
    tiles.emplace(cell, read.candidates.front().px_from_tile);
  }
  for (auto& [cell, outline] : board_.outlines) outline = Carried(px_now_from_px_before, outline);
  board_.others.clear();
  board_.lattice.Fit(tiles);
}

BoardPlaces BoardByPictures::Places() const {
  BoardPlaces places;
  for (const auto& [cell, read] : board_.tiles) {
    const TileMatcher::Match& match = read.candidates.front();
    const std::vector<TileCandidate>& names = names_.at(cell);
    places.tiles[cell] = {matcher_.ReferenceOf(match).tile, match.px_from_tile, Probability(names),
                          names.empty() ? 0 : names.front().probability};
  }
  for (const auto& [cell, read] : board_.others) places.beside[cell] = board_.lattice.Predict(cell);
  for (const LatticeCell& cell : CornersOfBoard(board_)) {
    places.beside.emplace(cell, board_.lattice.Predict(cell));
  }
  return places;
}

absl::Status BoardByPictures::Describe(const cv::Mat& picture, const cv::Mat& hand_mask,
                                       const Options& options, StageClock& clock,
                                       Sighting* sighting) {
  std::vector<NamedTile> named;
  sighting->tiles.clear();
  sighting->figures.clear();
  for (const auto& [cell, names] : names_) {
    const ReadCell& read = board_.tiles.at(cell);
    named.push_back(ToNamedTile(matcher_, cell, read, names));
    const TileMatcher::Match& match = read.candidates.front();
    sighting->tiles.push_back(ToSightedTile(board_.lattice, cell, match.px_from_tile, names));
    sighting->tiles.back().hidden = match.hidden;
  }
  if (!named.empty()) {
    const TablePlane plane = board_.lattice.Plane();
    sighting->figures =
        changed_ ? figures_.FindAgain(picture, named, plane, hand_mask, *changed_, options)
                 : figures_.Find(picture, named, plane, hand_mask, options);
    sighting->cloth = figures_.cloth();
  }
  for (const auto& [cell, tile] : strange_.tiles) {
    sighting->tiles.push_back(ToSightedTile(strange_.lattice, cell, tile.px_from_tile, {}));
    sighting->tiles.back().unexpected = NamesOf(tile.scores.unexpected);
  }
  if (named.empty()) return absl::OkStatus();
  const cv::Mat covered = figures_.Explained();
  for (SightedTile& tile : sighting->tiles) {
    const cv::Rect at = figures_.view().Of(tile.cell) & cv::Rect({}, covered.size());
    if (at.empty()) continue;
    hidden_.Weigh(board_.tiles.at(tile.cell).candidates.front().reference, covered(at),
                  tile.candidates);
  }
  clock.Done("figures");
  return absl::OkStatus();
}

absl::StatusOr<std::optional<LooseReading>> BoardByPictures::ReadLoose(
    const cv::Mat& picture, const PicturePyramid& pyramid,
    const std::array<cv::Point2f, 4>& corners_px) {
  constexpr LatticeCell kFirst{0, 0};
  Board board = FindBoardAround(pyramid, matcher_, {{kFirst, PxFromTile(corners_px)}});
  if (!board.tiles.contains(kFirst)) return std::nullopt;
  naming_.Name(picture, pyramid, board);
  auto names = naming_.NamesOfBoard(board);
  const auto found = names.find(kFirst);
  if (found == names.end()) return std::nullopt;
  return LooseReading{board.tiles.at(kFirst).candidates.front().px_from_tile,
                      std::move(found->second)};
}

}  // namespace tilewarden::vision
