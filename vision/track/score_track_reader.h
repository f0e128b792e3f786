// Reads the markers on the project's own score track, frame after frame: whose
// colour, which field, standing or lying. To the figure finder the sheet is a board of
// tiles whose pictures are known from what is printed. Where nothing on the track changed, nothing
// is read again.
//
// Vision-internal (cv:: types).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/figures/figure_finder.h"
#include "vision/options.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/named_tile.h"
#include "vision/picture/table_plane.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Remembers where the track lies and what was read there. Not thread safe.
class ScoreTrackReader {
 public:
  // A settled frame (8-bit BGR) and its pyramid; time_ms by the camera's clock, not
  // falling. hand_mask as FigureFinder takes it. Nothing while no track is in view.
  // may_search: one that was not in view may be looked for, which takes long.
  const std::optional<SightedScoreTrack>& Read(const cv::Mat& frame, const PicturePyramid& pyramid,
                                               std::int64_t time_ms, const cv::Mat& hand_mask,
                                               const Options& options, bool may_search = true);
  // What was known of places in the picture no longer holds: the camera was moved.
  void Forget();

 private:
  // Of the track, clockwise from the outer corner of field 0.
  static std::array<cv::Point2d, 4> Corners_px(const cv::Matx33d& px_from_track);
  void LieAt(const cv::Matx33d& px_from_track, const cv::Mat& frame);
  // How far the paper goes on beyond the ring, mm: above, right, below, left.
  static std::array<double, 4> Margins_mm(const cv::Matx33d& px_from_track, const cv::Mat& frame);
  bool LiesElsewhere(const cv::Matx33d& px_from_track) const;
  // Fields of which neither the print nor a figure is seen, in order.
  std::vector<int> HiddenFields(cv::Size frame) const;
  SightedScoreTrack Describe(const std::vector<SightedFigure>& figures) const;

  std::optional<std::int64_t> searched_ms_;
  cv::Size size_;
  cv::Matx33d px_from_track_;
  TablePlane plane_;
  std::vector<int> hidden_;
  std::vector<NamedTile> tiles_;
  BoardPlaces places_;
  CellWatch watch_;
  FigureFinder figures_{nullptr, FigureGround::kSheet};
  std::optional<SightedScoreTrack> seen_;
};

}  // namespace tilewarden::vision
