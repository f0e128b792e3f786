// A board as it is read by the pictures of a pack. Vision-internal (cv:: types).
#pragma once

#include <map>
#include <vector>

#include "vision/picture/lattice.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"
#include "vision/tiles/tile_matcher.h"

namespace tilewarden::vision {

// A tile is taken to lie in a cell from this probability on.
inline constexpr double kTileLies = 0.5;

// One cell, looked at.
struct ReadCell {
  // Best first; empty where nothing of the pack is alike.
  std::vector<TileMatcher::Match> candidates;
  // That a tile of the pack lies here, whichever.
  double tile_probability = 0;
  // The naming network was asked; the two above know what it said.
  bool asked = false;
  // It was in doubt, and was looked at once more.
  bool looked_again = false;
  // Tiles around it when it was looked at, corners too.
  int neighbours = 0;
};

struct Board {
  // The cells where a tile lies, and those beside them where none was found.
  std::map<LatticeCell, ReadCell> tiles, others;
  // Where tiles lie that the finder saw, whether their pictures are known or not: px_from_tile by
  // the edges along their sides.
  std::map<LatticeCell, cv::Matx33f> outlines;
  Lattice lattice;
  Light light;
};

}  // namespace tilewarden::vision
