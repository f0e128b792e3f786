#include "calibration/enrolment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/picture_file.h"
#include "calibration/quad_finder.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

constexpr int kSide = ReferencePack::kSide_px;

using Corners = std::array<cv::Point2f, 4>;

struct Laid {
  Corners corners;
  cv::Point2f centre;
  double support = 0;
};

double Distance(cv::Point2f a, cv::Point2f b) { return std::hypot(a.x - b.x, a.y - b.y); }

// Groups items for which `linked(i, j)` holds, directly or over others.
template <typename Linked>
std::vector<std::vector<std::size_t>> Groups(std::size_t count, Linked linked) {
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> taken(count, false);
  for (std::size_t first = 0; first < count; ++first) {
    if (taken[first]) continue;
    std::vector<std::size_t> group = {first};
    taken[first] = true;
    for (std::size_t k = 0; k < group.size(); ++k) {
      for (std::size_t other = 0; other < count; ++other) {
        if (taken[other] || !linked(group[k], other)) continue;
        taken[other] = true;
        group.push_back(other);
      }
    }
    groups.push_back(std::move(group));
  }
  return groups;
}

// A bevelled or drawn rim gives a tile two outlines, and which of them was found
// differs from tile to tile. Takes the inner one, which stands out most evenly,
// and widens all by the rim that is usual among them.
void FollowRims(const std::vector<Quad>& quads, double side, std::vector<Laid>& tiles) {
  std::vector<double> rims;
  for (Laid& tile : tiles) {
    Corners inner = tile.corners, outer = tile.corners;
    for (const Quad& quad : quads) {
      if (quad.support < 0.85 * tile.support ||
          Distance(CentreOf(quad.corners_px), tile.centre) > 0.06 * side) {
        continue;
      }
      const double size = SideOf(quad.corners_px), ratio = size / SideOf(tile.corners);
      if (ratio < 0.94 || ratio > 1.06) continue;
      if (size < SideOf(inner)) inner = quad.corners_px;
      if (size > SideOf(outer)) outer = quad.corners_px;
    }
    rims.push_back(SideOf(outer) / SideOf(inner));
    tile.corners = inner;
  }
  if (rims.empty()) return;
  const auto middle = rims.begin() + static_cast<std::ptrdiff_t>(rims.size() / 2);
  std::nth_element(rims.begin(), middle, rims.end());
  const auto rim = static_cast<float>(*middle);
  for (Laid& tile : tiles) {
    const cv::Point2f centre = CentreOf(tile.corners);
    for (cv::Point2f& corner : tile.corners) corner = centre + (corner - centre) * rim;
  }
}

// Squares of about this size, none over another, that lie side by side in the
// largest group.
std::vector<Laid> LaidOut(const std::vector<Quad>& quads, double side) {
  std::vector<Laid> kept;
  for (const Quad& quad : quads) {
    if (std::abs(SideOf(quad.corners_px) / side - 1) > 0.12) continue;
    const cv::Point2f centre = CentreOf(quad.corners_px);
    const auto over = std::find_if(kept.begin(), kept.end(), [&](const Laid& laid) {
      return Distance(laid.centre, centre) < 0.9 * side;
    });
    if (over == kept.end()) kept.push_back({quad.corners_px, centre, quad.support});
  }
  FollowRims(quads, side, kept);
  const auto groups = Groups(kept.size(), [&](std::size_t a, std::size_t b) {
    return Distance(kept[a].centre, kept[b].centre) < 1.6 * side;
  });
  std::vector<Laid> largest;
  for (const auto& group : groups) {
    if (group.size() <= largest.size()) continue;
    largest.clear();
    for (const std::size_t i : group) largest.push_back(kept[i]);
  }
  return largest;
}

