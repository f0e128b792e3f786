#include "vision/tile_evidence.h"

#include <algorithm>
#include <cmath>

namespace tilewarden::vision {

double PictureProbability(const TileMatcher::Match& best) {
  // A logistic fit to 505 cells of the two rendered sequences and stills, half of
  // them bare table: how much better than a plain colour, how well the details
  // fit, and how closely the free part fits.
  const double gain = best.plain_cost - best.cost;
  const double z = 5.5 + 21 * gain - 4 * best.detail_cost - 3 * best.typical_cost;
  return 1 / (1 + std::exp(-z));
}

double TileProbability(const TileMatcher::Match& best, const Surroundings& around) {
  // A logistic fit to 3068 looks at such cells: instead of the closeness, whether
  // it stands out from the table and not from the tiles. Plain or overexposed
  // tiles are known by it.
  constexpr double kClear = 0.4;  // more contrast says no more
  const double gain = best.plain_cost - best.cost;
  const double outline = around.free > 0 ? 19.2 * std::min(around.to_table, kClear) : 3.3;
  const double z = 3.7 + 16.4 * gain - 3.9 * best.detail_cost + outline - 11.5 * around.to_tiles;
  return 1 / (1 + std::exp(-z));
}

std::vector<TileCandidate> NamesOf(const TileMatcher& matcher,
                                   const std::vector<TileMatcher::Match>& matches,
                                   double tile_probability) {
  // The cost by which the right name leads grows with what hides the tile. Of
  // 150 tiles of the rendered sequences all that were misnamed led by less than
  // 0.011 at a cost near 0.3, and all that led by more were right.
  const double best = matches.front().naming_cost;
  // Above that the light is wrong too, and leads say less.
  const double scale = 0.005 + 0.012 * best + 0.08 * std::max(best - 0.3, 0.0);
  std::vector<TileCandidate> names;
  double sum = 0;
  for (const TileMatcher::Match& match : matches) {
    const TileMatcher::Reference& reference =
        matcher.references()[static_cast<std::size_t>(match.reference)];
    names.push_back(
        {reference.tile, reference.rotation, std::exp((best - match.naming_cost) / scale)});
    sum += names.back().probability;
  }
  for (TileCandidate& name : names) name.probability *= tile_probability / sum;
  while (names.size() > 1 && names.back().probability < 1e-4) names.pop_back();
  return names;
}

}  // namespace tilewarden::vision
