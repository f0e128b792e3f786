// The project's own printed box: every copy of every tile of a set, painted
// from the engine's layout, and the reference pack of that box.
//
// A copy is told by the box's seed, its type and its number, so a box painted
// twice is the same box. Pure functions; safe from any thread. Painting one
// tile takes about 40 ms.
#pragma once

#include <cstdint>

#include "calibration/box/reference_pack.h"
#include "calibration/print/tile_painter.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/core.hpp"

namespace tilewarden::services {

// The bundled box. The recorded game is played with it.
inline constexpr std::uint64_t kBundledBox = 1;

// The painter's description of a tile, worked out by engine::LayOut.
calibration::TileDescription Describe(const engine::TileType& type);

// One printed copy (from 0) of a type in a box, 8-bit BGR, canonical turn.
cv::Mat PaintCopy(const engine::TileType& type, int copy, std::uint64_t box, int side_px);

// Pictures of at most this many copies of each type of a box (0: all there are).
calibration::ReferencePack PaintedPack(const engine::TileSet& tiles, int copies_per_type,
                                       std::uint64_t box = kBundledBox);

}  // namespace tilewarden::services