// Row by row from the top of the picture, each row from the left. Empty where
// they do not lie in rows: then one of them is no tile, but a part of one that
// reaches out of the picture, or of two.
std::vector<Laid> InReadingOrder(const std::vector<Laid>& tiles) {
  cv::Point2d right(0, 0);
  double side = 0;
  for (const Laid& tile : tiles) {
    // Of the two directions of its sides, the one nearest to the picture's own.
    for (std::size_t i = 0; i < 4; ++i) {
      const cv::Point2f d = tile.corners[(i + 1) % 4] - tile.corners[i];
      if (d.x > std::abs(d.y)) right += cv::Point2d(d);
    }
    side += SideOf(tile.corners) / static_cast<double>(tiles.size());
  }
  right /= std::hypot(right.x, right.y);
  const auto along = [&](const Laid& t) { return t.centre.x * right.x + t.centre.y * right.y; };
  const auto down = [&](const Laid& t) { return t.centre.y * right.x - t.centre.x * right.y; };
  auto rows = Groups(tiles.size(), [&](std::size_t a, std::size_t b) {
    return std::abs(down(tiles[a]) - down(tiles[b])) < 0.4 * side &&
           std::abs(along(tiles[a]) - along(tiles[b])) < 1.8 * side;
  });
  const auto mean_down = [&](const std::vector<std::size_t>& row) {
    double sum = 0;
    for (const std::size_t i : row) sum += down(tiles[i]);
    return sum / static_cast<double>(row.size());
  };
  std::sort(rows.begin(), rows.end(),
            [&](const auto& a, const auto& b) { return mean_down(a) < mean_down(b); });
  constexpr double kRowsApart = 0.8, kTilesApart = 0.95;
  std::vector<Laid> ordered;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::vector<std::size_t>& row = rows[r];
    if (r > 0 && mean_down(row) - mean_down(rows[r - 1]) < kRowsApart * side) return {};
    std::sort(row.begin(), row.end(),
              [&](std::size_t a, std::size_t b) { return along(tiles[a]) < along(tiles[b]); });
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0 && along(tiles[row[i]]) - along(tiles[row[i - 1]]) < kTilesApart * side) return {};
      ordered.push_back(tiles[row[i]]);
    }
  }
  return ordered;
}

cv::Mat CutOut(const cv::Mat& picture, const Corners& corners) {
  // Upright means that the corner nearest to the picture's top left comes first.
  constexpr float kLast = kSide - 0.5F;
  const Corners to = {cv::Point2f(-0.5F, -0.5F), {kLast, -0.5F}, {kLast, kLast}, {-0.5F, kLast}};
  const cv::Mat h = cv::getPerspectiveTransform(corners.data(), to.data());
  // Supersampled by two, because a tile may be larger in the picture than here.
  const cv::Mat twice = (cv::Mat_<double>(3, 3) << 2, 0, 0.5, 0, 2, 0.5, 0, 0, 1);
  cv::Mat large, cut;
  cv::warpPerspective(picture, large, twice * h, {2 * kSide, 2 * kSide}, cv::INTER_LINEAR,
                      cv::BORDER_REPLICATE);
  cv::resize(large, cut, {kSide, kSide}, 0, 0, cv::INTER_AREA);
  return cut;
}

// The code, copy and turns that a file's name says.
struct FileName {
  std::string tile;
  int turns = 0;
};

absl::StatusOr<FileName> ParseName(const std::filesystem::path& path) {
  std::string stem = path.stem().string();
  FileName name;
  if (const auto at = stem.find('@'); at != std::string::npos) {
    const std::string turns = stem.substr(at + 1);
    if (turns.size() != 1 || turns[0] < '0' || turns[0] > '3') {
      return absl::InvalidArgumentError(
          absl::StrCat(path.string(), ": after @ stand the quarter turns, 0 to 3"));
    }
    name.turns = turns[0] - '0';
    stem.resize(at);
  }
  name.tile = stem.substr(0, stem.find('-'));
  if (name.tile.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(path.string(), ": the name says no tile"));
  }
  return name;
}

bool IsPictureName(const std::filesystem::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  static const std::set<std::string> kKnown = {".png", ".jpg", ".jpeg", ".webp",
                                               ".bmp", ".tif", ".tiff"};
  return kKnown.contains(extension);
}

}  // namespace

