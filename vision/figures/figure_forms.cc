#include "vision/figures/figure_forms.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr double kTile_mm = 45;    // of the editions that are sold
constexpr int kStandingTurns = 8;  // over half a circle: front and back are alike
constexpr int kLyingTurns = 16;

using Face = std::vector<cv::Point2d>;

// Both halves of a front: x from its middle, y up from the feet, in millimetres. right: upwards
// from where the legs meet to the top, whose x are 0.
Face BothHalves(Face right) {
  for (std::size_t i = right.size() - 1; i-- > 1;) right.push_back({-right[i].x, right[i].y});
  return right;
}

struct Wood {
  Face front;
  double height_mm, thickness_mm;
};

// Sizes are those of tests/virtual_table/scene/wooden_figures.h; these fronts are drawn anew.
Wood WoodOf(FigureForm form) {
  static const Face follower = BothHalves({{0, 4},
                                           {1.8, 0},
                                           {6.6, 0},
                                           {6.6, 1.2},
                                           {4, 6.2},
                                           {7.6, 7.2},
                                           {8, 8.4},
                                           {7.4, 9.8},
                                           {2.9, 11.2},
                                           {3.1, 13.6},
                                           {2, 15.4},
                                           {0, 16}});
  // A prophet is as large.
  static const Face large = [] {
    Face larger = follower;
    for (cv::Point2d& p : larger) p = {p.x * 18.5 / 16, p.y * 19.3 / 16};
    return larger;
  }();
  static const Face abbot = BothHalves({{0, 0},
                                        {6.8, 0.2},
                                        {6.5, 4},
                                        {7.7, 5.4},
                                        {7.4, 7},
                                        {5, 10.6},
                                        {2.8, 12},
                                        {3.6, 14.6},
                                        {3.2, 16.2},
                                        {0, 19}});
  static const Face gingerbread = BothHalves({{0, 4.2},
                                              {2, 2.4},
                                              {3, 0.2},
                                              {6.4, 0.2},
                                              {7.4, 2},
                                              {5.5, 9.8},
                                              {9, 10.2},
                                              {10.2, 12.4},
                                              {9, 14.6},
                                              {3.6, 15.6},
                                              {4.8, 19},
                                              {3.2, 22.8},
                                              {0, 23.8}});
  static const Face ark = BothHalves({{0, 1.4},
                                      {6.6, 1.4},
                                      {7, 0},
                                      {8.9, 0},
                                      {9, 7},
                                      {12.6, 7.2},
                                      {12.6, 8.6},
                                      {9, 8.8},
                                      {9, 12},
                                      {7.4, 13},
                                      {5.4, 18.8},
                                      {3.4, 19.6},
                                      {0, 14}});
  static const std::map<FigureForm, Wood> kWood = {
      {FigureForm::kFollower, {follower, 16, 9.5}},
      {FigureForm::kAbbot, {abbot, 19, 9.5}},
      {FigureForm::kProphet, {large, 19.3, 9.8}},
      {FigureForm::kLargeFollower, {large, 19.3, 9.8}},
      {FigureForm::kGingerbreadMan, {gingerbread, 23.8, 8}},
      {FigureForm::kWoodenArk, {ark, 19.6, 10}},
  };
  return kWood.at(form);
}

// A face and the same face moved straight away from it. Upright: it stands along the turn, and is
// moved across; else it lies, and is moved upwards.
struct Prism {
  Face face_mm;
  bool upright;
  double from_mm, to_mm;
};

Face Rectangle(double width, double depth) {
  return {{-width / 2, -depth / 2},
          {width / 2, -depth / 2},
          {width / 2, depth / 2},
          {-width / 2, depth / 2}};
}

std::vector<Prism> PrismsOf(FigureForm form, bool standing) {
  if (form == FigureForm::kArkCard) {
    return {{Rectangle(26, 15), false, 0, 6},
            {{{-12, 3}, {12, 3}, {12, 34}, {-12, 34}}, true, -1, 1}};
  }
  Wood wood = WoodOf(form);
  if (standing) return {{wood.front, true, -wood.thickness_mm / 2, wood.thickness_mm / 2}};
  for (cv::Point2d& p : wood.front) p.y -= wood.height_mm / 2;
  return {{wood.front, false, 0, wood.thickness_mm}};
}

// Both faces of a prism on the table as the camera sees them, in tiles.
struct Body {
  Face near_face, far_face;
};

