#include "tests/virtual_table/picture/renderer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "opencv2/core/utility.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::virtual_table {
namespace {

constexpr int kSamples = 2;
constexpr double kMovingMapScale = 0.8;  // pixels per mm of a hand's shadow
constexpr double kMovingPlane_mm = 1.5;  // between table and card tops

}  // namespace

cv::Rect2d AreaInView(const TableCamera& camera) {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (int i = 0; i <= 16; ++i) {
    const double u = (camera.size_px.width - 1) * i / 16.0;
    const double v = (camera.size_px.height - 1) * i / 16.0;
    for (const cv::Point2d px : {cv::Point2d{u, 0},
                                 {u, camera.size_px.height - 1.0},
                                 {0, v},
                                 {camera.size_px.width - 1.0, v}}) {
      const cv::Point2d p = camera.OnPlane(px, 0);
      x0 = std::min(x0, p.x), x1 = std::max(x1, p.x);
      y0 = std::min(y0, p.y), y1 = std::max(y1, p.y);
    }
  }
  constexpr double kMargin_mm = 50;
  return {x0 - kMargin_mm, y0 - kMargin_mm, x1 - x0 + 2 * kMargin_mm, y1 - y0 + 2 * kMargin_mm};
}

namespace {

// Linear light to 8-bit: a soft shoulder, then gamma.
const std::array<float, 4097>& ToneTable() {
  static const std::array<float, 4097> table = [] {
    std::array<float, 4097> t{};
    for (std::size_t i = 0; i < t.size(); ++i) {
      double v = static_cast<double>(i) / 2048;
      constexpr double kKnee = 0.65;
      if (v > kKnee) v = kKnee + (1 - kKnee) * (1 - std::exp(-(v - kKnee) / (1 - kKnee)));
      v = v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
      t[i] = static_cast<float>(255 * v);
    }
    return t;
  }();
  return table;
}

}  // namespace

Renderer::Renderer(const Scene& scene, TileBox* box)
    : scene_(scene),
      box_(box),
      area_mm_(scene.area_mm.empty() ? AreaInView(scene.camera) : scene.area_mm),
      open_(scene.lights, area_mm_, {}) {
  constexpr double kTextureScale = 2;
  table_ = MakeTable(area_mm_,
                     std::make_shared<const Texture>(MakeTableTop(scene.table, area_mm_.size(),
                                                                  kTextureScale, scene.table_seed)),
                     scene.table_gloss);
  const cv::Size size = scene_.camera.size_px;
  plane_px_.create(size, CV_32FC2);
  vignette_.create(size, CV_32F);
  const double corner2 = scene_.camera.cx * scene_.camera.cx + scene_.camera.cy * scene_.camera.cy;
  cv::parallel_for_(cv::Range(0, size.height), [&](const cv::Range& range) {
    for (int y = range.start; y < range.end; ++y) {
      for (int x = 0; x < size.width; ++x) {
        const cv::Point2d p = scene_.camera.OnPlane(
            {static_cast<double>(x), static_cast<double>(y)}, kMovingPlane_mm);
        plane_px_.at<cv::Vec2f>(y, x) = {static_cast<float>((p.x - area_mm_.x) * kMovingMapScale),
                                         static_cast<float>((p.y - area_mm_.y) * kMovingMapScale)};
        const double dx = x - scene_.camera.cx, dy = y - scene_.camera.cy;
        const double r2 = (dx * dx + dy * dy) / corner2;
        vignette_.at<float>(y, x) =
            static_cast<float>(1 - scene_.sensor.vignette * r2 * (0.6 + 0.4 * r2));
      }
    }
  });
  cv::RNG rng(scene_.table_seed * 31 + 7);
  noise_.create(size.height + 64, size.width + 64, CV_32FC3);
  rng.fill(noise_, cv::RNG::NORMAL, 0.0, 1.0);
  cv::GaussianBlur(noise_, noise_, {3, 3}, 0.55);
  noise_ *= scene_.sensor.noise * 1.5;  // the blur takes a third

  // Exposed for a white card in the middle of the picture.
  const cv::Point2d middle = scene_.camera.OnPlane({scene_.camera.cx, scene_.camera.cy}, 0);
  const cv::Vec3f at = {static_cast<float>(middle.x), static_cast<float>(middle.y), 0};
  const Lit white =
      open_.Shade(at, {0, 0, 1}, {1, 1, 1}, 0, scene_.camera.Centre(), Receiver::kNone);
  exposure_ =
      scene_.sensor.white / std::max(1e-6F, (white.all[0] + white.all[1] + white.all[2]) / 3);
}

