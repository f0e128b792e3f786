#include "vision/tiles/loose_tiles.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "calibration/box/laid_tiles.h"
#include "calibration/common/quad_finder.h"
#include "vision/picture/in_parallel.h"
#include "vision/picture/median.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_evidence.h"
#include "vision/tiles/tile_matcher.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

using calibration::LaidTile;
using calibration::Quad;

// Places that the network is asked about, best outlines first: 1 ms each.
constexpr std::size_t kMostPlaces = 1200;
// From middle to middle, in sides: two fingers' breadths between tiles.
constexpr double kReach = 2.2;
// What a square counts that the network takes for nothing: art that it never saw
// is found by its outlines, but never against tiles that it knows.
constexpr double kByOutline = 0.05;
// Cost above which a picture is of another copy or of other art: of 68 rendered tiles of the
// pictures' own copies in easy light none cost more than 0.09, of 134 other copies none less than
// 0.21.
constexpr double kLike = 0.18;

// A square, and what the network made of it or of one that is almost the same.
struct Square {
  Quad quad;
  double tile_probability = 0;
  double worth() const { return quad.support * (kByOutline + tile_probability); }
};

absl::StatusOr<std::vector<Square>> Squares(const cv::Mat& picture, TileNetwork& network) {
  // Which outlines are found changes with the size that they are looked for in.
  std::vector<Quad> quads;
  for (const int work_side_px : {1280, 1920}) {
    calibration::QuadOptions options;
    options.limit = 4000;
    options.work_side_px = work_side_px;
    for (const Quad& quad : calibration::FindQuads(picture, options)) quads.push_back(quad);
    if (std::max(picture.cols, picture.rows) <= work_side_px) break;
  }
  std::stable_sort(quads.begin(), quads.end(),
                   [](const Quad& a, const Quad& b) { return a.support > b.support; });
  std::vector<Square> squares;
  std::vector<std::size_t> place_of;  // by square
  std::vector<cv::Mat> patches;
  std::vector<Quad> places;
  for (const Quad& quad : quads) {
    const cv::Point2f centre = calibration::CentreOf(quad.corners_px);
    const double side = calibration::SideOf(quad.corners_px);
    const auto same = std::find_if(places.begin(), places.end(), [&](const Quad& other) {
      return cv::norm(calibration::CentreOf(other.corners_px) - centre) < 0.08 * side &&
             std::abs(calibration::SideOf(other.corners_px) / side - 1) < 0.08;
    });
    if (same == places.end()) {
      if (places.size() == kMostPlaces) continue;
      cv::Mat patch = CutPatch(picture, quad.corners_px);
      if (patch.empty()) continue;
      patches.push_back(std::move(patch));
      places.push_back(quad);
      place_of.push_back(places.size() - 1);
    } else {
      place_of.push_back(static_cast<std::size_t>(same - places.begin()));
    }
    squares.push_back({quad, 0});
  }
  Looks once;
  once.turns = false;
  const absl::StatusOr<std::vector<TileScores>> scores = network.Name(patches, once);
  if (!scores.ok()) return scores.status();
  for (std::size_t i = 0; i < squares.size(); ++i) {
    squares[i].tile_probability = 1 - (*scores)[place_of[i]].nothing;
  }
  std::stable_sort(squares.begin(), squares.end(),
                   [](const Square& a, const Square& b) { return a.worth() > b.worth(); });
  return squares;
}

// The square that a laid tile was made from: the nearest.
const Square& SquareOf(const std::vector<Square>& squares, const LaidTile& tile) {
  return *std::min_element(squares.begin(), squares.end(), [&](const Square& a, const Square& b) {
    const auto off = [&](const Square& s) {
      return cv::norm(calibration::CentreOf(s.quad.corners_px) - tile.centre_px) +
             std::abs(calibration::SideOf(s.quad.corners_px) -
                      calibration::SideOf(tile.corners_px));
    };
    return off(a) < off(b);
  });
}

// A tilted camera sees near tiles larger: side = a + b x + c y, from those found,
// the few that do not fit left out.
std::function<double(cv::Point2f)> SideByPlace(const std::vector<LaidTile>& tiles, double side) {
  cv::Point2f middle;
  for (const LaidTile& tile : tiles) middle += tile.centre_px;
  middle *= 1.F / static_cast<float>(tiles.size());
  cv::Vec3d fit(side, 0, 0);
  const auto expected = [middle, side](const cv::Vec3d& terms, cv::Point2f at) {
    const cv::Point2f p = at - middle;
    return std::clamp(terms[0] + terms[1] * p.x + terms[2] * p.y, 0.6 * side, 1.6 * side);
  };
  for (const double within : {1.0, 0.1, 0.06}) {
    cv::Matx33d normal = cv::Matx33d::eye() * 1e-6;
    cv::Vec3d right = fit * 1e-6;
    for (const LaidTile& tile : tiles) {
      const double seen = calibration::SideOf(tile.corners_px);
      if (std::abs(seen / expected(fit, tile.centre_px) - 1) > within) continue;
      const cv::Point2f p = tile.centre_px - middle;
      const cv::Vec3d row(1, p.x, p.y);
      normal += row * row.t();
      right += row * seen;
    }
    // Held to a slope of about 1 % a tile, as sides are known to 2 %: where all lie
    // in one row, nothing tells how it goes on beside it.
    const double held = std::pow(2 * side, 2);
    normal(1, 1) += held;
    normal(2, 2) += held;
    fit = normal.solve(right, cv::DECOMP_CHOLESKY);
  }
  return [=](cv::Point2f at) { return expected(fit, at); };
}

