#include "tests/calibration/camera/rendered_looks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

constexpr double kRad = std::numbers::pi / 180;
constexpr double kPaperRim_mm = 12;
constexpr double kSampleBlur_px = 0.45;

Sheet OnPaper(const std::vector<cv::Rect2d>& ink, const cv::Rect2d& paper_mm) {
  Sheet sheet;
  sheet.corner_mm = paper_mm.tl();
  sheet.picture = cv::Mat(cvRound(paper_mm.height * Sheet::kPx_per_mm),
                          cvRound(paper_mm.width * Sheet::kPx_per_mm), CV_8U, cv::Scalar(240));
  for (const cv::Rect2d& area : ink) {
    const cv::Point2d from = (area.tl() - paper_mm.tl()) * Sheet::kPx_per_mm;
    const cv::Point2d to = (area.br() - paper_mm.tl()) * Sheet::kPx_per_mm;
    sheet
        .picture(cv::Rect(cv::Point(cvRound(from.x), cvRound(from.y)),
                          cv::Point(cvRound(to.x), cvRound(to.y))))
        .setTo(14);
  }
  return sheet;
}

float ToLinear(double value) { return static_cast<float>(std::pow(value / 255, 2.2)); }

cv::Vec3d MiddleOf(const Sheet& sheet) {
  const cv::Point2d half = {sheet.picture.cols / 2.0 / Sheet::kPx_per_mm,
                            sheet.picture.rows / 2.0 / Sheet::kPx_per_mm};
  const cv::Point2d middle = sheet.corner_mm + half;
  return sheet.r * cv::Vec3d(middle.x, middle.y, 0) + sheet.t;
}

// The turn that tilts one side of a board away.
cv::Matx33d TurnOf(Tilt tilt, double angle_rad) {
  const double c = std::cos(angle_rad), s = std::sin(angle_rad);
  switch (tilt) {
    case Tilt::kNone:
      break;
    case Tilt::kRight:
      return {c, 0, -s, 0, 1, 0, s, 0, c};
    case Tilt::kLeft:
      return {c, 0, s, 0, 1, 0, -s, 0, c};
    case Tilt::kBottom:
      return {1, 0, 0, 0, c, -s, 0, s, c};
    case Tilt::kTop:
      return {1, 0, 0, 0, c, s, 0, -s, c};
  }
  return cv::Matx33d::eye();
}

}  // namespace

cv::Mat LightOf(const Sheet& sheet, double focal_px) {
  cv::Mat light(sheet.picture.size(), CV_32F), table(1, 256, CV_32F);
  for (int i = 0; i < 256; ++i) table.at<float>(i) = ToLinear(i);
  cv::LUT(sheet.picture, table, light);
  const double px_per_mm = focal_px / MiddleOf(sheet)[2];
  cv::GaussianBlur(light, light, {}, kSampleBlur_px * Sheet::kPx_per_mm / px_per_mm);
  return light;
}

Sheet BoardSheet(const BoardLayout& board) {
  const cv::Size2d size = board.size_mm();
  return OnPaper(BoardInk(board), {-kPaperRim_mm, -kPaperRim_mm, size.width + 2 * kPaperRim_mm,
                                   size.height + 2 * kPaperRim_mm});
}

Lens SomeLens(std::uint64_t seed, cv::Size size_px) {
  cv::RNG rng(seed * 7919 + 3);
  rng.next();
  Lens lens;
  lens.size_px = size_px;
  lens.focal_px = size_px.width / 2.0 / std::tan(rng.uniform(54.0, 78.0) * kRad / 2);
  lens.cx = (size_px.width - 1) / 2.0 + rng.gaussian(0.01 * size_px.width);
  lens.cy = (size_px.height - 1) / 2.0 + rng.gaussian(0.01 * size_px.width);
  lens.distortion = {rng.uniform(-0.09, 0.02), rng.uniform(-0.01, 0.01), 0, 0, 0};
  return lens;
}

Photographer::Photographer(const Lens& lens) : lens_(lens) {
  const int columns = lens.size_px.width * kSamples, rows = lens.size_px.height * kSamples;
  rays_.create(rows, columns, CV_32FC2);
  const auto& d = lens.distortion;
  cv::parallel_for_(cv::Range(0, rows), [&](const cv::Range& range) {
    for (int v = range.start; v < range.end; ++v) {
      for (int u = 0; u < columns; ++u) {
        const double xd = ((u + 0.5) / kSamples - 0.5 - lens.cx) / lens.focal_px;
        const double yd = ((v + 0.5) / kSamples - 0.5 - lens.cy) / lens.focal_px;
        double x = xd, y = yd;
        for (int i = 0; i < 8; ++i) {
          const double r2 = x * x + y * y, radial = 1 + r2 * (d[0] + r2 * (d[1] + r2 * d[4]));
          const double dx = 2 * d[2] * x * y + d[3] * (r2 + 2 * x * x);
          const double dy = d[2] * (r2 + 2 * y * y) + 2 * d[3] * x * y;
          x = (xd - dx) / radial;
          y = (yd - dy) / radial;
        }
        rays_.at<cv::Vec2f>(v, u) = {static_cast<float>(x), static_cast<float>(y)};
      }
    }
  });
}

