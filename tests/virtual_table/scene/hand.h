// A hand with a sleeve that reaches in over the table, thumb and fingers
// closed on what it carries. Shaped once from rounded bones, then placed.
#pragma once

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/mesh.h"

namespace tilewarden::virtual_table {

struct HandLook {
  cv::Vec3f skin;
  cv::Vec3f sleeve;
  bool left = false;  // a left hand
};

// Local frame: the fingertips meet at the origin, the arm leaves along y and
// upwards. Building takes about 0.1 s.
class Hand {
 public:
  explicit Hand(const HandLook& look);
  // With its fingertips at the stand and its arm towards local y of it.
  Shape Place(const Stand& stand) const;

 private:
  Shape shape_;
};

}  // namespace tilewarden::virtual_table
