#include "vision/figure_shape.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr double kTile_mm = 45;
constexpr double kThickness_mm = 9.5;
constexpr double kBodyMiddle_mm = 8;
constexpr int kStandingTurns = 8;  // over half a circle: front and back are alike
constexpr int kLyingTurns = 16;

// Front of a follower: x from its middle, y up from its feet, in millimetres.
const std::array<cv::Point2d, 22> kFront = {
    {{-6.6, 0}, {-1.8, 0},   {0, 4},     {1.8, 0},     {6.6, 0},     {6.6, 1.2},
     {4, 6.2},  {7.6, 7.2},  {8, 8.4},   {7.4, 9.8},   {2.9, 11.2},  {3.1, 13.6},
     {2, 15.4}, {0, 16},     {-2, 15.4}, {-3.1, 13.6}, {-2.9, 11.2}, {-7.4, 9.8},
     {-8, 8.4}, {-7.6, 7.2}, {-4, 6.2},  {-6.6, 1.2}}};

// Both faces of the body on the table as the camera sees them, in tiles.
struct Body {
  std::vector<cv::Point2d> near_face, far_face;
};

Body Project(const CameraPose& pose, cv::Point2d foot, bool standing, double yaw) {
  const cv::Point2d along(std::cos(yaw), std::sin(yaw)), across(-std::sin(yaw), std::cos(yaw));
  Body body;
  for (const cv::Point2d& p : kFront) {
    const cv::Point2d q = p * (1 / kTile_mm);
    const double half = kThickness_mm / 2 / kTile_mm;
    if (standing) {
      body.near_face.push_back(pose.OnTable(foot + along * q.x + across * half, q.y));
      body.far_face.push_back(pose.OnTable(foot + along * q.x - across * half, q.y));
    } else {
      const cv::Point2d flat = foot + along * q.x + across * (q.y - kBodyMiddle_mm / kTile_mm);
      body.near_face.push_back(pose.OnTable(flat, 0));
      body.far_face.push_back(pose.OnTable(flat, 2 * half));
    }
  }
  return body;
}

