#include "calibration/camera/camera_check.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_format.h"
#include "calibration/camera/sharpness.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// Above this a channel no longer shows a colour.
constexpr int kBurnt = 250;
// Smaller spots, on a varnished figure for one, hide nothing; share of the picture.
constexpr double kPatch = 2e-4;

// Limits: a tile 60 pixels wide is what reading was measured to need (README.md);
// the others are set so that pictures of the virtual table's hard level pass.
constexpr int kFewestLines = 720;
constexpr double kSlowest_per_s = 5, kDark = 90, kSoft_px = 1.8, kGlare = 0.004, kNoisy = 8,
                 kFlickers = 0.06, kSmallTile_px = 60;

double Percentile(std::vector<float>* values, double share) {
  if (values->empty()) return 0;
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values->size() - 1));
  std::nth_element(values->begin(), values->begin() + static_cast<std::ptrdiff_t>(at),
                   values->end());
  return (*values)[at];
}

cv::Mat GlareMask(const cv::Mat& picture) {
  cv::Mat burnt, labels, stats, centres;
  cv::inRange(picture, cv::Scalar::all(kBurnt), cv::Scalar::all(255), burnt);
  const int count = cv::connectedComponentsWithStats(burnt, labels, stats, centres);
  const double fewest = kPatch * static_cast<double>(picture.total());
  for (int i = 1; i < count; ++i) {
    if (stats.at<int>(i, cv::CC_STAT_AREA) < fewest) burnt.setTo(0, labels == i);
  }
  return burnt;
}

std::vector<cv::Mat> Small(const std::vector<cv::Mat>& frames) {
  std::vector<cv::Mat> small;
  for (const cv::Mat& frame : frames) {
    cv::Mat grey, halved;
    cv::cvtColor(frame, grey, cv::COLOR_BGR2GRAY);
    cv::resize(grey, halved, {320, 180}, 0, 0, cv::INTER_AREA);
    halved.convertTo(halved, CV_32F);
    small.push_back(halved);
  }
  return small;
}

// Of one frame against the one before: what a still pixel changes by. The median
// does not see a hand that moves.
double Noise(const cv::Mat& before, const cv::Mat& now) {
  cv::Mat change;
  cv::absdiff(before, now, change);
  std::vector<float> changes;
  const cv::Mat plane = change.reshape(1);
  for (int y = 0; y < plane.rows; y += 3) {
    for (int x = 0; x < plane.cols; x += 5) changes.push_back(plane.at<uchar>(y, x));
  }
  // Whole numbers make a coarse median: the mean of the calmer 80 of 100.
  std::sort(changes.begin(), changes.end());
  const std::size_t calm = changes.size() * 8 / 10;
  double sum = 0;
  for (std::size_t i = 0; i < calm; ++i) sum += changes[i];
  // That mean is 0.57 standard deviations of a difference, which is two noises.
  return sum / static_cast<double>(std::max<std::size_t>(1, calm)) / 0.57 / std::sqrt(2.0);
}

// By how much each row became lighter or darker: the median along it does not
// see a hand.
double Flicker(const std::vector<cv::Mat>& small) {
  std::vector<float> swings;
  for (std::size_t i = 1; i < small.size(); ++i) {
    for (int y = 0; y < small[i].rows; ++y) {
      std::vector<float> ratios;
      for (int x = 0; x < small[i].cols; x += 4) {
        ratios.push_back((small[i].at<float>(y, x) + 4) / (small[i - 1].at<float>(y, x) + 4));
      }
      swings.push_back(std::abs(static_cast<float>(Percentile(&ratios, 0.5)) - 1));
    }
  }
  return Percentile(&swings, 0.9);
}

}  // namespace

CameraCheck MeasureFrames(const std::vector<cv::Mat>& frames) {
  CameraCheck check;
  const cv::Mat& newest = frames.back();
  check.size_px = newest.size();
  const std::vector<cv::Mat> small = Small(frames);
  std::vector<float> light(small.back().begin<float>(), small.back().end<float>());
  check.light = Percentile(&light, 0.95);
  check.edge_spread_px = EdgeSpread_px(newest);
  check.glare = cv::countNonZero(GlareMask(newest)) / static_cast<double>(newest.total());
  if (frames.size() > 1) {
    std::vector<float> noises;
    for (std::size_t i = 1; i < frames.size(); ++i) {
      noises.push_back(static_cast<float>(Noise(frames[i - 1], frames[i])));
    }
    check.flicker = Flicker(small);
    // Where the light itself changes, noise cannot be measured.
    if (*check.flicker <= kFlickers) check.noise = Percentile(&noises, 0.5);
  }
  return check;
}

