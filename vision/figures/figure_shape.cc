#include "vision/figures/figure_shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tilewarden::vision {
namespace {

// Sums over parts of rows of a picture of evidence.
class RowSums {
 public:
  explicit RowSums(const cv::Mat& evidence)
      : sums_(cv::Mat::zeros(evidence.rows, evidence.cols + 1, CV_32S)) {
    for (int y = 0; y < evidence.rows; ++y) {
      const signed char* e = evidence.ptr<signed char>(y);
      int* sum = sums_.ptr<int>(y);
      for (int x = 0; x < evidence.cols; ++x) sum[x + 1] = sum[x] + e[x];
    }
  }

  // Beyond the picture nothing is known.
  int Of(int y, int first, int last) const {
    if (y < 0 || y >= sums_.rows) return 0;
    const int* sum = sums_.ptr<int>(y);
    return sum[std::clamp(last, 0, sums_.cols - 1)] - sum[std::clamp(first, 0, sums_.cols - 1)];
  }

 private:
  cv::Mat sums_;  // from the left up to a pixel
};

// The pixels of a mask, from the first one of a row up to the last one, which is not among them.
struct Run {
  int y, first, last;
};

std::vector<Run> RunsOf(const cv::Mat& mask) {
  std::vector<Run> runs;
  for (int y = 0; y < mask.rows; ++y) {
    const uchar* m = mask.ptr<uchar>(y);
    for (int x = 0; x < mask.cols; ++x) {
      if (!m[x]) continue;
      const int first = x;
      while (x < mask.cols && m[x]) ++x;
      runs.push_back({y, first, x});
    }
  }
  return runs;
}

int ScoreAt(const RowSums& sums, const std::vector<Run>& runs, int x, int y) {
  int score = 0;
  for (const Run& run : runs) score += sums.Of(y + run.y, x + run.first, x + run.last);
  return score;
}

struct PlacedMask {
  int score = 0;  // 0: nothing is gained anywhere
  cv::Point corner;
};

// Where an outline gathers most, roughly and then to the pixel.
PlacedMask BestPlace(const RowSums& sums, const cv::Mat& mask, cv::Point2f centre, int reach_px) {
  constexpr int kRough_px = 3;  // steps of the rough search; nine times fewer places
  const std::vector<Run> runs = RunsOf(mask);
  const cv::Point start(cvRound(centre.x - static_cast<float>(mask.cols) / 2),
                        cvRound(centre.y - static_cast<float>(mask.rows) / 2));
  PlacedMask best{0, start};
  const auto look = [&](int x, int y) {
    const int score = ScoreAt(sums, runs, x, y);
    if (score > best.score) best = {score, {x, y}};
  };
  for (int dy = -reach_px; dy <= reach_px; dy += kRough_px) {
    for (int dx = -reach_px; dx <= reach_px; dx += kRough_px) look(start.x + dx, start.y + dy);
  }
  const cv::Point rough = best.corner;
  for (int dy = 1 - kRough_px; dy < kRough_px; ++dy) {
    for (int dx = 1 - kRough_px; dx < kRough_px; ++dx) look(rough.x + dx, rough.y + dy);
  }
  return best;
}

}  // namespace

OutlineFit FitOutline(const cv::Mat& evidence, const std::vector<FigureOutline>& outlines,
                      cv::Point2f centre, int reach_px) {
  const RowSums sums(evidence);
  std::vector<PlacedMask> best(outlines.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(outlines.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      best[k] = BestPlace(sums, outlines[k].mask, centre, reach_px);
    }
  });
  OutlineFit fit;
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const bool standing = outlines[i].turn.standing;
    double& by_pose = standing ? fit.standing_score : fit.lying_score;
    if (best[i].score > by_pose) {
      by_pose = best[i].score;
      (standing ? fit.standing : fit.lying) = static_cast<int>(i);
      (standing ? fit.standing_corner : fit.lying_corner) = best[i].corner;
    }
    if (best[i].score > fit.score) {
      fit.score = best[i].score;
      fit.outline = static_cast<int>(i);
      fit.corner = best[i].corner;
    }
  }
  return fit;
}

double Unevenness(const cv::Mat& picture, const cv::Mat& top, cv::Point corner) {
  std::vector<double> bright;
  for (int y = 0; y < top.rows; ++y) {
    for (int x = 0; x < top.cols; ++x) {
      const cv::Point p(corner.x + x, corner.y + y);
      if (!top.at<uchar>(y, x) || !cv::Rect({}, picture.size()).contains(p)) continue;
      const cv::Vec3b& c = picture.at<cv::Vec3b>(p);
      bright.push_back(c[0] + c[1] + c[2]);
    }
  }
  if (bright.empty()) return 0;
  std::sort(bright.begin(), bright.end());
  const std::size_t n = bright.size();
  constexpr double kNoise = 30;  // black would divide by it
  return (bright[n * 85 / 100] - bright[n * 15 / 100]) / (bright[n / 2] + kNoise);
}

double Wander(const cv::Mat& evidence, const FigureOutline& outline, cv::Point corner,
              double per_nat) {
  constexpr int kReach_px = 5;  // 3.5 mm; time grows with its square
  const RowSums sums(evidence);
  const std::vector<Run> runs = RunsOf(outline.mask);
  const double best = ScoreAt(sums, runs, corner.x, corner.y);
  double sum = 0, squares = 0;
  for (int dy = -kReach_px; dy <= kReach_px; ++dy) {
    for (int dx = -kReach_px; dx <= kReach_px; ++dx) {
      const double score = ScoreAt(sums, runs, corner.x + dx, corner.y + dy);
      const double weight = std::exp((score - best) / per_nat);
      sum += weight;
      squares += weight * (dx * dx + dy * dy) / 2;
    }
  }
  return std::sqrt(squares / sum);
}

}  // namespace tilewarden::vision
