// What the costs of matching and the naming network say as probabilities: the
// one place where they are turned into what leaves this folder. Pure functions.
#pragma once

#include <vector>

#include "vision/sighting.h"
#include "vision/tiles/tile_matcher.h"

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

// The same once the naming network was asked, which takes the place for no tile
// with probability `nothing`.
double WithNetwork(double tile_probability, double nothing);

// How much the two witnesses of a name count on one board, 1 each where nothing
// is known of them. Pictures enrolled from the very copies that lie there tell
// more than the network, pictures of other copies less, and the network knows
// some editions better than others.
struct Trust {
  double matching = 1, network = 1;
};

// The trust that lets the two agree best over all tiles of a board, held to 1
// where few tiles say anything. `tiles`: the candidates of each tile.
Trust FitTrust(const std::vector<const std::vector<TileMatcher::Match>*>& tiles);

// The names a cell may have, in the order of `matches`, with a probability each;
// what is left to 1 is for another name or none. `matches`: not empty.
std::vector<TileCandidate> NamesOf(const TileMatcher& matcher,
                                   const std::vector<TileMatcher::Match>& matches,
                                   const Trust& trust, double tile_probability);

}  // namespace tilewarden::vision
