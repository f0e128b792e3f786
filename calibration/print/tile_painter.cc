#include "calibration/print/tile_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "calibration/print/paint_brushes.h"
#include "calibration/print/paint_buildings.h"
#include "calibration/print/paint_marks.h"
#include "calibration/print/paint_meadow.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

constexpr int kSide = Canvas::kSide;
constexpr Paint kGrassDark = {104, 142, 56}, kGrassLight = {158, 188, 84};
constexpr Paint kOchreDark = {184, 132, 76}, kOchreLight = {222, 178, 116};
constexpr Paint kRoadDark = {206, 192, 164}, kRoadLight = {242, 234, 214};
constexpr Paint kWaterDark = {66, 118, 158}, kWaterLight = {112, 166, 196};

// Paints one tile; its steps share the canvas and what is taken.
class Painter {
 public:
  Painter(const TileDescription& tile, std::uint64_t seed)
      : tile_(tile), canvas_(seed), taken_(cv::Mat::zeros(kSide, kSide, CV_8U)) {}

  cv::Mat Run() {
    canvas_.Wash({}, kGrassDark, kGrassLight, 3, 2600);
    for (const auto& s : tile_.segments) {
      if (s.ground == Ground::kRiver) PaintRiver(s);
    }
    for (const auto& s : tile_.segments) {
      if (s.ground == Ground::kRoad) PrepareRoad(s);
    }
    PaintRoads();
    for (const auto& s : tile_.segments) {
      if (s.ground == Ground::kCity) PrepareCity(s);
      for (const auto& area : s.areas) {
        if (s.ground == Ground::kGarden) taken_ |= PaintGarden(area, &canvas_);
      }
      if (s.ground == Ground::kMonastery || s.ground == Ground::kTemple) ReservePlot(s);
    }
    ReserveVillages();
    for (const auto& [mark, at] : tile_.marks) Take(at, RadiusOf(mark));
    PaintMeadow();
    for (const auto& city : cities_) PaintCity(city);
    PaintRoadEnds();
    for (const auto& s : tile_.segments) {
      for (const auto& area : s.areas) {
        if (s.ground == Ground::kMonastery) PaintMonastery(area, &canvas_);
        if (s.ground == Ground::kTemple) PaintTemple(area, &canvas_);
      }
    }
    for (const auto& s : tile_.segments) {
      for (const auto& at : s.coats_of_arms) canvas_.Shield(at, 0.15);
    }
    for (const auto& [mark, at] : tile_.marks) PaintMark(mark, at, &canvas_);
    Finish();
    return canvas_.picture;
  }

 private:
  struct City {
    Walls walls;
    const PaintedSegment* segment;
  };

  bool Free(cv::Point2d at, double radius) const {
    if (at.x < radius || at.y < radius || at.x > 1 - radius || at.y > 1 - radius) return false;
    cv::Mat disc = canvas_.DiscMask(at, radius);
    const cv::Rect around = Around(at, radius);
    return cv::countNonZero(disc(around) & taken_(around)) == 0;
  }
  void Take(cv::Point2d at, double radius) { taken_ |= canvas_.DiscMask(at, radius); }
  static cv::Rect Around(cv::Point2d at, double radius) {
    const int r = cvRound(radius * kSide) + 1;
    return cv::Rect(cvRound(at.x * kSide) - r, cvRound(at.y * kSide) - r, 2 * r, 2 * r) &
           cv::Rect(0, 0, kSide, kSide);
  }

  void PaintRiver(const PaintedSegment& river) {
    std::vector<Outline> lines;
    for (const auto& path : river.paths) lines.push_back(Waved(path, 0.02, 0.014, &canvas_));
    const auto with_end = [&](double width, double radius) {
      cv::Mat mask = canvas_.LineMask(lines, width);
      if (!lines.empty() && river.end == PathEnd::kLake) {
        mask |= canvas_.DiscMask(lines[0].back(), radius);
      }
      return mask;
    };
    const double w = tile_.river_width;
    canvas_.Glaze(with_end(w * 1.12, 0.25), {74, 92, 46}, 0.8, 0.006);
    const cv::Mat water = with_end(w * 0.92, 0.22);
    canvas_.Wash(water, kWaterDark, kWaterLight, 5, 1500);
    for (const auto& line : lines) {  // ripples along the stream
      for (std::size_t i = 2; i + 3 < line.size(); i += 3) {
        const cv::Point2d shift = NormalAt(line, i) * canvas_.Uniform(-0.3 * w, 0.3 * w);
        canvas_.Line({line[i] + shift, line[i + 1] + shift, line[i + 2] + shift}, 0.004,
                     {176, 208, 222});
      }
    }
    if (!lines.empty() && river.end == PathEnd::kSource) canvas_.Stones(lines[0].back(), 0.05);
    taken_ |= with_end(w * 1.2, 0.25);
    river_ |= water;
  }

