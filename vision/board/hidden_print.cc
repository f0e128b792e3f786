#include "vision/board/hidden_print.h"

#include <algorithm>
#include <string>

#include "opencv2/imgproc.hpp"
#include "vision/picture/in_parallel.h"

namespace tilewarden::vision {
namespace {

constexpr int kSide_px = 32;
// Prints differ where a channel does by more levels: less is light.
constexpr double kDiffers = 40;
// A coat of arms is 2 to 6 % of a tile. What differs in more is another picture.
constexpr double kMostTelling = 0.12, kLeastTelling = 0.005;
// So much of what tells them apart must be hidden: what is seen of a coat of arms tells it.
constexpr double kHidden = 0.93;
// Then the first one is at most so much likelier than the others together: the rest of the picture
// says a little, and the box which copies are left.
constexpr double kMostOfFirst = 0.75;

cv::Mat Small(const cv::Mat& picture) {
  cv::Mat small;
  cv::resize(picture, small, {kSide_px, kSide_px}, 0, 0, cv::INTER_AREA);
  cv::blur(small, small, {3, 3});
  return small;
}

cv::Mat WhereTheyDiffer(const cv::Mat& a, const cv::Mat& b) {
  cv::Mat difference;
  cv::absdiff(a, b, difference);
  cv::Mat most = difference.reshape(1, difference.rows * difference.cols), by_pixel;
  cv::reduce(most, by_pixel, 1, cv::REDUCE_MAX);
  cv::Mat differs = by_pixel.reshape(1, difference.rows) > kDiffers;
  // Edges that lie a little off leave thin lines.
  cv::morphologyEx(differs, differs, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_RECT, {3, 3}));
  return differs;
}

}  // namespace

const std::vector<HiddenPrint::Twin>& HiddenPrint::TwinsOf(int reference) {
  const auto [known, is_new] = twins_.try_emplace(reference);
  if (!is_new) return known->second;
  const auto& references = matcher_.references();
  const auto& mine = references[static_cast<std::size_t>(reference)];
  if (small_.empty()) {
    small_.resize(references.size());
    InParallel(small_.size(), [&](std::size_t i) { small_[i] = Small(references[i].expected); });
  }
  // Of several copies of a type the one that is most alike.
  std::map<std::pair<std::string, int>, cv::Mat> least;
  for (std::size_t i = 0; i < references.size(); ++i) {
    const TileMatcher::Reference& other = references[i];
    if (other.tile == mine.tile) continue;
    cv::Mat telling = WhereTheyDiffer(small_[static_cast<std::size_t>(reference)], small_[i]);
    const auto [best, added] = least.try_emplace({other.tile, other.rotation}, telling);
    if (!added && cv::countNonZero(telling) < cv::countNonZero(best->second)) {
      best->second = telling;
    }
  }
  for (auto& [name, telling] : least) {
    const double share = cv::countNonZero(telling) / static_cast<double>(kSide_px * kSide_px);
    if (share < kLeastTelling || share > kMostTelling) continue;
    known->second.push_back({name.first, name.second, telling});
  }
  return known->second;
}

void HiddenPrint::Weigh(int reference, const cv::Mat& covered, std::vector<TileCandidate>& names) {
  if (names.empty() || cv::countNonZero(covered) == 0) return;
  cv::Mat hides;
  cv::resize(covered, hides, {kSide_px, kSide_px}, 0, 0, cv::INTER_NEAREST);
  std::vector<std::size_t> alike = {0};
  double shared = names.front().probability;
  for (const Twin& twin : TwinsOf(reference)) {
    const int telling = cv::countNonZero(twin.telling);
    if (cv::countNonZero(twin.telling & hides) < kHidden * telling) continue;
    const auto listed = std::find_if(names.begin(), names.end(), [&](const TileCandidate& name) {
      return name.tile == twin.tile && name.rotation == twin.rotation;
    });
    const auto at = static_cast<std::size_t>(listed - names.begin());
    if (at == names.size()) names.push_back({twin.tile, twin.rotation, 0});
    shared += names[at].probability;
    alike.push_back(at);
  }
  if (alike.size() == 1) return;
  const double least = (1 - kMostOfFirst) * shared / static_cast<double>(alike.size() - 1);
  names.front().probability = shared;
  for (std::size_t k = 1; k < alike.size(); ++k) {
    double& other = names[alike[k]].probability;
    other = std::max(other, least);
    names.front().probability -= other;
  }
  std::stable_sort(names.begin(), names.end(), [](const TileCandidate& a, const TileCandidate& b) {
    return a.probability > b.probability;
  });
}

}  // namespace tilewarden::vision