std::vector<CameraFinding> Judge(const CameraCheck& check) {
  std::vector<CameraFinding> findings;
  const auto add = [&findings](CameraTrait of, bool good, const std::string& what,
                               const std::string& advice) {
    findings.push_back({of, good, what, good ? "" : advice});
  };
  add(CameraTrait::kResolution, check.size_px.height >= kFewestLines,
      absl::StrFormat("resolution: %dx%d", check.size_px.width, check.size_px.height),
      "set the camera to 1920x1080 or more");
  if (check.frames_per_s) {
    add(CameraTrait::kFrameRate, *check.frames_per_s >= kSlowest_per_s,
        absl::StrFormat("frame rate: %.1f a second", *check.frames_per_s),
        "give the camera more light or a faster connection");
  }
  const bool dark = check.light < kDark;
  add(CameraTrait::kLight, !dark,
      absl::StrFormat("light: bright parts are %.0f of 255", check.light),
      "the picture is dark: switch on a lamp above the table, or set a longer exposure");
  if (check.edge_spread_px) {
    add(CameraTrait::kSharpness, *check.edge_spread_px <= kSoft_px,
        absl::StrFormat("sharpness: edges are spread over %.1f px", *check.edge_spread_px),
        "the picture is blurred: focus on the table, clean the lens, fix the camera so that it "
        "does not shake");
  } else if (!dark) {
    add(CameraTrait::kSharpness, false, "sharpness: no clear edges",
        "lay some tiles on the table, and focus on them");
  }
  add(CameraTrait::kGlare, check.glare <= kGlare,
      absl::StrFormat("glare: %.1f %% is burnt out", 100 * check.glare),
      "a light is reflected or the exposure is too long: move the lamp to the side or turn it to "
      "the "
      "ceiling, or shorten the exposure");
  if (check.noise) {
    add(CameraTrait::kNoise, *check.noise <= kNoisy,
        absl::StrFormat("noise: %.1f of 255", *check.noise),
        "give more light, so that the camera needs less gain");
  }
  if (check.flicker) {
    add(CameraTrait::kFlicker, *check.flicker <= kFlickers,
        absl::StrFormat("flicker: %.1f %% from frame to frame", 100 * *check.flicker),
        "lock the exposure, set the camera's mains frequency (50 or 60 Hz), or use another lamp");
  }
  if (check.tile_px) {
    add(CameraTrait::kTiles, *check.tile_px >= kSmallTile_px,
        absl::StrFormat("tiles: %.0f px wide", *check.tile_px),
        absl::StrFormat("bring the camera nearer, or set a higher resolution: at least %.0f px",
                        kSmallTile_px));
  } else {
    add(CameraTrait::kTiles, false, "tiles: none found",
        "lay a few tiles in the middle of the table, face up");
  }
  return findings;
}

cv::Mat DrawCheck(const cv::Mat& picture, const std::vector<CameraFinding>& findings) {
  cv::Mat drawn = picture.clone();
  std::vector<std::vector<cv::Point>> outlines;
  cv::findContours(GlareMask(picture), outlines, cv::RETR_EXTERNAL, cv::CHAIN_APPROX_SIMPLE);
  cv::drawContours(drawn, outlines, -1, {40, 40, 230}, std::max(2, picture.cols / 500),
                   cv::LINE_AA);
  const double size = picture.cols / 1600.0;
  int y = cvRound(40 * size);
  for (const CameraFinding& finding : findings) {
    const cv::Point at = {cvRound(20 * size), y};
    const cv::Scalar colour = finding.good ? cv::Scalar(90, 220, 90) : cv::Scalar(70, 90, 255);
    cv::putText(drawn, finding.what, at, cv::FONT_HERSHEY_SIMPLEX, size, {0, 0, 0},
                std::max(2, cvRound(5 * size)), cv::LINE_AA);
    cv::putText(drawn, finding.what, at, cv::FONT_HERSHEY_SIMPLEX, size, colour,
                std::max(1, cvRound(2 * size)), cv::LINE_AA);
    y += cvRound(38 * size);
  }
  return drawn;
}

}  // namespace tilewarden::calibration
