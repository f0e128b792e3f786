// Guides a person through the looks that a lens needs: which to take next, and
// what is wrong with one that does not help.
//
// A value; not thread safe.
#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "calibration/camera/board_look.h"

namespace tilewarden::calibration {

// Which side of the board is farther away than the others, as seen in the
// picture.
enum class Tilt { kNone, kLeft, kRight, kTop, kBottom };
inline constexpr int kTilts = 5;
// Parts of the picture in rows, the upper left one first.
inline constexpr int kPlaces = 9;

class LensGuide {
 public:
  struct Wish {
    int place = kPlaces / 2;
    Tilt tilt = Tilt::kNone;
    std::string text;  // "hold the board in the upper left of the picture, ..."
  };

  // Keeps the look. ALREADY_EXISTS: there is one like it. INVALID_ARGUMENT: a picture of
  // another size than before.
  absl::Status Add(const BoardLook& look);

  // What would help most now.
  Wish Next() const;
  // 0 to 1; at 1 there is enough of everything.
  double Progress() const;
  // Share of the picture in which corners of the board were seen.
  double Coverage() const;
  const std::vector<BoardLook>& looks() const { return looks_; }

 private:
  std::vector<BoardLook> looks_;
  std::array<int, kPlaces> at_place_{};
  std::array<int, kTilts> with_tilt_{};
  std::set<std::pair<int, int>> seen_;  // columns and rows of the picture's grid
};

// How the board is tilted in a look; the focal length is guessed as cameras
// usually have it.
Tilt TiltOf(const BoardLook& look);

}  // namespace tilewarden::calibration