// How tall a square is for its width, in the picture.
double Aspect(const std::array<cv::Point2f, 4>& c) {
  return (cv::norm(c[2] - c[1]) + cv::norm(c[3] - c[0])) /
         (cv::norm(c[1] - c[0]) + cv::norm(c[2] - c[3]));
}

// Of opposite sides, how much longer the longer one is.
double Skew(const std::array<cv::Point2f, 4>& c) {
  const double across = cv::norm(c[1] - c[0]) / cv::norm(c[2] - c[3]);
  const double down = cv::norm(c[2] - c[1]) / cv::norm(c[3] - c[0]);
  return std::max({across, 1 / across, down, 1 / down}) - 1;
}

// The squares that are shaped as most of a group are: with a stripe of the table
// on one side a tile still looks like one to the network.
std::vector<Quad> OfSameShape(const std::vector<Quad>& quads, const std::vector<LaidTile>& group) {
  std::vector<double> aspects, away;
  for (const LaidTile& tile : group) aspects.push_back(Aspect(tile.corners_px));
  const double usual = Median(aspects);
  for (const double aspect : aspects) away.push_back(std::abs(aspect / usual - 1));
  const double most = std::max(0.07, 2.5 * Median(away));
  // Of one tile, the far side is hardly shorter than the near one.
  constexpr double kSkew = 0.06;
  std::vector<Quad> same;
  for (const Quad& quad : quads) {
    if (std::abs(Aspect(quad.corners_px) / usual - 1) <= most && Skew(quad.corners_px) < kSkew) {
      same.push_back(quad);
    }
  }
  return same;
}

// The group of squares of one size that is worth most.
std::vector<LaidTile> BestGroup(const std::vector<Square>& squares) {
  std::vector<Quad> quads;
  quads.reserve(squares.size());
  for (const Square& square : squares) quads.push_back(square.quad);
  constexpr std::size_t kMostSizes = 40;  // that are tried; each costs a look over all squares
  std::vector<double> sides;
  std::vector<LaidTile> best;
  double best_worth = 0, best_side = 0;
  for (const Square& seed : squares) {
    const double side = calibration::SideOf(seed.quad.corners_px);
    const bool tried = std::any_of(sides.begin(), sides.end(),
                                   [&](double s) { return std::abs(s / side - 1) < 0.04; });
    if (tried) continue;
    if (sides.size() == kMostSizes) break;
    sides.push_back(side);
    std::vector<LaidTile> tiles = calibration::LaidOut(
        quads, [side](cv::Point2f) { return side; }, 0.12, kReach);
    double worth = 0;
    for (const LaidTile& tile : tiles) worth += side * side * SquareOf(squares, tile).worth();
    if (worth > best_worth) {
      best_worth = worth;
      best_side = side;
      best = std::move(tiles);
    }
  }
  for (int round = 0; round < 3 && best.size() > 3; ++round) {
    const auto side_px = SideByPlace(best, best_side);
    best = calibration::LaidOut(OfSameShape(quads, best), side_px, 0.08, kReach);
  }
  return best;
}

