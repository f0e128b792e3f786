#include "calibration/box/enrolment.h"

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/box/laid_tiles.h"
#include "calibration/common/picture_file.h"
#include "calibration/common/quad_finder.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

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
          absl::StrCat(path.string(), ": after @ give the quarter turns, 0 to 3"));
    }
    name.turns = turns[0] - '0';
    stem.resize(at);
  }
  name.tile = stem.substr(0, stem.find('-'));
  if (name.tile.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path.string(), ": the name does not name a tile"));
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

// The colours of a tile on a coarse grid, whatever the light: for each channel
// its mean taken off, its deviation made 1.
cv::Mat Print(const cv::Mat& picture) {
  constexpr int kGrid = 32, kRim = 2;  // the rim shows what lies beside the tile
  cv::Mat small;
  cv::resize(picture, small, {kGrid, kGrid}, 0, 0, cv::INTER_AREA);
  small = small(cv::Rect(kRim, kRim, kGrid - 2 * kRim, kGrid - 2 * kRim)).clone();
  small.convertTo(small, CV_32FC3);
  cv::Scalar mean, deviation;
  cv::meanStdDev(small, mean, deviation);
  for (int i = 0; i < 3; ++i) deviation[i] = 1 / (deviation[i] + 4);
  cv::subtract(small, mean, small);
  cv::multiply(small, deviation, small);
  return small;
}

// Mean difference of two prints, in deviations, at the best of small shifts.
double Difference(const cv::Mat& a, const cv::Mat& b) {
  constexpr int kShift = 1;  // pixels of the prints: as far as outlines are off
  const int side = a.cols - 2 * kShift;
  const cv::Mat middle = a(cv::Rect(kShift, kShift, side, side));
  double least = 1e9;
  for (int y = 0; y <= 2 * kShift; ++y) {
    for (int x = 0; x <= 2 * kShift; ++x) {
      least = std::min(least, cv::norm(middle, b(cv::Rect(x, y, side, side)), cv::NORM_L1));
    }
  }
  return least / (3.0 * side * side);
}

}  // namespace

void KeepVariants(ReferencePack* pack) {
  // In deviations. More takes copies with other houses for one, less keeps every copy twice.
  constexpr double kSamePrint = 0.25;
  std::vector<ReferencePicture> kept;
  for (ReferencePicture& picture : pack->pictures) {
    const cv::Mat print = Print(picture.picture);
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const ReferencePicture& other) {
      if (other.tile != picture.tile) return false;
      for (int turns = 0; turns < 4; ++turns) {
        if (Difference(Print(other.picture), Turned(print, turns)) < kSamePrint) return true;
      }
      return false;
    });
    if (!known) kept.push_back(std::move(picture));
  }
  pack->pictures = std::move(kept);
}

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

  // How much sides may differ, and how far the next tile may lie, from middle to middle, in sides.
  constexpr double kWithin = 0.12, kReach = 1.6;
  std::vector<LaidTile> best;
  double best_support = 0;
  std::size_t nearest = 0;
  for (const Quad& quad : quads) {
    if (quad.support < 0.8) break;  // sorted by support
    std::vector<LaidTile> tiles = LaidOut(
        quads, [side = SideOf(quad.corners_px)](cv::Point2f) { return side; }, kWithin, kReach);
    const auto off = [&](std::size_t n) {
      return n > types.size() ? n - types.size() : types.size() - n;
    };
    if (nearest == 0 || off(tiles.size()) < off(nearest)) nearest = tiles.size();
    if (tiles.size() != types.size()) continue;
    double support = 0;
    for (const LaidTile& tile : tiles) support += tile.support;
    if (support <= best_support) continue;
    tiles = InRows(tiles);
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
    const cv::Mat upright = CutOut(picture, best[i].corners_px);
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
    const int mode = picture->cols > ReferencePack::kSide_px ? cv::INTER_AREA : cv::INTER_CUBIC;
    cv::resize(*picture, cut, {ReferencePack::kSide_px, ReferencePack::kSide_px}, 0, 0, mode);
    pack.pictures.push_back({name->tile, Turned(cut, -name->turns)});
  }
  return pack;
}

}  // namespace tilewarden::calibration
