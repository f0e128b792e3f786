// The board laid flat, beside what its tiles should look like in this light:
// the evidence for figures. Board view: axes of the lattice, side_px pixels per
// tile, pixel centres at integers. Vision-internal (cv:: types), values.
#pragma once

#include <set>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_light.h"
#include "vision/picture/bare_table.h"
#include "vision/picture/colour_distance.h"
#include "vision/picture/named_tile.h"
#include "vision/picture/table_plane.h"

namespace tilewarden::vision {

struct BoardView {
  static constexpr int kSide_px = 64;

  LatticeCell first;  // cell at the view's corner
  int cells_x = 0, cells_y = 0;
  cv::Mat picture;    // CV_8UC3, the frame laid flat
  cv::Mat known;      // CV_8U, 255 where the tiles' expected pictures hold
  cv::Mat on_tile;    // CV_8U, 255 on every tile, seams included
  cv::Mat covered;    // CV_8U, 255 where a hand hides the table, and beyond its horizon
  bool hand = false;  // hides something
  FigureLight light;
  TablePlane plane;

  // Only where some tile has an expected picture:
  ColourPlanes seen;       // `picture` again
  ColourPlanes reference;  // the tiles' pictures as the pack has them; 0 where there is none
  ColourPlanes expected;   // the same in this frame's light
  cv::Mat difference;      // CV_32F, 1: as much as print and noise differ; 0 off the prints
  float noise = 0;         // median of the difference on the tiles
  // CV_32F, how far what is seen is from what is expected there: print, which may
  // lie a little off, seam or table.
  cv::Mat away;
  BareTable table;
  // Of the seams between tiles, mean and spread of their colour.
  cv::Vec3f seam_mean, seam_spread;

  cv::Size size() const { return picture.size(); }
  // Pixels of a cell.
  cv::Rect Of(LatticeCell cell) const {
    return {(cell.x - first.x) * kSide_px, (cell.y - first.y) * kSide_px, kSide_px, kSide_px};
  }
  // How far colours would be from what is expected at places of a row, from (x, y)
  // on: print, seam or table, deep shadows on print allowed at a price.
  void Away(int x, int y, int count, const ColourRow& colours, float* out) const;

  // Frame pixel from view pixel, by the table plane.
  cv::Matx33d PxFromView() const {
    return plane.px_from_lattice * cv::Matx33d(1.0 / kSide_px, 0, first.x + 0.5 / kSide_px, 0,
                                               1.0 / kSide_px, first.y + 0.5 / kSide_px, 0, 0, 1);
  }
  cv::Point2d LatticeFromView(cv::Point2d p) const {
    return {(p.x + 0.5) / kSide_px + first.x, (p.y + 0.5) / kSide_px + first.y};
  }
  cv::Point2d ViewFromLattice(cv::Point2d p) const {
    return {(p.x - first.x) * kSide_px - 0.5, (p.y - first.y) * kSide_px - 0.5};
  }
};

// Where figures are looked for: on tiles and the table around them, which looks the same
// all over; on a printed sheet alone, where they crowd together; or beside the tiles, all over the
// picture.
enum class FigureGround { kTilesOnTable, kSheet, kBesideTiles };

// frame: 8-bit BGR. hand_mask: empty, or CV_8U of the frame's shape (any size),
// not 0 where a hand is. A view without tiles has an empty picture; one whose tiles have no
// expected pictures has neither difference nor the table's look.
BoardView ViewBoard(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
                    const TablePlane& plane, const cv::Mat& hand_mask,
                    FigureGround ground = FigureGround::kTilesOnTable);

// The view of another frame of the same camera, in about the same light, in which only these
// cells changed, tiles that came and went among them. `beside`: cells that show what stands on
// those, in the light they had. False, and the view as it was, where it must be viewed anew: a tile
// lies beyond it, or the light changed.
bool ViewAgain(const cv::Mat& frame, const std::vector<NamedTile>& tiles,
               const std::set<LatticeCell>& changed, const std::set<LatticeCell>& beside,
               BoardView& view);

}  // namespace tilewarden::vision
