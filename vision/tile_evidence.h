// What the costs of matching say as probabilities: the one place where they are
// turned into what leaves this folder. Pure functions.
#pragma once

#include <vector>

#include "vision/sighting.h"
#include "vision/tile_matcher.h"

namespace tilewarden::vision {

// Contrast of a place with what is around it, about 0 to 1: the mean over its
// sides without a tile (but the strongest, which may be beside a tile that is yet
// to be found), and over those where one lies.
struct Surroundings {
  double to_table = 0, to_tiles = 0;
  int free = 0, tiles = 0;  // sides
};

// That a tile of the pack lies where this is the best match, by its picture alone.
double PictureProbability(const TileMatcher::Match& best);

// The same, with how it stands out from what is around it. `around`: without
// sides where nothing is known of them.
double TileProbability(const TileMatcher::Match& best, const Surroundings& around);

// The names a cell may have, best first, with a probability each; what is left
// to 1 is for another name or none. `matches`: best first, not empty.
std::vector<TileCandidate> NamesOf(const TileMatcher& matcher,
                                   const std::vector<TileMatcher::Match>& matches,
                                   double tile_probability);

}  // namespace tilewarden::vision
