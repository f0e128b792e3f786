#include "vision/show/top_view.h"

#include <algorithm>

#include "opencv2/calib3d.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

// Below this nothing is recognised any more.
constexpr int kSmallestCell_px = 12;
// Tiles lie a little off their cells; farther off, a corner was found wrongly.
constexpr double kOffLattice_px = 12;

// From the lattice, where cell (x, y) covers [x, x + 1] x [y, y + 1], to the picture.
cv::Mat PictureFromLattice(const Sighting& sighting) {
  std::vector<cv::Point2d> in_lattice, in_picture;
  for (const SightedTile& tile : sighting.tiles) {
    const cv::Point2d cell(tile.cell.x, tile.cell.y);
    const cv::Point2d corners[] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (std::size_t i = 0; i < 4; ++i) {
      in_lattice.push_back(cell + corners[i]);
      in_picture.emplace_back(tile.corners_px[i].x, tile.corners_px[i].y);
    }
  }
  if (in_lattice.empty()) return {};
  return cv::findHomography(in_lattice, in_picture, cv::RANSAC, kOffLattice_px);
}

}  // namespace

std::optional<TopView> StraightenToLattice(const cv::Mat& picture, const Sighting& sighting,
                                           const TopViewOptions& options) {
  const cv::Mat picture_from_lattice = PictureFromLattice(sighting);
  if (picture_from_lattice.empty() || picture.empty()) return std::nullopt;
  const auto [west, east] =
      std::minmax_element(sighting.tiles.begin(), sighting.tiles.end(),
                          [](const auto& a, const auto& b) { return a.cell.x < b.cell.x; });
  const auto [north, south] =
      std::minmax_element(sighting.tiles.begin(), sighting.tiles.end(),
                          [](const auto& a, const auto& b) { return a.cell.y < b.cell.y; });
  TopView view;
  view.corner = {west->cell.x - options.around, north->cell.y - options.around};
  view.columns = east->cell.x - west->cell.x + 1 + 2 * options.around;
  view.rows = south->cell.y - north->cell.y + 1 + 2 * options.around;

  int cell_px = std::min(options.cell_px, options.largest_px / std::max(view.columns, view.rows));
  for (; cell_px >= kSmallestCell_px; cell_px = cell_px * 3 / 4) {
    const double cells = 1.0 / cell_px;
    // The middle of a pixel is at an integer.
    const cv::Matx33d lattice_from_view(cells, 0, view.corner.x + cells / 2,  //
                                        0, cells, view.corner.y + cells / 2,  //
                                        0, 0, 1);
    cv::Mat straight;
    cv::warpPerspective(picture, straight, picture_from_lattice * cv::Mat(lattice_from_view),
                        {view.columns * cell_px, view.rows * cell_px},
                        cv::INTER_LINEAR | cv::WARP_INVERSE_MAP);
    cv::imencode(".jpg", straight, view.jpeg, {cv::IMWRITE_JPEG_QUALITY, options.quality});
    if (view.jpeg.size() <= options.most_bytes) return view;
  }
  return std::nullopt;
}

}  // namespace tilewarden::vision
