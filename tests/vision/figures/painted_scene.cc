#include "tests/vision/figures/painted_scene.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/figures/figure_forms.h"
#include "vision/picture/camera_pose.h"

namespace tilewarden::vision {
namespace {

constexpr int kTilePx = 80;

// Outer corners of a tile's picture.
const std::array<cv::Point2f, 4> kWhole = {
    {{-0.5F, -0.5F}, {127.5F, -0.5F}, {127.5F, 127.5F}, {-0.5F, 127.5F}}};

// A meadow with a road across it, and its neighbours.
cv::Mat Meadow() {
  cv::Mat tile(128, 128, CV_8UC3, cv::Scalar(85, 175, 60));
  cv::line(tile, {-5, 64}, {133, 64}, {225, 235, 235}, 14);
  return tile;
}

std::vector<NamedTile>::iterator TileAt(Scene& scene, LatticeCell cell) {
  return std::find_if(scene.tiles.begin(), scene.tiles.end(),
                      [&](const NamedTile& tile) { return tile.cell == cell; });
}

}  // namespace

Scene MakeScene(double brightness) {
  Scene scene;
  const double tilt = 0.45, focal = 960, distance = 14;
  const cv::Matx33d rotation(1, 0, 0, 0, std::cos(tilt), -std::sin(tilt), 0, std::sin(tilt),
                             std::cos(tilt));
  // Lattice z points into the table, away from the camera.
  const cv::Vec3d centre = rotation.t() * cv::Vec3d(0, 0, -distance) + cv::Vec3d(1.5, 1, 0);
  const cv::Vec3d t = -(rotation * centre);
  const cv::Matx33d plane(rotation(0, 0), rotation(0, 1), t[0], rotation(1, 0), rotation(1, 1),
                          t[1], rotation(2, 0), rotation(2, 1), t[2]);
  const cv::Matx33d camera(focal, 0, 639.5, 0, focal, 359.5, 0, 0, 1);
  scene.plane.px_from_lattice = camera * plane;
  scene.plane.tile_px = kTilePx;
  scene.frame = cv::Mat(720, 1280, CV_8UC3, cv::Scalar::all(120 * brightness));
  for (int i = 0; i < 6; ++i) {
    NamedTile tile;
    tile.cell = {i % 3, i / 3};
    tile.tile = "meadow";
    tile.probability = 1;
    tile.expected = Meadow();
    std::vector<cv::Point2f> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}}, corners;
    for (cv::Point2f& p : square) {
      p += cv::Point2f(static_cast<float>(tile.cell.x), static_cast<float>(tile.cell.y));
    }
    cv::perspectiveTransform(square, corners, scene.plane.px_from_lattice);
    std::copy(corners.begin(), corners.end(), tile.corners_px.begin());
    cv::Mat lit;
    tile.expected.convertTo(lit, CV_8U, brightness);
    cv::warpPerspective(lit, scene.frame, cv::getPerspectiveTransform(kWhole, tile.corners_px),
                        scene.frame.size(), cv::INTER_LINEAR, cv::BORDER_TRANSPARENT);
    scene.tiles.push_back(tile);
  }
  return scene;
}

// What lies shows one bright face and darker sides; what stands shows its head, its
// arms below that, and its front.
void Place(Scene& scene, cv::Point2d foot, bool standing, const cv::Scalar& colour) {
  const CameraPose pose = EstimateCameraPose(scene.plane.px_from_lattice, scene.frame.size());
  constexpr int kFine = 100;
  constexpr double kYaw = 0.3;
  const FigureOutline outline =
      Outlines(FigureForm::kFollower, pose, foot, kFine, {{standing, kYaw}}).front();
  const cv::Point2d along(std::cos(kYaw), std::sin(kYaw));
  const cv::Vec3d paint(colour[0], colour[1], colour[2]);
  cv::Mat figure = cv::Mat::zeros(outline.mask.size(), CV_8UC3);
  for (int y = 0; y < figure.rows; ++y) {
    for (int x = 0; x < figure.cols; ++x) {
      const cv::Point2d off = cv::Point2d(x, y) - cv::Point2d(outline.foot_px);
      const double aside = std::abs(off.dot(along)) / kFine;
      double light = 0.7;
      if (standing) light = aside < 0.07 ? 1 : (off.y < -0.1 * kFine ? 0.8 : 0.55);
      if (!standing && outline.top.at<uchar>(y, x)) light = 1;
      figure.at<cv::Vec3b>(y, x) = paint * light;
    }
  }
  const double fine = 1.0 / kFine;
  const cv::Matx33d lattice_from_figure(fine, 0, foot.x - outline.foot_px.x * fine, 0, fine,
                                        foot.y - outline.foot_px.y * fine, 0, 0, 1);
  const cv::Matx33d px_from_figure = scene.plane.px_from_lattice * lattice_from_figure;
  cv::Mat seen, mask;
  cv::warpPerspective(figure, seen, px_from_figure, scene.frame.size());
  cv::warpPerspective(outline.mask * 255, mask, px_from_figure, scene.frame.size());
  seen.copyTo(scene.frame, mask > 127);
}

Scene Copy(const Scene& scene) {
  Scene copy = scene;
  copy.frame = scene.frame.clone();
  return copy;
}

void PrintWhatIsSeen(Scene& scene, LatticeCell cell) {
  const auto tile = TileAt(scene, cell);
  cv::warpPerspective(scene.frame, tile->expected,
                      cv::getPerspectiveTransform(tile->corners_px, kWhole), tile->expected.size());
}

void TakeAway(Scene& scene, LatticeCell cell) {
  const auto tile = TileAt(scene, cell);
  std::vector<cv::Point> outline(tile->corners_px.begin(), tile->corners_px.end());
  cv::fillConvexPoly(scene.frame, outline, cv::Scalar::all(120));
  scene.tiles.erase(tile);
}

}  // namespace tilewarden::vision
