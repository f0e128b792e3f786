// The outlines and centre lines of a tile's segments: the drawing half of
// tile_layout. Pure functions.
#pragma once

#include <vector>

#include "engine/tiles/tile_layout.h"

namespace tilewarden::engine {

// By segment, without spots and without gardens, whose place depends on the fields.
std::vector<SegmentShape> DrawShapes(const TileType& type);

// Eight corners around a centre.
Polyline Plot(Point centre, double radius);
bool Inside(const Polyline& outline, Point p);
double DistanceToLine(const Polyline& line, Point p);
double Distance(Point a, Point b);
Point Between(Point a, Point b, double t);

}  // namespace tilewarden::engine