void Renderer::Settle(const std::vector<Card>& cards, const std::vector<Figure>& figures,
                      const std::vector<Prop>& props) {
  const cv::Rect whole({}, scene_.camera.size_px);
  still_ = {cv::Mat::zeros(whole.size(), CV_32FC3), cv::Mat::zeros(whole.size(), CV_32FC3),
            cv::Mat::zeros(whole.size(), CV_32F)};
  Draw(cards, figures, props, {whole});
}

void Renderer::Settle(const std::vector<Card>& cards, const std::vector<Figure>& figures,
                      const std::vector<Prop>& props, const std::vector<Shape>& changed) {
  std::vector<cv::Rect> parts;
  for (const Shape& shape : changed) parts.push_back(Touched(shape));
  Draw(cards, figures, props, parts);
}

void Renderer::Draw(const std::vector<Card>& cards, const std::vector<Figure>& figures,
                    const std::vector<Prop>& props, const std::vector<cv::Rect>& parts) {
  Shape all;
  for (const Card& card : cards) {
    all.Add(Build(card, box_, scene_.card_gloss, card.stand.at[2] < 0.1F));
  }
  for (const Figure& figure : figures) all.Add(Build(figure));
  for (const Prop& prop : props) all.Add(Build(prop));
  const Lighting lighting(scene_.lights, area_mm_, all.casters);
  std::vector<const Mesh*> meshes;
  for (const Mesh& mesh : all.meshes) meshes.push_back(&mesh);
  meshes.push_back(&table_);  // last: most of it is hidden by then
  for (const cv::Rect& part : parts) {
    Rasterize(scene_.camera, meshes, lighting, kSamples, part, &still_);
  }
}

cv::Rect Renderer::Touched(const Shape& shape) const {
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  const auto grow = [&](const cv::Vec3d& p, double margin_mm) {
    for (const cv::Vec3d& by : {cv::Vec3d{margin_mm, margin_mm, 0},
                                {-margin_mm, margin_mm, 0},
                                {margin_mm, -margin_mm, 0},
                                {-margin_mm, -margin_mm, 0}}) {
      const cv::Point2d px = scene_.camera.ProjectPoint(p + by);
      x0 = std::min(x0, px.x), x1 = std::max(x1, px.x);
      y0 = std::min(y0, px.y), y1 = std::max(y1, px.y);
    }
  };
  // Less light of the room comes near things, as far as ContactMap has it.
  constexpr double kContact_mm = 30;
  for (const Mesh& mesh : shape.meshes) {
    for (const Vertex& v : mesh.vertices) grow(v.at, 2);
  }
  for (const Caster& caster : shape.casters) {
    for (const cv::Vec3f& p : caster.points) {
      grow({p[0], p[1], 0}, kContact_mm);
      for (const Light* light : {&scene_.lights.lamp, &scene_.lights.window}) {
        const float rate = p[2] / std::max(1.0F, light->at[2] - light->radius - p[2]);
        const cv::Vec3f foot = p + (p - light->at) * rate;
        grow({foot[0], foot[1], 0}, 4 + light->radius * rate);
      }
    }
  }
  const cv::Rect box(cvFloor(x0) - 2, cvFloor(y0) - 2, cvCeil(x1 - x0) + 5, cvCeil(y1 - y0) + 5);
  return box & cv::Rect({}, scene_.camera.size_px);
}