cv::Mat Turned(const cv::Mat& picture, int quarter_turns) {
  cv::Mat turned;
  switch (quarter_turns & 3) {
    case 1:
      cv::rotate(picture, turned, cv::ROTATE_90_CLOCKWISE);
      break;
    case 2:
      cv::rotate(picture, turned, cv::ROTATE_180);
      break;
    case 3:
      cv::rotate(picture, turned, cv::ROTATE_90_COUNTERCLOCKWISE);
      break;
    default:
      turned = picture.clone();
  }
  return turned;
}

absl::StatusOr<ReferencePack> EnrolPicture(const cv::Mat& picture,
                                           const std::vector<TypeToEnrol>& types) {
  if (picture.empty() || picture.type() != CV_8UC3) {
    return absl::InvalidArgumentError("the picture to enrol is empty or not 8-bit colour");
  }
  if (types.empty()) return absl::InvalidArgumentError("no types to enrol");
  QuadOptions options;
  options.limit = 6000;
  const std::vector<Quad> quads = FindQuads(picture, options);

  std::vector<Laid> best;
  double best_support = 0;
  std::size_t nearest = 0;
  for (const Quad& quad : quads) {
    if (quad.support < 0.8) break;  // sorted by support
    std::vector<Laid> tiles = LaidOut(quads, SideOf(quad.corners_px));
    const auto off = [&](std::size_t n) {
      return n > types.size() ? n - types.size() : types.size() - n;
    };
    if (nearest == 0 || off(tiles.size()) < off(nearest)) nearest = tiles.size();
    if (tiles.size() != types.size()) continue;
    double support = 0;
    for (const Laid& tile : tiles) support += tile.support;
    if (support <= best_support) continue;
    tiles = InReadingOrder(tiles);
    if (tiles.empty()) continue;
    best_support = support;
    best = std::move(tiles);
  }
  if (best.empty()) {
    // As many squares as types, but one of them lies across the rows: no tile.
    const bool across = nearest == types.size();
    return absl::InvalidArgumentError(absl::StrCat(
        nearest, across ? " squares were found, not all in rows, and " : " tiles were found and ",
        types.size(), across ? " tiles" : "",
        " were expected; lay them in rows, upright, a finger's width apart, on a plain table "
        "that they stand out from, whole in the picture, and take it from above"));
  }
  ReferencePack pack;
  for (std::size_t i = 0; i < best.size(); ++i) {
    const cv::Mat upright = CutOut(picture, best[i].corners);
    pack.pictures.push_back({types[i].tile, Turned(upright, -types[i].upright)});
  }
  return pack;
}

absl::StatusOr<ReferencePack> EnrolFolder(const std::filesystem::path& folder,
                                          const std::vector<std::string>& known) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    if (IsPictureName(it->path())) files.push_back(it->path());
  }
  if (error) return absl::NotFoundError(absl::StrCat(folder.string(), ": ", error.message()));
  if (files.empty()) {
    return absl::NotFoundError(absl::StrCat(folder.string(), ": no pictures in this folder"));
  }
  std::sort(files.begin(), files.end());
  ReferencePack pack;
  for (const std::filesystem::path& file : files) {
    const absl::StatusOr<FileName> name = ParseName(file);
    if (!name.ok()) return name.status();
    if (!known.empty() && std::find(known.begin(), known.end(), name->tile) == known.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat(file.string(), ": the tile set has no tile '", name->tile, "'"));
    }
    const absl::StatusOr<cv::Mat> picture = LoadPicture(file);
    if (!picture.ok()) return picture.status();
    const double aspect = static_cast<double>(picture->cols) / picture->rows;
    if (aspect < 0.8 || aspect > 1.25 || std::min(picture->cols, picture->rows) < 24) {
      return absl::InvalidArgumentError(
          absl::StrCat(file.string(), ": not a square cut-out of one tile"));
    }
    cv::Mat cut;
    const int mode = picture->cols > kSide ? cv::INTER_AREA : cv::INTER_CUBIC;
    cv::resize(*picture, cut, {kSide, kSide}, 0, 0, mode);
    pack.pictures.push_back({name->tile, Turned(cut, -name->turns)});
  }
  return pack;
}

}  // namespace tilewarden::calibration
