#include "vision/tiles/laid_rows.h"

#include <algorithm>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "calibration/box/laid_tiles.h"

namespace tilewarden::vision {

std::vector<LooseTile> InRows(const std::vector<LooseTile>& tiles) {
  std::vector<calibration::LaidTile> laid;
  for (const LooseTile& tile : tiles) {
    laid.push_back({tile.corners_px, calibration::CentreOf(tile.corners_px), 0});
  }
  std::vector<LooseTile> rows;
  for (const calibration::LaidTile& tile : calibration::InRows(laid)) {
    rows.push_back(*std::find_if(tiles.begin(), tiles.end(), [&](const LooseTile& other) {
      return other.corners_px == tile.corners_px;
    }));
  }
  return rows;
}

absl::StatusOr<calibration::ReferencePack> PackOfRows(
    const cv::Mat& picture, const std::vector<LooseTile>& tiles,
    const std::vector<calibration::TypeToEnrol>& types) {
  const std::vector<LooseTile> rows =
      tiles.size() == types.size() ? InRows(tiles) : std::vector<LooseTile>();
  if (rows.empty()) {
    // As many squares as types, but one of them lies across the rows: no tile.
    const bool across = tiles.size() == types.size();
    return absl::InvalidArgumentError(absl::StrCat(
        tiles.size(),
        across ? " squares were found, not all in rows, and " : " tiles were found and ",
        types.size(), across ? " tiles" : "",
        " were expected; lay them in rows, upright, a finger's width apart, on a plain table "
        "that they stand out from, whole in the picture, and take it from above"));
  }
  calibration::ReferencePack pack;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const cv::Mat upright = calibration::CutOut(picture, rows[i].corners_px);
    pack.pictures.push_back({types[i].tile, calibration::Turned(upright, -types[i].upright)});
  }
  return pack;
}

absl::StatusOr<calibration::ReferencePack> EnrolRows(
    const cv::Mat& picture, const std::vector<calibration::TypeToEnrol>& types,
    TileNetwork& network) {
  if (picture.empty() || picture.type() != CV_8UC3) {
    return absl::InvalidArgumentError("the picture to enrol is empty or not 8-bit colour");
  }
  if (types.empty()) return absl::InvalidArgumentError("no types to enrol");
  absl::Status first;
  for (const bool any_art : {false, true}) {
    const auto tiles = FindLooseTiles(picture, network, any_art);
    if (!tiles.ok()) return tiles.status();
    auto pack = PackOfRows(picture, *tiles, types);
    if (pack.ok()) return pack;
    // For what is known by sight, the count tells a person more.
    if (!tiles->empty() && first.ok()) first = pack.status();
    if (any_art && first.ok()) first = pack.status();
  }
  return first;
}

}  // namespace tilewarden::vision
