#include "vision/show/annotate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kBits = 4;  // of a pixel, for lines between pixels

const cv::Scalar kSure(80, 230, 120), kUnsure(40, 190, 255), kRefused(70, 70, 240);

cv::Point Fine(const Point& p) {
  return {cvRound(p.x * (1 << kBits)), cvRound(p.y * (1 << kBits))};
}

cv::Scalar ColourOf(const SightedFigure& figure) {
  static const std::map<std::string, cv::Scalar> kColours = {
      {"red", {40, 40, 220}},     {"blue", {210, 90, 30}},    {"green", {60, 150, 40}},
      {"yellow", {40, 210, 250}}, {"black", {25, 25, 25}},    {"grey", {150, 150, 150}},
      {"pink", {190, 120, 250}},  {"orange", {20, 140, 250}}, {"white", {245, 245, 245}},
      {"brown", {40, 70, 110}},   {"purple", {160, 60, 130}}};
  const auto colour =
      figure.colours.empty() ? kColours.end() : kColours.find(figure.colours.front().colour);
  return colour == kColours.end() ? cv::Scalar(255, 255, 255) : colour->second;
}

void WriteCentred(cv::Mat& canvas, const std::string& text, const Point& at, double height_px) {
  const double scale = std::max(0.35, height_px / 24.0);
  const int thick = std::max(1, cvRound(scale * 1.6));
  int baseline = 0;
  const cv::Size size = cv::getTextSize(text, cv::FONT_HERSHEY_SIMPLEX, scale, thick, &baseline);
  const cv::Point origin(cvRound(at.x - size.width / 2.0), cvRound(at.y + size.height / 2.0));
  cv::putText(canvas, text, origin, cv::FONT_HERSHEY_SIMPLEX, scale, cv::Scalar(20, 20, 20),
              thick + 2 + thick, cv::LINE_AA);
  cv::putText(canvas, text, origin, cv::FONT_HERSHEY_SIMPLEX, scale, cv::Scalar(255, 255, 255),
              thick, cv::LINE_AA);
}

}  // namespace

cv::Mat Annotate(const cv::Mat& picture, const Sighting& sighting, const TileLabel& label) {
  // The table steps back, so that what was read stands out.
  cv::Mat canvas = picture * 0.55;
  std::vector<std::vector<cv::Point>> faces;
  double side = 0;
  for (const SightedTile& tile : sighting.tiles) {
    const auto& c = tile.corners_px;
    faces.emplace_back();
    for (const Point& p : c) faces.back().emplace_back(cvRound(p.x), cvRound(p.y));
    side +=
        std::hypot(c[1].x - c[0].x, c[1].y - c[0].y) / static_cast<double>(sighting.tiles.size());
  }
  cv::Mat mask = cv::Mat::zeros(picture.size(), CV_8U);
  cv::fillPoly(mask, faces, 255);
  picture.copyTo(canvas, mask);

  const int line = std::max(1, cvRound(side / 45));
  for (const SightedTile& tile : sighting.tiles) {
    const std::string text = label(tile);
    const double probability = tile.candidates.empty() ? 0 : tile.candidates.front().probability;
    const cv::Scalar colour = text.empty() ? kRefused : probability > 0.9 ? kSure : kUnsure;
    Point middle;
    std::array<cv::Point, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      middle.x += tile.corners_px[i].x / 4;
      middle.y += tile.corners_px[i].y / 4;
    }
    // A little inside, so that neighbours' outlines lie side by side.
    for (std::size_t i = 0; i < 4; ++i) {
      const Point& p = tile.corners_px[i];
      corners[i] = Fine({middle.x + 0.95 * (p.x - middle.x), middle.y + 0.95 * (p.y - middle.y)});
    }
    const cv::Point* points = corners.data();
    const int count = 4;
    cv::polylines(canvas, &points, &count, 1, true, colour, line, cv::LINE_AA, kBits);
    WriteCentred(canvas, text.empty() ? "?" : text, middle, side / 5);
  }
  for (const SightedFigure& figure : sighting.figures) {
    const int radius = std::max(3, cvRound(side / 11));
    const cv::Point at(cvRound(figure.foot_px.x), cvRound(figure.foot_px.y));
    cv::circle(canvas, at, radius + 2, cv::Scalar(255, 255, 255), cv::FILLED, cv::LINE_AA);
    cv::circle(canvas, at, radius, ColourOf(figure), cv::FILLED, cv::LINE_AA);
    if (figure.standing_probability >= 0.5) {
      cv::circle(canvas, at, std::max(1, radius / 3), cv::Scalar(255, 255, 255), cv::FILLED,
                 cv::LINE_AA);
    }
  }
  return canvas;
}

void MarkEdges(const std::array<Point, 4>& corners_px, const std::array<char, 4>& edges,
               cv::Mat& canvas) {
  static const std::map<char, cv::Scalar> kColours = {
      {'c', {40, 80, 190}}, {'r', {245, 245, 245}}, {'f', {70, 190, 90}}, {'s', {230, 150, 40}}};
  Point middle;
  for (const Point& p : corners_px) middle.x += p.x / 4, middle.y += p.y / 4;
  for (std::size_t i = 0; i < 4; ++i) {
    const Point &a = corners_px[i], &b = corners_px[(i + 1) % 4];
    // Well inside, clear of the outline.
    constexpr double kOut = 0.8;
    const Point at = {middle.x + kOut * ((a.x + b.x) / 2 - middle.x),
                      middle.y + kOut * ((a.y + b.y) / 2 - middle.y)};
    const int radius = std::max(2, cvRound(std::hypot(b.x - a.x, b.y - a.y) / 20));
    cv::circle(canvas, Fine(at), (radius + 1) << kBits, cv::Scalar(20, 20, 20), cv::FILLED,
               cv::LINE_AA, kBits);
    cv::circle(canvas, Fine(at), (radius - 1) << kBits, kColours.at(edges[i]), cv::FILLED,
               cv::LINE_AA, kBits);
  }
}

}  // namespace tilewarden::vision
