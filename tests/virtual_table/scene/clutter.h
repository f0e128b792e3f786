// Small things that lie on tables where people play, and that are no figures: a
// die, a coin, a glass bead, a finger. The stand is below their middle, for the finger below its
// tip.
#pragma once

#include "opencv2/core.hpp"
#include "tests/virtual_table/picture/mesh.h"

namespace tilewarden::virtual_table {

// Usual sizes: dice of 16 mm; a euro coin is 23.25 x 2.3 mm; decoration beads are 17 to 20 mm
// wide and half as high; a forefinger is 16 to 18 mm wide.
inline constexpr double kDie_mm = 16, kCoin_mm = 23.25, kBead_mm = 18, kFinger_mm = 17;
// What is to be seen of a finger.
inline constexpr double kFingerLength_mm = 90;

Shape MakeDie(const Stand& stand, cv::Vec3f colour, cv::Vec3f pips);
Shape MakeCoin(const Stand& stand, cv::Vec3f metal);
Shape MakeBead(const Stand& stand, cv::Vec3f glass);
// It leaves along local y, upwards.
Shape MakeFinger(const Stand& stand, cv::Vec3f skin);

}  // namespace tilewarden::virtual_table
