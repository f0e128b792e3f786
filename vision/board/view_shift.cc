#include "vision/board/view_shift.h"

#include <vector>

#include "opencv2/calib3d.hpp"
#include "opencv2/features2d.hpp"

namespace tilewarden::vision {
namespace {

// Of the board; twice as many are looked for in the whole picture. Time grows with the square.
constexpr int kMostPoints = 1500;
// Art repeats itself: points that agree by chance are few, and a small share.
constexpr int kFewestAgreeing = 25;
constexpr double kLeastShare = 0.25;
// Lenses bend lines by about so much.
constexpr double kAgree_px = 3;

}  // namespace

std::optional<cv::Matx33d> ShiftOfView(const cv::Mat& before, const cv::Mat& board,
                                       const cv::Mat& now) {
  const cv::Ptr<cv::ORB> finder = cv::ORB::create(kMostPoints);
  std::vector<cv::KeyPoint> points_before, points_now;
  cv::Mat looks_before, looks_now;
  finder->detectAndCompute(before, board, points_before, looks_before);
  // All over the picture: what lies beside the board takes its share of the points.
  finder->setMaxFeatures(2 * kMostPoints);
  finder->detectAndCompute(now, cv::noArray(), points_now, looks_now);
  if (looks_before.empty() || looks_now.empty()) return std::nullopt;
  std::vector<cv::DMatch> matches;
  cv::BFMatcher(cv::NORM_HAMMING, /*crossCheck=*/true).match(looks_before, looks_now, matches);
  if (static_cast<int>(matches.size()) < kFewestAgreeing) return std::nullopt;
  std::vector<cv::Point2f> from, to;
  for (const cv::DMatch& match : matches) {
    from.push_back(points_before[static_cast<std::size_t>(match.queryIdx)].pt);
    to.push_back(points_now[static_cast<std::size_t>(match.trainIdx)].pt);
  }
  cv::Mat agree;
  const cv::Mat shift = cv::findHomography(from, to, cv::RANSAC, kAgree_px, agree);
  const int agreeing = shift.empty() ? 0 : cv::countNonZero(agree);
  if (agreeing < kFewestAgreeing || agreeing < kLeastShare * static_cast<double>(matches.size())) {
    return std::nullopt;
  }
  return cv::Matx33d(shift);
}

}  // namespace tilewarden::vision
