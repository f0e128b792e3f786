#include "vision/track/score_track_finder.h"

#include <cmath>
#include <cstddef>
#include <set>
#include <vector>

#include "calibration/print/score_track.h"
#include "opencv2/aruco.hpp"
#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

using calibration::ScoreTrack;

// A corner of a mark is off by less than this share of the mark's side, on paper that
// is a little wavy and through lenses that bend lines; the corners of two sheets are
// off by far more.
constexpr double kFlat = 0.1;
constexpr int kFewestMarks = 2;

}  // namespace

std::optional<cv::Matx33d> FindScoreTrack(const cv::Mat& picture, cv::Rect within) {
  const cv::Rect whole({}, picture.size());
  within = within.empty() ? whole : within & whole;
  if (within.empty()) return std::nullopt;
  cv::Mat grey;
  cv::cvtColor(picture(within), grey, cv::COLOR_BGR2GRAY);
  const auto parameters = cv::aruco::DetectorParameters::create();
  parameters->cornerRefinementMethod = cv::aruco::CORNER_REFINE_SUBPIX;
  std::vector<std::vector<cv::Point2f>> markers;
  std::vector<int> ids;
  cv::aruco::detectMarkers(grey, calibration::MarkerDictionary(), markers, ids, parameters);
  std::vector<cv::Point2f> on_track, in_picture;
  std::set<int> marks;
  double side_px = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const int mark = ids[i] - ScoreTrack::kFirstMarker;
    if (mark < 0 || mark >= ScoreTrack::kMarks) continue;
    if (!marks.insert(mark).second) return std::nullopt;  // two sheets
    const std::vector<cv::Point2f> corners = calibration::Mark_mm(mark);
    on_track.insert(on_track.end(), corners.begin(), corners.end());
    for (const cv::Point2f& corner : markers[i]) {
      in_picture.push_back(corner + cv::Point2f(within.tl()));
    }
    side_px += cv::arcLength(markers[i], true) / 4;
  }
  if (marks.size() < kFewestMarks) return std::nullopt;
  side_px /= static_cast<double>(marks.size());
  const cv::Mat fitted = cv::findHomography(on_track, in_picture);
  if (fitted.empty()) return std::nullopt;
  std::vector<cv::Point2f> expected;
  cv::perspectiveTransform(on_track, expected, fitted);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (cv::norm(expected[i] - in_picture[i]) > kFlat * side_px) return std::nullopt;
  }
  return cv::Matx33d(fitted);
}

}  // namespace tilewarden::vision
