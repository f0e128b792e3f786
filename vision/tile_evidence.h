// What the costs of matching say as probabilities: the one place where they are
// turned into what leaves this folder. Pure functions.
#pragma once

#include <vector>

#include "vision/sighting.h"
#include "vision/tile_matcher.h"

namespace tilewarden::vision {

// That a tile of the pack lies where this is the best match.
double TileProbability(const TileMatcher::Match& best);

// The names a cell may have, best first, with a probability each; what is left
// to 1 is for another name or none. `matches`: best first, not empty.
std::vector<TileCandidate> NamesOf(const TileMatcher& matcher,
                                   const std::vector<TileMatcher::Match>& matches,
                                   double tile_probability);

}  // namespace tilewarden::vision
