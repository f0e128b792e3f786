// The picture in which the board was read last: what has changed in it since, and whether the
// camera was moved. Vision-internal (cv:: types).
#pragma once

#include <optional>
#include <set>

#include "opencv2/core.hpp"
#include "vision/picture/cell_watch.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Not thread safe. Pictures are 8-bit BGR, of one size from Remember to Remember.
class LastView {
 public:
  // The board was read in this picture, and lies there so.
  void Remember(const cv::Mat& picture, const PicturePyramid& pyramid, const BoardPlaces& places);
  // Nothing is known of the board.
  void Forget();

  // Somebody saw that the camera was moved: until the board is read again, its places do not hold.
  void NoteMovedCamera() { camera_moved_ = camera_moved_ || !places_.tiles.empty(); }
  bool camera_moved() const { return camera_moved_; }

  // Which cells look different now; those in `hidden` are not looked at.
  CellWatch::Change ChangedCells(const PicturePyramid& pyramid,
                                 const std::set<LatticeCell>& hidden = {}) const;
  // Whether as much as a tile covers changed anywhere in the picture.
  bool ChangedSomewhere(const cv::Mat& picture) const;
  // How the board moved in the picture, by its art; nothing where too little of it is found again.
  // Blocks for about 60 ms at 1080p.
  std::optional<cv::Matx33d> Shift(const cv::Mat& picture) const;
  // The same where every tile moved clearly: a camera that was bumped moves all of them, a hand
  // that pushes tiles only some.
  std::optional<cv::Matx33d> ShiftOfAll(const cv::Mat& picture) const;

 private:
  cv::Mat seen_;  // grey
  BoardPlaces places_;
  CellWatch watch_;
  bool camera_moved_ = false;
};

}  // namespace tilewarden::vision