  void PrepareRoad(const PaintedSegment& road) {
    for (const auto& path : road.paths) {
      roads_.push_back(Waved(path, 0.02, 0.013, &canvas_));
      if (road.end == PathEnd::kNone || road.paths.size() > 1) continue;
      ends_.push_back({roads_.back(), road.end});
    }
  }

  void PaintRoads() {
    if (roads_.empty()) return;
    const double w = tile_.road_width;
    const cv::Mat verge = canvas_.LineMask(roads_, w * 1.25);
    canvas_.Glaze(verge, {112, 112, 56}, 0.75, 0.006);
    for (const auto& road : roads_) canvas_.Line(road, w * 0.98, {128, 106, 78});
    const cv::Mat gravel = canvas_.LineMask(roads_, w * 0.8);
    cv::Mat bridge;
    if (!river_.empty()) bridge = verge & river_;
    canvas_.Wash(gravel, kRoadDark, kRoadLight, 8, 900);
    for (const auto& road : roads_) {  // wheel ruts
      for (const double side : {-0.17, 0.17}) {
        for (std::size_t i = 0; i + 1 < road.size(); ++i) {
          if (canvas_.Chance(0.4)) continue;
          canvas_.Line({road[i] + NormalAt(road, i) * side * w,
                        road[i + 1] + NormalAt(road, i + 1) * side * w},
                       0.003, {196, 180, 150});
        }
      }
    }
    if (!bridge.empty() && cv::countNonZero(bridge) > 0) {
      for (const auto& road : roads_) {
        for (std::size_t i = 0; i < road.size(); ++i) {
          const cv::Point p = road[i] * static_cast<double>(kSide);
          if (!cv::Rect(0, 0, kSide, kSide).contains(p) || !river_.at<uchar>(p)) continue;
          const cv::Point2d n = NormalAt(road, i) * (0.56 * w);
          canvas_.Line({road[i] - n, road[i] + n}, 0.004, {126, 96, 66});
          canvas_.Disc(road[i] - n, 0.012, {120, 88, 58});
          canvas_.Disc(road[i] + n, 0.012, {120, 88, 58});
        }
      }
    }
    taken_ |= verge;
  }

  void PrepareCity(const PaintedSegment& city) {
    for (const auto& area : city.areas) {
      cities_.push_back({WavedWalls(area, &canvas_), &city});
      cv::Mat grown;
      cv::dilate(canvas_.Mask(cities_.back().walls.outline), grown,
                 cv::getStructuringElement(cv::MORPH_ELLIPSE, {25, 25}));
      taken_ |= grown;
    }
  }

  void ReservePlot(const PaintedSegment& plot) {
    for (const auto& area : plot.areas) taken_ |= canvas_.Mask(area);
  }

  void ReserveVillages() {
    for (const auto& [road, end] : ends_) {
      if (end == PathEnd::kVillage || end == PathEnd::kInside) Take(road.back(), 0.13);
    }
  }

