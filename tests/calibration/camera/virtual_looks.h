// The same papers before a camera of the virtual table: its renderer, lens, light and
// noise. Slower than a Photographer; the same arguments give the same picture.
#pragma once

#include <cstdint>
#include <vector>

#include "tests/calibration/camera/rendered_looks.h"
#include "tests/virtual_table/picture/renderer.h"

namespace tilewarden::calibration {

class VirtualTable {
 public:
  // A camera of this lens (k1 and k2 of its bend) above the table that lies there:
  // x_in_camera = r * x_on_table + t, in millimetres, x right and y down.
  VirtualTable(const Lens& lens, const cv::Matx33d& r, const cv::Vec3d& t);
  // Papers on the table, or held above it.
  cv::Mat Take(const std::vector<Sheet>& sheets, std::uint64_t seed);

 private:
  virtual_table::Shape InWorld(const Sheet& sheet) const;

  virtual_table::Scene scene_;
  virtual_table::Renderer renderer_;
};

}  // namespace tilewarden::calibration
