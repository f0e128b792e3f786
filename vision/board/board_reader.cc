#include "vision/board/board_reader.h"

#include <cmath>
#include <utility>

#include "vision/board/not_read.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {

absl::StatusOr<std::vector<NotRead>> BoardReader::WhatIsNotRead(const cv::Mat& picture,
                                                                const PicturePyramid& pyramid) {
  // Of what lies elsewhere only what can be named is a tile of this game.
  constexpr double kNamed = 0.5;
  const BoardPlaces places = Places();
  if (places.tiles.empty()) return std::vector<NotRead>{};
  return FindNotRead(View(), places, lattice(), picture.size(),
                     [&](const cv::Matx33f& px_from_tile) -> absl::StatusOr<bool> {
                       absl::StatusOr<std::optional<LooseReading>> read =
                           ReadLoose(picture, pyramid, CornersOf(px_from_tile));
                       if (!read.ok()) return read.status();
                       return *read && !(*read)->names.empty() &&
                              (*read)->names.front().probability >= kNamed;
                     });
}

std::vector<TileCandidate> NamesOf(const std::vector<TileReading>& readings) {
  std::vector<TileCandidate> names;
  for (const TileReading& reading : readings) {
    names.push_back({reading.tile, reading.rotation, reading.probability});
  }
  return names;
}

SightedTile ToSightedTile(const Lattice& lattice, LatticeCell cell, const cv::Matx33f& px_from_tile,
                          std::vector<TileCandidate> names) {
  SightedTile tile;
  const std::array<cv::Point2f, 4> corners = CornersOf(px_from_tile);
  tile.cell = cell;
  tile.candidates = std::move(names);
  for (std::size_t i = 0; i < 4; ++i) tile.corners_px[i] = {corners[i].x, corners[i].y};
  // Where it lies in its cell, by the lattice that its neighbours make.
  const cv::Matx33f cell_from_tile = lattice.Predict(cell).inv() * px_from_tile;
  const auto at = [&](float x, float y) { return Through(cell_from_tile, {x, y}); };
  const cv::Point2f middle = at(0.5F, 0.5F), along = at(1, 0.5F) - at(0, 0.5F);
  tile.offset = {middle.x - 0.5, middle.y - 0.5};
  tile.yaw_rad = std::atan2(along.y, along.x);
  return tile;
}

cv::Matx33f Carried(const cv::Matx33d& px_now_from_px_before, const cv::Matx33f& px_from_tile) {
  const cv::Matx33d now = px_now_from_px_before * cv::Matx33d(px_from_tile);
  return cv::Matx33f(now * (1 / now(2, 2)));
}

std::set<LatticeCell> CellsOf(const BoardPlaces& places) {
  std::set<LatticeCell> all;
  for (const auto& [cell, tile] : places.tiles) all.insert(cell);
  for (const auto& [cell, px_from_tile] : places.beside) all.insert(cell);
  return all;
}

bool TooMuchLost(std::size_t before, std::size_t lost, std::size_t now) {
  const bool few_left = before > kFewTiles && now <= kFewTiles;
  return now == 0 || few_left || 3 * lost > before;
}

}  // namespace tilewarden::vision
