#include "vision/board/board_by_networks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "vision/board/unaided_growth.h"
#include "vision/picture/named_tile.h"
#include "vision/tiles/tile_descriptors.h"

namespace tilewarden::vision {
namespace {

// The types of a pack of descriptors, so far as they help: none where the network
// does not know them all.
std::vector<std::string> TypesOf(const calibration::ReferencePack& pack,
                                 const TileNetwork& network) {
  std::set<std::string> types;
  for (const auto& descriptor : pack.descriptors) types.insert(descriptor.tile);
  const std::vector<std::string> known = network.Tiles();
  for (const std::string& type : types) {
    if (std::find(known.begin(), known.end(), type) == known.end()) return {};
  }
  return {types.begin(), types.end()};
}

// That one of the tiles that are known lies there, whichever: neither nothing nor another box's.
double IsKnownTile(const TileScores& scores) {
  double other = 0;
  for (const TileReading& reading : scores.readings) {
    if (reading.tile == kOtherTile) other += reading.probability;
  }
  return TileProbability(scores) * (1 - other);
}

}  // namespace

BoardByNetworks::BoardByNetworks(const calibration::ReferencePack& pack,
                                 std::vector<std::string> types, TileFinder& finder,
                                 TileNetwork& network, FigureNetwork& figure_network,
                                 FigureKindNetwork& kinds, std::vector<std::string> unexpected)
    : pack_(pack),
      finder_(finder),
      network_(network),
      types_(types.empty() ? TypesOf(pack, network) : std::move(types)),
      unexpected_(std::move(unexpected)),
      figures_(&figure_network, FigureGround::kTilesOnTable, &kinds) {}

absl::Status BoardByNetworks::Weigh(const cv::Mat& picture) {
  if (pack_.descriptors.empty()) return absl::OkStatus();
  for (auto& [cell, tile] : board_.tiles) {
    if (tile.weighed) continue;
    const absl::Status status =
        WeighByDescriptors(picture, CornersOf(tile.px_from_tile), pack_, network_, &tile.scores);
    if (!status.ok()) return status;
    tile.weighed = true;
  }
  return absl::OkStatus();
}

absl::Status BoardByNetworks::Find(const cv::Mat& picture, const PicturePyramid& pyramid,
                                   StageClock& clock) {
  absl::StatusOr<UnaidedBoard> board =
      FindUnaidedBoard(picture, pyramid, finder_, network_, types_, unexpected_);
  if (!board.ok()) return board.status();
  board_ = *std::move(board);
  changed_.reset();
  clock.Done("find");
  const absl::Status status = Weigh(picture);
  clock.Done("classify");
  return status;
}

absl::StatusOr<bool> BoardByNetworks::Update(const cv::Mat& picture, const PicturePyramid& pyramid,
                                             const CellWatch::Change& change, StageClock& clock) {
  const std::size_t before = board_.tiles.size();
  changed_.reset();
  if (!change.everywhere) changed_ = change.cells;
  const absl::StatusOr<std::size_t> lost = UpdateUnaidedBoard(
      picture, pyramid, network_, types_, change.everywhere ? CellsOf(Places()) : change.cells,
      change.everywhere, board_, unexpected_);
  if (!lost.ok()) return lost.status();
  clock.Done("find");
  if (TooMuchLost(before, *lost, board_.tiles.size())) return false;
  if (absl::Status status = Weigh(picture); !status.ok()) return status;
  clock.Done("classify");
  return true;
}

void BoardByNetworks::Carry(const cv::Matx33d& px_now_from_px_before) {
  changed_.reset();
  std::map<LatticeCell, cv::Matx33f> tiles;
  for (auto& [cell, tile] : board_.tiles) {
    tile.px_from_tile = Carried(px_now_from_px_before, tile.px_from_tile);
    tiles.emplace(cell, tile.px_from_tile);
  }
  board_.others.clear();
  board_.lattice.Fit(tiles);
}

BoardPlaces BoardByNetworks::Places() const {
  BoardPlaces places;
  for (const auto& [cell, tile] : board_.tiles) {
    const auto& names = tile.scores.readings;
    places.tiles[cell] = {names.empty() ? "" : names.front().tile, tile.px_from_tile,
                          IsKnownTile(tile.scores), Clearness(tile.scores)};
  }
  for (const auto& [cell, count] : board_.others) {
    places.beside[cell] = board_.lattice.Predict(cell);
  }
  return places;
}

absl::Status BoardByNetworks::Describe(const cv::Mat& picture, const cv::Mat& hand_mask,
                                       const Options& options, StageClock& clock,
                                       Sighting* sighting) {
  sighting->tiles.clear();
  sighting->figures.clear();
  std::vector<NamedTile> named;
  for (const auto& [cell, tile] : board_.tiles) {
    sighting->tiles.push_back(
        ToSightedTile(board_.lattice, cell, tile.px_from_tile, NamesOf(tile.scores.readings)));
    if (UnexpectedProbability(tile.scores) > 0) {
      sighting->tiles.back().unexpected = NamesOf(tile.scores.unexpected);
    }
    NamedTile& laid = named.emplace_back();
    laid.cell = cell;
    laid.corners_px = CornersOf(tile.px_from_tile);
  }
  if (!named.empty()) {
    const TablePlane plane = board_.lattice.Plane();
    sighting->figures =
        changed_ ? figures_.FindAgain(picture, named, plane, hand_mask, *changed_, options)
                 : figures_.Find(picture, named, plane, hand_mask, options);
    sighting->cloth = figures_.cloth();
  }
  clock.Done("figures");
  return absl::OkStatus();
}

absl::StatusOr<std::optional<LooseReading>> BoardByNetworks::ReadLoose(
    const cv::Mat& picture, const PicturePyramid&, const std::array<cv::Point2f, 4>& corners_px) {
  // At a glance, then with care.
  constexpr double kNoTileAtAll = 0.9, kNoTile = 0.5;
  const std::vector<cv::Mat> patch = {CutPatch(picture, corners_px)};
  absl::StatusOr<std::vector<TileScores>> scores = network_.Name(patch, {false, false, types_});
  if (!scores.ok()) return scores.status();
  if (scores->front().nothing > kNoTileAtAll) return std::nullopt;
  scores = network_.Name(patch, {true, true, types_});
  if (!scores.ok()) return scores.status();
  if (scores->front().nothing > kNoTile) return std::nullopt;
  if (!pack_.descriptors.empty()) {
    const absl::Status status =
        WeighByDescriptors(picture, corners_px, pack_, network_, &scores->front());
    if (!status.ok()) return status;
  }
  return LooseReading{PxFromTile(corners_px), NamesOf(scores->front().readings)};
}

}  // namespace tilewarden::vision
