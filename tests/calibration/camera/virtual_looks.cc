#include "tests/calibration/camera/virtual_looks.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "opencv2/imgproc.hpp"
#include "tests/virtual_table/picture/mesh.h"
#include "tests/virtual_table/scene/setting.h"

namespace tilewarden::calibration {
namespace {

namespace vt = virtual_table;

// Papers lie this far above the table top, so that both are not in one plane.
constexpr double kAbove_mm = 0.5;

vt::Scene SceneOf(const Lens& lens, const cv::Matx33d& r, const cv::Vec3d& t) {
  vt::Scene scene;
  scene.camera.size_px = lens.size_px;
  scene.camera.f_px = lens.focal_px;
  scene.camera.cx = lens.cx;
  scene.camera.cy = lens.cy;
  scene.camera.k1 = lens.distortion[0];
  scene.camera.k2 = lens.distortion[1];
  // The world's y goes away from a person, and its z up.
  scene.camera.r = r * cv::Matx33d(1, 0, 0, 0, -1, 0, 0, 0, -1);
  scene.camera.t = t - scene.camera.r * cv::Vec3d(0, 0, kAbove_mm);
  cv::RNG rng(7);
  scene.lights = vt::EvenLight(&rng);
  return scene;
}

}  // namespace

VirtualTable::VirtualTable(const Lens& lens, const cv::Matx33d& r, const cv::Vec3d& t)
    : scene_(SceneOf(lens, r, t)), renderer_(scene_, nullptr) {
  renderer_.Settle({}, {}, {});
}

vt::Shape VirtualTable::InWorld(const Sheet& sheet) const {
  const cv::Size2d size_mm(sheet.picture.cols / Sheet::kPx_per_mm,
                           sheet.picture.rows / Sheet::kPx_per_mm);
  cv::Mat tone, colour;
  cv::pow(LightOf(sheet, scene_.camera.f_px), 1 / 2.2, tone);
  tone.convertTo(tone, CV_8U, 255);
  cv::cvtColor(tone, colour, cv::COLOR_GRAY2BGR);
  vt::Shape shape =
      vt::MakeSheet({{0, 0, 0}, 0}, size_mm, std::make_shared<const vt::Texture>(colour));
  const cv::Vec3d middle(sheet.corner_mm.x + size_mm.width / 2,
                         sheet.corner_mm.y + size_mm.height / 2, 0);
  float top = 0;
  for (const vt::Mesh& mesh : shape.meshes) {
    for (const vt::Vertex& vertex : mesh.vertices) top = std::max(top, vertex.at[2]);
  }
  const cv::Matx33d world_from_camera = scene_.camera.r.t();
  for (vt::Mesh& mesh : shape.meshes) {
    mesh.receiver = vt::Receiver::kNone;
    for (vt::Vertex& vertex : mesh.vertices) {
      const auto& [x, y, z] = vertex.at.val;
      const cv::Vec3d in_camera =
          sheet.r * (middle + cv::Vec3d(x, -y, top - z)) + sheet.t - scene_.camera.t;
      vertex.at = world_from_camera * in_camera;
      const auto& [nx, ny, nz] = vertex.normal.val;
      vertex.normal = world_from_camera * sheet.r * cv::Vec3d(nx, -ny, -nz);
    }
  }
  shape.casters.clear();
  return shape;
}

cv::Mat VirtualTable::Take(const std::vector<Sheet>& sheets, std::uint64_t seed) {
  vt::Shape all;
  for (const Sheet& sheet : sheets) all.Add(InWorld(sheet));
  return renderer_.Frame(all, seed);
}

}  // namespace tilewarden::calibration