cv::Mat Renderer::Frame(const Shape& moving, std::uint64_t noise_seed) {
  if (moving.meshes.empty()) return Developed(still_.all, noise_seed);
  const ShadowMap lamp(area_mm_, kMovingMapScale, kMovingPlane_mm, scene_.lights.lamp,
                       moving.casters, true);
  const ShadowMap window(area_mm_, kMovingMapScale, kMovingPlane_mm, scene_.lights.window,
                         moving.casters, true);
  cv::Mat lamp_share, window_share;
  cv::remap(lamp.picture(), lamp_share, plane_px_, {}, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  cv::remap(window.picture(), window_share, plane_px_, {}, cv::INTER_LINEAR, cv::BORDER_REPLICATE);
  std::vector<const Mesh*> meshes;
  for (const Mesh& mesh : moving.meshes) meshes.push_back(&mesh);
  Layers front{cv::Mat::zeros(still_.all.size(), CV_32FC3),
               cv::Mat::zeros(still_.all.size(), CV_32FC3),
               cv::Mat::zeros(still_.all.size(), CV_32F)};
  Rasterize(scene_.camera, meshes, open_, kSamples, cv::Rect({}, still_.all.size()), &front);
  cv::Mat light(still_.all.size(), CV_32FC3);
  cv::parallel_for_(cv::Range(0, light.rows), [&](const cv::Range& range) {
    for (int y = range.start; y < range.end; ++y) {
      for (int x = 0; x < light.cols; ++x) {
        const cv::Vec3f& from_lamp = still_.lamp.at<cv::Vec3f>(y, x);
        const cv::Vec3f rest = still_.all.at<cv::Vec3f>(y, x) - from_lamp;
        const float l = static_cast<float>(lamp_share.at<uchar>(y, x)) / 255;
        const float w = 0.6F + 0.4F * static_cast<float>(window_share.at<uchar>(y, x)) / 255;
        const float behind = 1 - front.cover.at<float>(y, x);
        light.at<cv::Vec3f>(y, x) =
            (from_lamp * l + rest * w) * behind + front.all.at<cv::Vec3f>(y, x);
      }
    }
  });
  return Developed(light, noise_seed);
}

cv::Mat Renderer::StillFrame(std::uint64_t noise_seed) const {
  return Developed(still_.all.clone(), noise_seed);
}

cv::Mat Renderer::Developed(const cv::Mat& light, std::uint64_t noise_seed) const {
  cv::Mat soft = light;
  if (scene_.sensor.blur_px > 0) cv::GaussianBlur(light, soft, {5, 5}, scene_.sensor.blur_px);
  cv::RNG rng(noise_seed * 0x9E3779B9u + 5);
  const int ox = rng.uniform(0, 64), oy = rng.uniform(0, 64);
  const float flip = rng.uniform(0, 2) == 0 ? 1.0F : -1.0F;
  const auto& tone = ToneTable();
  cv::Mat picture(light.size(), CV_8UC3);
  cv::parallel_for_(cv::Range(0, light.rows), [&](const cv::Range& range) {
    for (int y = range.start; y < range.end; ++y) {
      const auto* in = soft.ptr<cv::Vec3f>(y);
      const auto* noise = noise_.ptr<cv::Vec3f>(y + oy) + ox;
      const auto* shade = vignette_.ptr<float>(y);
      auto* out = picture.ptr<cv::Vec3b>(y);
      for (int x = 0; x < light.cols; ++x) {
        const float gain = shade[x] * static_cast<float>(exposure_) * 2048;
        for (int c = 0; c < 3; ++c) {
          const float v = std::clamp(in[x][c] * gain, 0.0F, 4096.0F);
          out[x][c] =
              cv::saturate_cast<uchar>(tone[static_cast<std::size_t>(v)] + flip * noise[x][c]);
        }
      }
    }
  });
  return picture;
}

}  // namespace tilewarden::virtual_table