cv::Mat Photographer::Take(const std::vector<Sheet>& sheets, const Sensor& sensor,
                           std::uint64_t seed) const {
  cv::RNG rng(seed * 104729 + 17);
  rng.next();
  cv::Mat light(rays_.size(), CV_32F, cv::Scalar(ToLinear(120)));
  for (const Sheet& sheet : sheets) {
    // From a ray (x, y, 1) to the paper's picture.
    cv::Matx33d ray_from_paper = sheet.r;
    for (int i = 0; i < 3; ++i) ray_from_paper(i, 2) = sheet.t[i];
    constexpr double kScale = Sheet::kPx_per_mm;
    const cv::Matx33d px_from_paper(kScale, 0, -sheet.corner_mm.x * kScale - 0.5, 0, kScale,
                                    -sheet.corner_mm.y * kScale - 0.5, 0, 0, 1);
    const cv::Matx33f h = px_from_paper * ray_from_paper.inv();
    cv::Mat map(rays_.size(), CV_32FC2), seen;
    cv::parallel_for_(cv::Range(0, map.rows), [&](const cv::Range& range) {
      for (int v = range.start; v < range.end; ++v) {
        for (int u = 0; u < map.cols; ++u) {
          const cv::Vec2f ray = rays_.at<cv::Vec2f>(v, u);
          const cv::Vec3f p = h * cv::Vec3f(ray[0], ray[1], 1);
          map.at<cv::Vec2f>(v, u) = {p[0] / p[2], p[1] / p[2]};
        }
      }
    });
    const cv::Mat paper = LightOf(sheet, lens_.focal_px);
    cv::remap(paper, light, map, {}, cv::INTER_LINEAR, cv::BORDER_TRANSPARENT);
  }
  cv::Mat pixels, noise(lens_.size_px, CV_32FC3);
  cv::resize(light, pixels, lens_.size_px, 0, 0, cv::INTER_AREA);
  if (sensor.blur_px > 0) cv::GaussianBlur(pixels, pixels, {}, sensor.blur_px);
  rng.fill(noise, cv::RNG::NORMAL, 0, sensor.noise);
  // Light falls from one side.
  const double slope_x = rng.uniform(-0.15, 0.15), slope_y = rng.uniform(-0.15, 0.15);
  cv::Mat picture(lens_.size_px, CV_8UC3);
  for (int y = 0; y < picture.rows; ++y) {
    for (int x = 0; x < picture.cols; ++x) {
      const double u = 2.0 * x / picture.cols - 1, v = 2.0 * y / picture.rows - 1;
      const double gain =
          (1 + slope_x * u + slope_y * v) * (1 - sensor.vignette * (u * u + v * v) / 2);
      const double tone =
          255 * std::pow(std::min(1.0, pixels.at<float>(y, x) * gain * sensor.light), 1 / 2.2);
      for (int c = 0; c < 3; ++c) {
        picture.at<cv::Vec3b>(y, x)[c] =
            cv::saturate_cast<uchar>(tone + static_cast<double>(noise.at<cv::Vec3f>(y, x)[c]));
      }
    }
  }
  return picture;
}

Sheet HeldBoard(Sheet sheet, const BoardLayout& board, const LensGuide::Wish& wish,
                const Lens& lens, cv::RNG* rng) {
  const cv::Size size = lens.size_px;
  // Parts of it may lie outside of the picture.
  const double height_px = rng->uniform(0.55, 0.85) * size.height;
  const bool lying = rng->uniform(0, 2) == 0;
  const double angle = (lying ? 90 : 0) * kRad + rng->gaussian(6 * kRad);
  const double tilt = wish.tilt == Tilt::kNone ? 0 : rng->uniform(24.0, 42.0) * kRad;
  const double distance =
      lens.focal_px * (lying ? board.size_mm().width : board.size_mm().height) / height_px;
  const double u = (wish.place % 3 + 0.5) / 3.0 + rng->gaussian(0.03);
  const double v = (wish.place / 3 + 0.5) / 3.0 + rng->gaussian(0.03);
  const cv::Vec3d middle = {distance * (u * size.width - lens.cx) / lens.focal_px,
                            distance * (v * size.height - lens.cy) / lens.focal_px, distance};
  const cv::Matx33d roll(std::cos(angle), -std::sin(angle), 0, std::sin(angle), std::cos(angle), 0,
                         0, 0, 1);
  cv::Matx33d shake;
  cv::Rodrigues(cv::Vec3d(rng->gaussian(3 * kRad), rng->gaussian(3 * kRad), 0), shake);
  sheet.r = shake * TurnOf(wish.tilt, tilt) * roll;
  sheet.t = middle - sheet.r * cv::Vec3d(board.size_mm().width / 2, board.size_mm().height / 2, 0);
  return sheet;
}

Session TakeLooks(const Lens& lens, const BoardLayout& board, const Sensor& sensor,
                  std::uint64_t seed, int most) {
  const Photographer photographer(lens);
  return TakeLooksWith(
      [&](const std::vector<Sheet>& sheets, std::uint64_t picture) {
        return photographer.Take(sheets, sensor, picture);
      },
      lens, board, seed, most);
}

Session TakeLooksWith(const TakePicture& take, const Lens& lens, const BoardLayout& board,
                      std::uint64_t seed, int most) {
  const Sheet sheet = BoardSheet(board);
  cv::RNG rng(seed * 31337 + 7);
  rng.next();
  Session session;
  while (session.pictures < most && session.guide.Progress() < 1) {
    const Sheet held = HeldBoard(sheet, board, session.guide.Next(), lens, &rng);
    const cv::Mat picture =
        take({held}, seed * 1000 + static_cast<std::uint64_t>(session.pictures));
    ++session.pictures;
    const auto look = FindBoard(picture, board);
    if (look.ok()) session.guide.Add(*look).IgnoreError();
  }
  return session;
}

}  // namespace tilewarden::calibration