Body Project(const CameraPose& pose, cv::Point2d foot, const Prism& prism, double yaw) {
  const cv::Point2d along(std::cos(yaw), std::sin(yaw)), across(-std::sin(yaw), std::cos(yaw));
  const double from = prism.from_mm / kTile_mm, to = prism.to_mm / kTile_mm;
  Body body;
  for (const cv::Point2d& p : prism.face_mm) {
    const cv::Point2d q = p * (1 / kTile_mm);
    if (prism.upright) {
      body.near_face.push_back(pose.OnTable(foot + along * q.x + across * to, q.y));
      body.far_face.push_back(pose.OnTable(foot + along * q.x + across * from, q.y));
    } else {
      const cv::Point2d flat = foot + along * q.x + across * q.y;
      body.near_face.push_back(pose.OnTable(flat, from));
      body.far_face.push_back(pose.OnTable(flat, to));
    }
  }
  return body;
}

FigureOutline Draw(const std::vector<Body>& bodies, cv::Point2d foot, bool standing, int side_px) {
  cv::Point2d low = foot, high = foot;
  for (const Body& body : bodies) {
    for (const Face* face : {&body.near_face, &body.far_face}) {
      for (const cv::Point2d& p : *face) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
      }
    }
  }
  const cv::Size size(static_cast<int>((high.x - low.x) * side_px) + 3,
                      static_cast<int>((high.y - low.y) * side_px) + 3);
  // Drawn finer and reduced: filling takes the pixels on the rim whole.
  constexpr int kFiner = 3, kShift = 4;
  cv::Mat fine = cv::Mat::zeros(size * kFiner, CV_8U), top;
  if (!standing) top = cv::Mat::zeros(fine.size(), CV_8U);
  const auto place = [&](cv::Point2d p) {
    const cv::Point2d px =
        ((p - low) * side_px + cv::Point2d(1.5, 1.5)) * kFiner - cv::Point2d(0.5, 0.5);
    return cv::Point(cvRound(px.x * (1 << kShift)), cvRound(px.y * (1 << kShift)));
  };
  for (const Body& body : bodies) {
    const std::size_t n = body.near_face.size();
    std::vector<cv::Point> near_px, far_px;
    for (std::size_t i = 0; i < n; ++i) {
      near_px.push_back(place(body.near_face[i]));
      far_px.push_back(place(body.far_face[i]));
    }
    cv::fillPoly(fine, std::vector<std::vector<cv::Point>>{near_px}, 255, cv::LINE_8, kShift);
    cv::fillPoly(fine, std::vector<std::vector<cv::Point>>{far_px}, 255, cv::LINE_8, kShift);
    if (!standing) {
      cv::fillPoly(top, std::vector<std::vector<cv::Point>>{far_px}, 255, cv::LINE_8, kShift);
    }
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (i + 1) % n;
      const std::array<cv::Point, 4> wall = {near_px[i], near_px[j], far_px[j], far_px[i]};
      cv::fillConvexPoly(fine, wall.data(), 4, 255, cv::LINE_8, kShift);
    }
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

FigureOutline OutlineOf(const std::vector<Prism>& prisms, const CameraPose& pose, cv::Point2d foot,
                        int side_px, const FigureTurn& turn) {
  std::vector<Body> bodies;
  for (const Prism& prism : prisms) bodies.push_back(Project(pose, foot, prism, turn.yaw_rad));
  FigureOutline outline = Draw(bodies, foot, turn.standing, side_px);
  outline.turn = turn;
  return outline;
}

}  // namespace

std::vector<FigureTurn> EveryTurn(FigureForm form) {
  std::vector<FigureTurn> turns;
  for (int i = 0; i < kStandingTurns; ++i) turns.push_back({true, CV_PI * i / kStandingTurns});
  if (!FactsOf(KindOf(form)).lies) return turns;
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

std::vector<FigureOutline> Outlines(FigureForm form, const CameraPose& pose, cv::Point2d foot,
                                    int side_px, const std::vector<FigureTurn>& turns) {
  std::vector<FigureOutline> outlines(turns.size());
  const std::array<std::vector<Prism>, 2> prisms = {PrismsOf(form, false), PrismsOf(form, true)};
  cv::parallel_for_(cv::Range(0, static_cast<int>(turns.size())), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      outlines[k] = OutlineOf(prisms[turns[k].standing ? 1 : 0], pose, foot, side_px, turns[k]);
    }
  });
  return outlines;
}

}  // namespace tilewarden::vision