FigureOutline Draw(const Body& body, cv::Point2d foot, bool standing, int side_px) {
  cv::Point2d low = foot, high = foot;
  for (const auto* face : {&body.near_face, &body.far_face}) {
    for (const cv::Point2d& p : *face) {
      low = {std::min(low.x, p.x), std::min(low.y, p.y)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
  }
  const cv::Size size(static_cast<int>((high.x - low.x) * side_px) + 3,
                      static_cast<int>((high.y - low.y) * side_px) + 3);
  // Drawn finer and reduced: filling takes the pixels on the rim whole.
  constexpr int kFiner = 3, kShift = 4;
  cv::Mat fine = cv::Mat::zeros(size * kFiner, CV_8U);
  const auto place = [&](cv::Point2d p) {
    const cv::Point2d px =
        ((p - low) * side_px + cv::Point2d(1.5, 1.5)) * kFiner - cv::Point2d(0.5, 0.5);
    return cv::Point(cvRound(px.x * (1 << kShift)), cvRound(px.y * (1 << kShift)));
  };
  const std::size_t n = body.near_face.size();
  std::vector<cv::Point> near_px, far_px;
  for (std::size_t i = 0; i < n; ++i) {
    near_px.push_back(place(body.near_face[i]));
    far_px.push_back(place(body.far_face[i]));
  }
  cv::fillPoly(fine, std::vector<std::vector<cv::Point>>{near_px}, 255, cv::LINE_8, kShift);
  cv::fillPoly(fine, std::vector<std::vector<cv::Point>>{far_px}, 255, cv::LINE_8, kShift);
  cv::Mat top;
  if (!standing) {
    top = cv::Mat::zeros(fine.size(), CV_8U);
    cv::fillPoly(top, std::vector<std::vector<cv::Point>>{far_px}, 255, cv::LINE_8, kShift);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t j = (i + 1) % n;
    const std::array<cv::Point, 4> wall = {near_px[i], near_px[j], far_px[j], far_px[i]};
    cv::fillConvexPoly(fine, wall.data(), 4, 255, cv::LINE_8, kShift);
  }
  FigureOutline outline;
  cv::resize(fine, outline.mask, size, 0, 0, cv::INTER_AREA);
  cv::threshold(outline.mask, outline.mask, 140, 1, cv::THRESH_BINARY);
  if (!standing) {
    cv::resize(top, outline.top, size, 0, 0, cv::INTER_AREA);
    // Its inner pixels only.
    cv::threshold(outline.top, outline.top, 250, 1, cv::THRESH_BINARY);
  }
  outline.foot_px = (foot - low) * side_px + cv::Point2d(1, 1);
  outline.area = cv::countNonZero(outline.mask);
  return outline;
}

int ScoreAt(const cv::Mat& evidence, const cv::Mat& mask, int x0, int y0) {
  const int first_x = std::max(0, -x0), last_x = std::min(mask.cols, evidence.cols - x0);
  const int first_y = std::max(0, -y0), last_y = std::min(mask.rows, evidence.rows - y0);
  int score = 0;
  for (int y = first_y; y < last_y; ++y) {
    const signed char* e = evidence.ptr<signed char>(y0 + y) + x0;
    const unsigned char* m = mask.ptr<unsigned char>(y);
    for (int x = first_x; x < last_x; ++x) score += m[x] * e[x];
  }
  return score;
}

struct Place {
  int score = 0;  // 0: nothing is gained anywhere
  cv::Point corner;
};

// Where an outline gathers most, roughly and then to the pixel.
Place BestPlace(const cv::Mat& evidence, const cv::Mat& mask, cv::Point2f centre, int reach_px) {
  constexpr int kRough_px = 3;
  const cv::Point start(cvRound(centre.x - static_cast<float>(mask.cols) / 2),
                        cvRound(centre.y - static_cast<float>(mask.rows) / 2));
  Place best{0, start};
  const auto look = [&](int x, int y) {
    const int score = ScoreAt(evidence, mask, x, y);
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

std::vector<FigureTurn> EveryTurn() {
  std::vector<FigureTurn> turns;
  for (int i = 0; i < kStandingTurns; ++i) turns.push_back({true, CV_PI * i / kStandingTurns});
  for (int i = 0; i < kLyingTurns; ++i) turns.push_back({false, 2 * CV_PI * i / kLyingTurns});
  return turns;
}

std::vector<FigureTurn> TurnsNear(const FigureTurn& turn) {
  // What lies has arms, legs and a head to match: it needs finer turns.
  constexpr double kHalfStep = CV_PI / kStandingTurns / 2;
  std::vector<FigureTurn> turns;
  for (const double steps : {0.0, -1.0, 1.0, -0.5, 0.5}) {
    if (turn.standing && std::abs(steps) == 0.5) continue;
    turns.push_back({turn.standing, turn.yaw_rad + steps * kHalfStep});
  }
  return turns;
}

std::vector<FigureOutline> FollowerOutlines(const CameraPose& pose, cv::Point2d foot, int side_px,
                                            const std::vector<FigureTurn>& turns) {
  std::vector<FigureOutline> outlines(turns.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(turns.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const Body body = Project(pose, foot, turns[k].standing, turns[k].yaw_rad);
      outlines[k] = Draw(body, foot, turns[k].standing, side_px);
      outlines[k].turn = turns[k];
    }
  });
  return outlines;
}

OutlineFit FitOutline(const cv::Mat& evidence, const std::vector<FigureOutline>& outlines,
                      cv::Point2f centre, int reach_px) {
  std::vector<Place> best(outlines.size());
  cv::parallel_for_(cv::Range(0, static_cast<int>(outlines.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      best[k] = BestPlace(evidence, outlines[k].mask, centre, reach_px);
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
  constexpr int kReach_px = 5;
  const double best = ScoreAt(evidence, outline.mask, corner.x, corner.y);
  double sum = 0, squares = 0;
  for (int dy = -kReach_px; dy <= kReach_px; ++dy) {
    for (int dx = -kReach_px; dx <= kReach_px; ++dx) {
      const double score = ScoreAt(evidence, outline.mask, corner.x + dx, corner.y + dy);
      const double weight = std::exp((score - best) / per_nat);
      sum += weight;
      squares += weight * (dx * dx + dy * dy) / 2;
    }
  }
  return std::sqrt(squares / sum);
}

}  // namespace tilewarden::vision