  // Bushes, trees, tufts and a rare farm where nothing else lies.
  void PaintMeadow() {
    struct Growing {
      cv::Point2d at;
      double size;
      Plant plant;
    };
    std::vector<Growing> plants;
    const auto grow = [&](Plant plant, int count, double low, double high, double room) {
      for (int tries = 0; count > 0 && tries < 60; ++tries) {
        const cv::Point2d at = {canvas_.Uniform(0.03, 0.97), canvas_.Uniform(0.03, 0.97)};
        const double size = canvas_.Uniform(low, high);
        if (!Free(at, size * room)) continue;
        Take(at, size * room);
        plants.push_back({at, size, plant});
        --count;
      }
    };
    if (canvas_.Chance(0.3)) grow(Plant::kFarm, 1, 0.085, 0.1, 1.1);
    if (canvas_.Chance(0.25)) grow(Plant::kPloughed, 1, 0.08, 0.11, 1.2);
    grow(Plant::kBush, 1 + canvas_.Pick(3), 0.028, 0.04, 1.6);
    grow(Plant::kTree, canvas_.Pick(4), 0.026, 0.036, 1.9);
    grow(Plant::kStones, canvas_.Pick(2), 0.018, 0.024, 1.6);
    grow(Plant::kFlowers, 1 + canvas_.Pick(3), 0.02, 0.035, 1.3);
    grow(Plant::kTuft, 14 + canvas_.Pick(8), 0.016, 0.026, 1.2);
    std::sort(plants.begin(), plants.end(),
              [](const Growing& a, const Growing& b) { return a.at.y < b.at.y; });
    for (const auto& p : plants) PaintPlant(p.plant, p.at, p.size, &canvas_);
  }

  void PaintCity(const City& city) {
    const cv::Mat inside = canvas_.Mask(city.walls.outline);
    // The wall's shadow on the field, then the ground within.
    for (const auto& run : city.walls.runs) {
      Outline shade = run;
      for (auto& p : shade) p += cv::Point2d{0.014, 0.018};
      canvas_.Glaze(canvas_.LineMask({shade}, 0.06), {38, 48, 20}, 0.55, 0.012);
    }
    canvas_.Wash(inside, kOchreDark, kOchreLight, 4, 1800);

    cv::Mat room = inside.clone();
    for (const auto& run : city.walls.runs) {
      room.setTo(0, canvas_.LineMask({run}, 2 * 0.045 + kWallWidth));
    }
    for (const auto& at : city.segment->coats_of_arms) {
      cv::circle(room, at * static_cast<double>(kSide), cvRound(0.105 * kSide), 0, cv::FILLED);
    }
    for (const auto& [mark, at] : tile_.marks) {
      cv::circle(room, at * static_cast<double>(kSide), cvRound((RadiusOf(mark) + 0.04) * kSide), 0,
                 cv::FILLED);
    }
    // In a large city now and then a church with its square.
    cv::Point2d church = {-1, -1};
    for (int tries = 0; tries < 40 && cv::countNonZero(room) > kSide * kSide / 4; ++tries) {
      const cv::Point2d at = {canvas_.Uniform(0.3, 0.7), canvas_.Uniform(0.3, 0.7)};
      if (!room.at<uchar>(at * static_cast<double>(kSide)) || !canvas_.Chance(0.1)) continue;
      church = at;
      cv::circle(room, at * static_cast<double>(kSide), cvRound(0.15 * kSide), 0, cv::FILLED);
      break;
    }
    std::vector<cv::Point2d> houses;
    for (int tries = 0; tries < 500; ++tries) {
      const cv::Point2d at = {canvas_.Uniform(0.045, 0.955), canvas_.Uniform(0.045, 0.94)};
      if (!room.at<uchar>(at * static_cast<double>(kSide))) continue;
      houses.push_back(at);
      cv::circle(room, at * static_cast<double>(kSide), cvRound(0.104 * kSide), 0, cv::FILLED);
    }
    std::sort(houses.begin(), houses.end(), [](auto a, auto b) { return a.y < b.y; });
    for (const auto& at : houses) {
      if (canvas_.Chance(0.12)) {
        canvas_.Bush(at, canvas_.Uniform(0.018, 0.026));
        continue;
      }
      const double angle = canvas_.Pick(2) * std::numbers::pi / 2 + canvas_.Uniform(-0.35, 0.35);
      canvas_.House(at, canvas_.Uniform(0.072, 0.098), canvas_.Uniform(0.052, 0.066), angle,
                    RoofPaint(&canvas_));
    }
    if (church.x > 0) {
      canvas_.Glaze(canvas_.DiscMask(church, 0.12), {232, 206, 160}, 0.6, 0.02);
      canvas_.House(church, 0.17, 0.085, canvas_.Uniform(-0.3, 0.3), {150, 96, 76});
      canvas_.Tower(church + cv::Point2d{-0.075, -0.03}, 0.036, {120, 92, 88});
    }
    for (const auto& run : city.walls.runs) PaintWall(run, city.walls.closed, &canvas_);
  }

