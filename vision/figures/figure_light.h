// The light on a board: how its tiles' reference pictures look in this frame. A
// gain and an offset for each channel, the same all over, and what changes
// slowly over the board: how much light there is, and the haze of glare.
// Places are pixels of a board view (figure_board_view.h). Vision-internal.
#pragma once

#include <array>

#include "opencv2/core.hpp"
#include "vision/picture/colour_distance.h"

namespace tilewarden::vision {

class FigureLight {
 public:
  // No light fitted: references stay as they are.
  FigureLight() = default;

  // seen, reference: planes of the view. known: CV_8U, not 0 where the reference
  // holds; covered: not 0 where something hides it. Robust against the share of
  // the tiles that figures cover.
  static FigureLight Fit(const ColourPlanes& seen, const ColourPlanes& reference,
                         const cv::Mat& known, const cv::Mat& covered);
  // Without any reference: the tiles of a board show the same colours on the
  // whole, whatever lies where. picture: CV_8UC3; on_tile as `known` above.
  static FigureLight OfTiles(const cv::Mat& picture, const cv::Mat& on_tile,
                             const cv::Mat& covered);

  // Fits again what changes slowly, within `area` (sides multiples of 8) where other tiles came to
  // lie; the rest as Fit.
  void FitAgain(const ColourPlanes& seen, const ColourPlanes& reference, const cv::Mat& known,
                const cv::Mat& covered, const cv::Rect& area);
  // Reference pictures in this light, within `area`.
  void Apply(const ColourPlanes& reference, const cv::Rect& area, ColourPlanes& expected) const;
  // What a white surface would show.
  cv::Vec3f WhiteAt(cv::Point place) const;

 private:
  void FitChannels(const ColourPlanes& seen, const ColourPlanes& reference, const cv::Mat& usable);
  // What changes slowly over the board, as a small picture: how much light there is (CV_32F), and
  // the haze.
  struct Field {
    cv::Mat more;
    ColourPlanes haze;
  };
  Field Follow(const ColourPlanes& seen, const ColourPlanes& reference,
               const cv::Mat& usable) const;

  std::array<float, 3> gain_ = {1, 1, 1}, offset_{};
  cv::Vec3f white_{255, 255, 255};
  Field field_;  // empty: the same all over
};

}  // namespace tilewarden::vision
