// Which box lies on the table, where nobody said so: told from what the naming
// network made of its tiles. Pure functions.
#pragma once

#include <string>

#include "engine/tile_set.h"
#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::services {

// Id of the tile set that these tiles are of, a river joined by a plus: with
// gardens the second and third editions, else the first.
std::string EditionOf(const vision::Sighting& sighting);

// The same sighting in the words of this set: a garden copy that the set does
// not have is the plain type, and names of other types are left out.
vision::Sighting InWordsOf(const engine::TileSet& tiles, vision::Sighting sighting);

// Whether the clearest tiles show the project's own printed box.
bool IsPrintableSet(const cv::Mat& picture, const vision::Sighting& sighting,
                    const engine::TileSet& tiles);

}  // namespace tilewarden::services
