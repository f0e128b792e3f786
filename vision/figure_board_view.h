// The board laid flat, beside what its tiles should look like in this light:
// the evidence for figures. Board view: axes of the lattice, side_px pixels per
// tile, pixel centres at integers. Vision-internal (cv:: types), values.
#pragma once

#include <vector>

#include "opencv2/core.hpp"
#include "vision/named_tile.h"
#include "vision/table_plane.h"

namespace tilewarden::vision {

struct BoardView {
  static constexpr int kSide_px = 64;

  LatticeCell first;  // cell at the view's corner
  int cells_x = 0, cells_y = 0;
  cv::Mat picture;     // CV_8UC3, the frame laid flat
  cv::Mat expected;    // CV_32FC3, the tiles' reference pictures in this frame's light
  cv::Mat known;       // CV_8U, 255 where expected holds
  cv::Mat on_tile;     // CV_8U, 255 on every tile, seams included
  cv::Mat light;       // CV_32FC3, what a white surface would show
  cv::Mat difference;  // CV_32F, 1: as much as print and noise differ; 0 outside tiles
  // The bare table around each place, and the seams between tiles: mean and
  // spread of their colour. The table's at a quarter of the view's size.
  static constexpr int kCoarser = 4;
  cv::Mat table_mean, table_spread;  // CV_32FC3
  cv::Vec3f seam_mean, seam_spread;
  float noise = 0;           // median of the difference on the tiles
  cv::Mat covered;           // CV_8U, 255 where a hand hides the table
  cv::Matx33d px_from_view;  // frame pixel from view pixel, by the table plane

  // Distance of a colour from what is expected at a place: print, seam or table,
  // deep shadows on print allowed at a price.
  float Away(cv::Point place, const cv::Vec3f& seen) const;

  cv::Point2d LatticeFromView(cv::Point2d p) const {
    return {(p.x + 0.5) / kSide_px + first.x, (p.y + 0.5) / kSide_px + first.y};
  }
  cv::Point2d ViewFromLattice(cv::Point2d p) const {
    return {(p.x - first.x) * kSide_px - 0.5, (p.y - first.y) * kSide_px - 0.5};
  }
};

// Distance of what is seen from what is expected, allowing for a shadow or a
// bright spot: 1 is as much as print and noise do.
float Distance(const cv::Vec3f& seen, const cv::Vec3f& expected, float deepest_shadow = 0.62F);

// frame: 8-bit BGR. hand_mask: empty, or CV_8U of the frame's shape (any size),
// not 0 where a hand is. A view without tiles has an empty picture; one whose tiles have no
// expected pictures has neither difference nor the table's look.
BoardView ViewBoard(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                    const TablePlane& plane, const cv::Mat& hand_mask);

}  // namespace tilewarden::vision
