#include "engine/tiles/figure_segments.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tilewarden::engine {
namespace {

// How often figures stand on fields or lie elsewhere, against the habit:
// the camera's doubt about the pose comes on top.
constexpr double kStandingOnField = 0.02;
constexpr double kLyingElsewhere = 0.04;
// A field is claimed this often for each claim of a city, road or monastery
// beside it (11 of 37 figures on the recorded tables).
constexpr double kFieldClaims = 0.4;
// Set by hand and printed by others: feet stand this far (standard deviation,
// tile sizes) off the place that the tile's facts suggest, besides the camera's
// own doubt.
constexpr double kFootSpread = 0.04;
// A road is narrower than a figure, and printed ones bend: this share of the feet on roads stands
// so far off. On photographs a ninth of the figures stood beside their road; nobody stood beside
// his city, as there is room in it.
constexpr double kBesideRoad = 0.15, kBesideRoadSpread = 0.12;
// Segments smaller than this (a share of the tile) are met by feet that miss.
constexpr double kLeastArea = 0.03;

}  // namespace

TileFace FaceOf(const TileType& type) {
  TileFace face{LayOut(type), std::vector<double>(type.segments.size(), 0)};
  for (const std::int8_t segment : face.layout.raster) {
    face.areas[static_cast<std::size_t>(segment)] +=
        1.0 / static_cast<double>(face.layout.raster.size());
  }
  return face;
}

std::vector<double> SegmentLikelihoods(const TileType& type, const TileFace& face,
                                       const FigurePlace& figure) {
  std::vector<double> likelihoods =
      face.layout.SegmentsNear(figure.foot, std::hypot(figure.sigma, kFootSpread));
  const std::vector<double> beside =
      face.layout.SegmentsNear(figure.foot, std::hypot(figure.sigma, kBesideRoadSpread));
  const double standing = std::clamp(figure.standing, 0.0, 1.0);
  for (std::size_t s = 0; s < likelihoods.size(); ++s) {
    const bool field = type.segments[s].kind == SegmentKind::kField;
    if (type.segments[s].kind == SegmentKind::kRoad) {
      likelihoods[s] += kBesideRoad * (beside[s] - likelihoods[s]);
    }
    likelihoods[s] *= field ? kFieldClaims * (standing * kStandingOnField + (1 - standing))
                            : standing + (1 - standing) * kLyingElsewhere;
    likelihoods[s] /= std::max(face.areas[s], kLeastArea);
  }
  return likelihoods;
}

}  // namespace tilewarden::engine