// Tiles beside those found whose outline nobody found: places at steps over the
// table around those from `first` on, of the size and turn of their neighbours, that
// the network takes for a tile.
absl::StatusOr<std::vector<LaidTile>> Overlooked(const cv::Mat& picture,
                                                 const std::vector<LaidTile>& found,
                                                 std::size_t first, TileNetwork& network) {
  // In sides: from place to place, and from middle to middle of two tiles at least. kClear: that it
  // is a tile.
  constexpr double kStep = 0.2, kClear = 0.9, kApart = 0.85;
  const PicturePyramid pyramid(picture);
  const auto nearest = [&](cv::Point2f at) -> const LaidTile& {
    return *std::min_element(found.begin(), found.end(), [&](const auto& a, const auto& b) {
      return cv::norm(a.centre_px - at) < cv::norm(b.centre_px - at);
    });
  };
  const double step = kStep * calibration::SideOf(found.front().corners_px);
  std::vector<cv::Mat> patches;
  std::vector<std::array<cv::Point2f, 4>> places;
  for (double y = step; y < picture.rows; y += step) {
    for (double x = step; x < picture.cols; x += step) {
      const cv::Point2f at(static_cast<float>(x), static_cast<float>(y));
      const LaidTile& beside = nearest(at);
      if (&beside < found.data() + first) continue;
      const double side = calibration::SideOf(beside.corners_px);
      const double off = cv::norm(beside.centre_px - at);
      if (off < kApart * side || off > kReach * side) continue;
      std::array<cv::Point2f, 4> corners = beside.corners_px;
      for (cv::Point2f& corner : corners) corner += at - beside.centre_px;
      const cv::Rect2f inside({}, cv::Size2f(picture.size()));
      if (!std::all_of(corners.begin(), corners.end(),
                       [&](const cv::Point2f& c) { return inside.contains(c); })) {
        continue;
      }
      patches.push_back(CutPatch(picture, corners));
      places.push_back(corners);
    }
  }
  Looks once;
  once.turns = false;
  auto scores = network.Name(patches, once);
  if (!scores.ok()) return scores.status();
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if ((*scores)[i].nothing < 1 - kClear) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (*scores)[a].nothing < (*scores)[b].nothing;
  });
  // Once at the outline, each is asked about again.
  std::vector<LaidTile> more;
  for (const std::size_t i : order) {
    cv::Matx33f at = PxFromTile(places[i]);
    for (int round = 0; round < 2; ++round) at = OutlineNear(pyramid, at);
    LaidTile tile{CornersOf(at), {}, 0};
    tile.centre_px = calibration::CentreOf(tile.corners_px);
    const double side = calibration::SideOf(tile.corners_px);
    const double usual = calibration::SideOf(nearest(tile.centre_px).corners_px);
    const auto over = [&](const LaidTile& other) {
      return cv::norm(other.centre_px - tile.centre_px) < kApart * usual;
    };
    if (std::abs(side / usual - 1) > 0.12 || std::any_of(found.begin(), found.end(), over) ||
        std::any_of(more.begin(), more.end(), over)) {
      continue;
    }
    const auto again = network.Name({CutPatch(picture, tile.corners_px)});
    if (!again.ok()) return again.status();
    if (again->front().nothing < 1 - kClear) more.push_back(tile);
  }
  return more;
}

}  // namespace

absl::StatusOr<std::vector<LooseTile>> FindLooseTiles(const cv::Mat& picture, TileNetwork& network,
                                                      bool any_art) {
  const absl::StatusOr<std::vector<Square>> squares = Squares(picture, network);
  if (!squares.ok()) return squares.status();
  std::vector<LaidTile> laid = BestGroup(*squares);
  // One that is found so may be what tied others to the rest.
  for (std::size_t looked = 0; !any_art && looked < laid.size();) {
    const auto more = Overlooked(picture, laid, looked, network);
    if (!more.ok()) return more.status();
    looked = laid.size();
    laid.insert(laid.end(), more->begin(), more->end());
  }
  std::vector<cv::Mat> patches;
  for (const LaidTile& tile : laid) patches.push_back(CutPatch(picture, tile.corners_px));
  absl::StatusOr<std::vector<TileScores>> scores = network.Name(patches);
  if (!scores.ok()) return scores.status();

  std::vector<LaidTile> kept;
  for (std::size_t i = 0; i < laid.size(); ++i) {
    if (any_art || (*scores)[i].nothing < 0.5) kept.push_back(laid[i]);
  }
  const std::vector<LaidTile> ordered = calibration::InReadingOrder(kept);
  std::vector<LooseTile> tiles;
  for (const LaidTile& tile : ordered) {
    const auto at = std::find_if(laid.begin(), laid.end(), [&](const LaidTile& other) {
      return other.centre_px == tile.centre_px;
    });
    tiles.push_back({tile.corners_px, (*scores)[static_cast<std::size_t>(at - laid.begin())]});
  }
  return tiles;
}

void NameByPictures(const cv::Mat& picture, const calibration::ReferencePack& pack,
                    std::vector<LooseTile>* tiles) {
  const TileMatcher matcher(pack);
  const PicturePyramid pyramid(picture);
  std::vector<TileMatcher::Match> first(tiles->size());
  InParallel(tiles->size(), [&](std::size_t i) {
    const auto match = matcher.MatchShape(pyramid, PxFromTile((*tiles)[i].corners_px));
    if (match.reference >= 0) first[i] = matcher.AlignInAnyLight(pyramid, match);
  });
  // All lie in one light: that of the tile that is clearest.
  const auto clearest = std::min_element(
      first.begin(), first.end(), [](const auto& a, const auto& b) { return a.cost < b.cost; });
  if (clearest == first.end() || clearest->reference < 0) return;
  InParallel(tiles->size(), [&](std::size_t i) {
    LooseTile& tile = (*tiles)[i];
    const auto matches = matcher.Candidates(pyramid, PxFromTile(tile.corners_px), clearest->light);
    if (matches.empty() || matches.front().cost > kLike) return;
    const double probability = PictureProbability(matches.front());
    tile.scores.nothing = 1 - probability;
    tile.scores.readings.clear();
    for (const TileCandidate& name : NamesOf(matcher, matches, {}, probability)) {
      tile.scores.readings.push_back({name.tile, name.rotation, name.probability});
    }
    std::stable_sort(tile.scores.readings.begin(), tile.scores.readings.end(),
                     [](const auto& a, const auto& b) { return a.probability > b.probability; });
  });
}

}  // namespace tilewarden::vision
