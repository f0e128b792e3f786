// The table's plane and scale from the printed corner cards that lie on it.
#pragma once

#include "absl/status/statusor.h"
#include "calibration/camera/lens.h"
#include "calibration/print/printed_targets.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

struct TableView {
  // Straightened pixels from millimetres on the table: x right and y down as
  // the camera sees it, origin in the middle of the cards.
  cv::Matx33d px_from_table;
  int cards = 0;
  // Root mean square distance of the cards' points from where this has them.
  double rms_px = 0;
};

// From one picture (8-bit, grey or BGR) of cards that lie flat, of the lens'
// size. Cards may lie anywhere and be turned; their size is the scale.
// INVALID_ARGUMENT: another size. NOT_FOUND: fewer than two cards are clear.
// FAILED_PRECONDITION: they do not lie in one plane. Messages say what to do.
absl::StatusOr<TableView> FindTable(const cv::Mat& picture, const Lens& lens);

}  // namespace tilewarden::calibration