  void PaintRoadEnds() {
    std::vector<cv::Point2d> villages;
    for (const auto& [road, end] : ends_) {
      const cv::Point2d at = road.back();
      if (end == PathEnd::kVillage) villages.push_back(at);
      if (end == PathEnd::kInside) canvas_.Bush(at, 0.04);
      if (end == PathEnd::kCity) PaintGate(road);
    }
    if (villages.empty()) return;
    cv::Point2d centre = {0, 0};
    for (const auto& p : villages) centre += p / static_cast<double>(villages.size());
    canvas_.Glaze(canvas_.DiscMask(centre, 0.115), {150, 126, 82}, 0.8, 0.02);
    // Houses between the roads, one in the middle so that every road ends.
    std::vector<cv::Point2d> houses = {centre};
    const double turn = canvas_.Uniform(0, 6.28);
    for (int i = 0; i < 24 && houses.size() < 6; ++i) {
      const double angle = turn + i * 2.4;
      const cv::Point2d at = centre + cv::Point2d{std::cos(angle), std::sin(angle)} * 0.115;
      bool clear = true;
      for (const auto& road : roads_) {
        for (const auto& p : road) clear &= cv::norm(p - at) > 0.072;
      }
      for (const auto& h : houses) clear &= cv::norm(h - at) > 0.085;
      for (const auto& city : cities_) {
        clear &= cv::pointPolygonTest(
                     std::vector<cv::Point2f>(city.walls.outline.begin(), city.walls.outline.end()),
                     at, true) < -0.06;
      }
      if (clear) houses.push_back(at);
    }
    std::sort(houses.begin(), houses.end(), [](auto a, auto b) { return a.y < b.y; });
    for (const auto& at : houses) {
      canvas_.House(at, canvas_.Uniform(0.08, 0.09), canvas_.Uniform(0.055, 0.065),
                    canvas_.Uniform(-0.5, 0.5), RoofPaint(&canvas_));
    }
  }

  // Where the road meets the wall: a dark arch between two towers.
  void PaintGate(const Outline& road) {
    for (std::size_t i = 1; i < road.size(); ++i) {
      for (const auto& city : cities_) {
        const std::vector<cv::Point2f> outline(city.walls.outline.begin(),
                                               city.walls.outline.end());
        if (cv::pointPolygonTest(outline, road[i], false) < 0) continue;
        const cv::Point2d at = road[i], along = road[i] - road[i - 1];
        const cv::Point2d u = along / std::max(1e-9, cv::norm(along)), v = {-u.y, u.x};
        const double w = tile_.road_width;
        canvas_.Fill({at - u * 0.035 - v * (0.5 * w), at + u * 0.03 - v * (0.5 * w),
                      at + u * 0.03 + v * (0.5 * w), at - u * 0.035 + v * (0.5 * w)},
                     {70, 50, 38});
        canvas_.Tower(at - v * (0.62 * w), 0.036, kTowerRoof);
        canvas_.Tower(at + v * (0.62 * w), 0.036, kTowerRoof);
        return;
      }
    }
  }

  // Uneven light, the grain of the card, and a little more contrast.
  void Finish() {
    const cv::Mat light = canvas_.Noise(2, 2), grain = canvas_.Noise(128, 2);
    for (int y = 0; y < kSide; ++y) {
      auto* out = canvas_.picture.ptr<cv::Vec3b>(y);
      for (int x = 0; x < kSide; ++x) {
        const double f =
            1 + 0.07 * (light.at<float>(y, x) - 0.5) + 0.09 * (grain.at<float>(y, x) - 0.5);
        for (int c = 0; c < 3; ++c) out[x][c] = cv::saturate_cast<uchar>(out[x][c] * f);
      }
    }
  }

  const TileDescription& tile_;
  Canvas canvas_;
  cv::Mat taken_;  // where no plant may grow
  cv::Mat river_ = cv::Mat::zeros(kSide, kSide, CV_8U);
  std::vector<Outline> roads_;
  std::vector<std::pair<Outline, PathEnd>> ends_;
  std::vector<City> cities_;
};

}  // namespace

cv::Mat PaintTile(const TileDescription& tile, const PaintOptions& options) {
  return OfSide(Painter(tile, options.seed).Run(), options.side_px);
}

}  // namespace tilewarden::calibration
