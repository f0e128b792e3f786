// Pictures of printed boards and cards as a camera of known lens takes them: the
// virtual table's lens, blur, noise and vignette, for paper held in the hand.
// The same arguments give the same picture.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "calibration/camera/lens.h"
#include "calibration/camera/lens_guide.h"
#include "calibration/print/printed_targets.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

// Paper with ink on it, and how it lies before the camera: millimetres as in
// printed_targets.h, x_in_camera = r * x_on_paper + t.
struct Sheet {
  cv::Mat picture;        // 8-bit grey, kPx_per_mm
  cv::Point2d corner_mm;  // of the paper's upper left corner
  cv::Matx33d r = cv::Matx33d::eye();
  cv::Vec3d t;

  static constexpr double kPx_per_mm = 10;
};
Sheet BoardSheet(const BoardLayout& board);
// The light from its paper, 0 to 1, as coarse as a camera of this focal length samples it:
// a sample must not fall between two dots of ink, or edges would jump by a tenth of a pixel.
cv::Mat LightOf(const Sheet& sheet, double focal_px);

struct Sensor {
  double light = 0.8;    // how bright white paper comes out, 0 to 1
  double noise = 2.0;    // standard deviation, of 255
  double blur_px = 0.4;  // of the lens; the sampling adds as much
  double vignette = 0.15;
};

// A lens as those of the virtual table's cameras, by chance.
Lens SomeLens(std::uint64_t seed, cv::Size size_px);

class Photographer {
 public:
  explicit Photographer(const Lens& lens);
  // 8-bit BGR. Later sheets lie on earlier ones.
  cv::Mat Take(const std::vector<Sheet>& sheets, const Sensor& sensor, std::uint64_t seed) const;

 private:
  static constexpr int kSamples = 2;  // along each side of a pixel
  Lens lens_;
  cv::Mat rays_;  // CV_32FC2, by sample
};

// As a person would hold the board when asked for this, a little off.
Sheet HeldBoard(Sheet sheet, const BoardLayout& board, const LensGuide::Wish& wish,
                const Lens& lens, cv::RNG* rng);

// Looks as a person takes them who does what the guide says, until it is content
// or after `most` pictures.
struct Session {
  LensGuide guide;
  int pictures = 0;
};
Session TakeLooks(const Lens& lens, const BoardLayout& board, const Sensor& sensor,
                  std::uint64_t seed, int most);
// The same with another camera of this lens: given papers and a seed, a picture.
using TakePicture = std::function<cv::Mat(const std::vector<Sheet>& sheets, std::uint64_t seed)>;
Session TakeLooksWith(const TakePicture& take, const Lens& lens, const BoardLayout& board,
                      std::uint64_t seed, int most);

}  // namespace tilewarden::calibration
