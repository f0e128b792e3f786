// Compares a place in the picture with the reference pictures: which of them
// lies there, and where exactly.
//
//   coarse: every reference, turn and small shift, cut off sums of differences
//   fine:   the best few aligned (shift, turn, size) with what covers them
//           left out, then compared again
//
// A cost is the mean over the tile of the colour difference, cut off where it
// can only be something else (a figure, a hand): 0 the same, 1 nothing alike.
// What hides a part of the tile costs every reference the same there, so that
// what is seen of the tile decides between them. Thread safe once made;
// vision-internal (cv:: types).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "vision/picture/sample_grid.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {

class TileMatcher {
 public:
  // Samples along a tile's side, for the first look.
  static constexpr int kCoarse = 16;

  // A picture of the pack, turned as it may lie.
  struct Reference {
    std::string tile;
    int rotation = 0;
    cv::Mat expected;  // as in NamedTile
    ReferenceSamples all, every_other;
    std::array<std::uint8_t, 14 * 48> coarse{};  // without the outermost ring, padded
    std::array<float, 3 * 14 * 14> shape{};      // zero mean, unit length, likewise
  };

  struct Match {
    int reference = -1;
    float cost = 1;
    // Cost over the parts that stand out from the tile's main colour alone:
    // a bare table may look like a field, but not like its monastery.
    float detail_cost = 1;
    // Cost of the 60th of a hundred samples, from the best: what is free of
    // figures fits a tile closely all over, and a bare table only on average.
    float typical_cost = 1;
    // Cost of a plain square of the place's own main colour: what a bare table
    // is better explained by than by any tile.
    float plain_cost = 0;
    // Like `cost`, but what no paint of the tile comes near to costs the same
    // whatever it is and however dark; the mean of that in the board's light and
    // in whatever light suits this candidate best at this one place. It tells
    // candidates apart that differ in little, and they come in its order.
    float naming_cost = 1;
    cv::Matx33f px_from_tile;
    Light light;       // in which it fits
    float hidden = 0;  // share of the tile that looks like something else
    // Logarithm of the probability that the naming network gives this name; the
    // same for all candidates where it was not asked.
    float network = 0;
  };

  // How many candidates are tried: under a figure the right one may be far from the likeliest.
  enum class Tries { kLikeliest, kAll };

  explicit TileMatcher(const calibration::ReferencePack& pack);

  const std::vector<Reference>& references() const { return references_; }
  // match: of one.
  const Reference& ReferenceOf(const Match& match) const {
    return references_[static_cast<std::size_t>(match.reference)];
  }

  // The reference most like what lies there in whatever light, by correlation
  // (-1 to 1). For finding a first tile; `cost` is 1 - correlation.
  Match MatchShape(const PicturePyramid& picture, const cv::Matx33f& px_from_tile) const;
  // Aligns that match and fits its light.
  Match AlignInAnyLight(const PicturePyramid& picture, const Match& match) const;

  // The best candidates in about this light (a glare or a shade of its own is
  // found out), best first, at most one for each type
  // and turn. The tile may lie off by an eighth of its size. Empty where nothing is alike.
  std::vector<Match> Candidates(const PicturePyramid& picture, const cv::Matx33f& px_from_tile,
                                const Light& light, Tries tries = Tries::kAll) const;
  // The best that can be made of this name near there. A reference of -1 where
  // the pack does not have it.
  Match AlignAs(const PicturePyramid& picture, const std::string& tile, int rotation,
                const cv::Matx33f& px_from_tile, const Light& light) const;

 private:
  std::vector<Reference> references_;
};

}  // namespace tilewarden::vision
