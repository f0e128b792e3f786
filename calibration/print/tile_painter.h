// The project's own tile art: paints the face of a tile from a description of
// what lies on it, in a painted style. Every seed gives another copy of the
// same tile, as the copies in a printed box differ: other houses, bushes and
// brush strokes, the same roads and cities.
//
// Points: [0, 1] x [0, 1], origin at the tile's north-west corner, x right and
// y down, canonical orientation. Lengths without a suffix are in tile sizes.
// Pure functions of their arguments; safe from any thread. They do not fail: a
// description without segments is a meadow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "opencv2/core.hpp"

namespace tilewarden::calibration {

using Outline = std::vector<cv::Point2d>;

enum class Ground { kField, kCity, kRoad, kRiver, kMonastery, kGarden, kTemple };

// Where a road or river ends on the tile.
enum class PathEnd { kNone, kVillage, kMonastery, kCity, kInside, kSource, kLake };

struct PaintedSegment {
  Ground ground = Ground::kField;
  // Closed outlines of cities and plots. A stretch along the tile's border is
  // open (the city goes on next door), the rest is wall.
  std::vector<Outline> areas;
  // Centre lines of roads and rivers, each from the border inwards or across.
  std::vector<Outline> paths;
  PathEnd end = PathEnd::kNone;
  Outline coats_of_arms;
};

// What some boxes show beside the features.
enum class Mark {
  kSheep,
  kWolf,
  kPigHerd,
  kInn,
  kOasis,
  kScroll,
  kVolcano,
  kGingerbread,
  kCathedral,
  kWine,
  kGrain,
  kCloth
};

struct PaintedMark {
  Mark mark = Mark::kSheep;
  cv::Point2d at;
};

struct TileDescription {
  std::string tile;  // code, as the tile set names it: "B.A"
  std::vector<PaintedSegment> segments;
  std::vector<PaintedMark> marks;
  double road_width = 0.09;
  double river_width = 0.16;
};

struct PaintOptions {
  std::uint64_t seed = 1;
  // Side of the square result. 512 is as fine as the brush; 45 mm printed at
  // 300 dots per inch are 531 px.
  int side_px = 512;
};

// The tile's face, 8-bit BGR, canonical orientation.
cv::Mat PaintTile(const TileDescription& tile, const PaintOptions& options);

// Which pile a face-down tile belongs to: told by the colour of its back.
enum class Back { kTile, kStart, kRiver };

// The face-down side, the same for every tile of a pile but for the grain of the
// card.
cv::Mat PaintBack(const PaintOptions& options, Back back = Back::kTile);

// How much room a mark takes around its place.
double RadiusOf(Mark mark);

}  // namespace tilewarden::calibration
