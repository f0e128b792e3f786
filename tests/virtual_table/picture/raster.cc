#include "tests/virtual_table/picture/raster.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "opencv2/core/utility.hpp"

namespace tilewarden::virtual_table {
namespace {

constexpr int kBandRows = 24;  // rows of the picture drawn at once: fits a cache

struct Corner {
  float x, y;       // in samples
  float inverse_z;  // 1 / depth
};

struct Prepared {
  const Mesh* mesh;
  std::vector<Corner> corners;
  std::vector<int> levels;  // of the texture, by face
};

// Beyond this tangent off the middle a lens bends the view back into the picture; the corners of
// the widest picture are at 0.75.
constexpr double kWidest = 1.3;

bool InView(const TableCamera& camera, const cv::Vec3d& x_in_world) {
  const cv::Vec3d p = camera.r * x_in_world + camera.t;
  return p[2] > 1 && std::hypot(p[0], p[1]) < kWidest * p[2];
}

Prepared Prepare(const TableCamera& camera, const Mesh& mesh, int samples) {
  Prepared out{&mesh, {}, {}};
  out.corners.reserve(mesh.vertices.size());
  for (const Vertex& v : mesh.vertices) {
    const cv::Vec3d p = camera.Project(v.at);
    out.corners.push_back({static_cast<float>((p[0] + 0.5) * samples - 0.5),
                           static_cast<float>((p[1] + 0.5) * samples - 0.5),
                           InView(camera, v.at) ? static_cast<float>(1 / p[2]) : 0.0F});
  }
  if (mesh.texture == nullptr) return out;
  const cv::Size size = mesh.texture->size();
  for (const auto& f : mesh.faces) {
    const auto area = [](cv::Vec2f a, cv::Vec2f b, cv::Vec2f c) {
      return std::abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
    };
    const auto corner = [&](int i) {
      const Corner& c = out.corners[static_cast<std::size_t>(f[static_cast<std::size_t>(i)])];
      return cv::Vec2f{c.x, c.y};
    };
    const auto uv = [&](int i) {
      return mesh.vertices[static_cast<std::size_t>(f[static_cast<std::size_t>(i)])].uv;
    };
    const double texels = area(uv(0), uv(1), uv(2)) * size.area();
    const double seen = std::max(1e-3F, area(corner(0), corner(1), corner(2)));
    out.levels.push_back(mesh.texture->LevelFor(std::sqrt(texels / seen)));
  }
  return out;
}

// Where a row crosses a triangle, a sample more at either end: a narrow triangle that lies
// aslant fills little of its rectangle.
std::pair<int, int> Span(const std::array<Corner, 3>& corners, float y, int x0, int x1) {
  float low = static_cast<float>(x1), high = static_cast<float>(x0);
  for (std::size_t i = 0; i < 3; ++i) {
    const Corner &p = corners[i], &q = corners[(i + 1) % 3];
    const float rise = q.y - p.y;
    // Rows near a corner may miss both of its sides by a rounding.
    if (std::min(p.y, q.y) > y + 0.01F || std::max(p.y, q.y) < y - 0.01F) continue;
    if (std::abs(rise) < 0.1F) {
      low = std::min({low, p.x, q.x}), high = std::max({high, p.x, q.x});
      continue;
    }
    const float x = p.x + (q.x - p.x) * std::clamp((y - p.y) / rise, 0.0F, 1.0F);
    low = std::min(low, x), high = std::max(high, x);
  }
  return {std::max(x0, cvFloor(low) - 1), std::min(x1, cvCeil(high) + 1)};
}

// One band of rows at sample resolution.
class Band {
 public:
  Band(cv::Rect at, int samples)
      : left_(at.x * samples),
        top_(at.y * samples),
        rows_(at.height * samples),
        width_(at.width * samples),
        samples_(samples) {
    const auto n = static_cast<std::size_t>(rows_) * static_cast<std::size_t>(width_);
    depth_.assign(n, 0);
    all_.assign(n, {0, 0, 0});
    lamp_.assign(n, {0, 0, 0});
  }

  void Draw(const Prepared& prepared, const Lighting& lighting, const cv::Vec3f& eye) {
    const Mesh& mesh = *prepared.mesh;
    for (std::size_t k = 0; k < mesh.faces.size(); ++k) {
      const auto& f = mesh.faces[k];
      const auto at = [&](int i) {
        return static_cast<std::size_t>(f[static_cast<std::size_t>(i)]);
      };
      const Corner& a = prepared.corners[at(0)];
      const Corner& b = prepared.corners[at(1)];
      const Corner& c = prepared.corners[at(2)];
      if (a.inverse_z <= 0 || b.inverse_z <= 0 || c.inverse_z <= 0) continue;
      const int y0 = std::max(top_, cvCeil(std::min({a.y, b.y, c.y})));
      const int y1 = std::min(top_ + rows_ - 1, cvFloor(std::max({a.y, b.y, c.y})));
      if (y0 > y1) continue;
      const int x0 = std::max(left_, cvCeil(std::min({a.x, b.x, c.x})));
      const int x1 = std::min(left_ + width_ - 1, cvFloor(std::max({a.x, b.x, c.x})));
      if (x0 > x1) continue;
      const float area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
      if (std::abs(area) < 1e-6F) continue;
      const float inverse = 1 / area;
      const Vertex& va = mesh.vertices[at(0)];
      const Vertex& vb = mesh.vertices[at(1)];
      const Vertex& vc = mesh.vertices[at(2)];
      const int level = mesh.texture ? prepared.levels[k] : 0;
      for (int y = y0; y <= y1; ++y) {
        const auto fy = static_cast<float>(y);
        const auto [from, to] = Span({a, b, c}, fy, x0, x1);
        for (int x = from; x <= to; ++x) {
          const auto fx = static_cast<float>(x);
          float wa = ((b.x - fx) * (c.y - fy) - (b.y - fy) * (c.x - fx)) * inverse;
          float wb = ((c.x - fx) * (a.y - fy) - (c.y - fy) * (a.x - fx)) * inverse;
          float wc = 1 - wa - wb;
          constexpr float kEdge = -1e-5F;  // neighbours leave no gap
          if (wa < kEdge || wb < kEdge || wc < kEdge) continue;
          wa *= a.inverse_z, wb *= b.inverse_z, wc *= c.inverse_z;
          const float w = wa + wb + wc;
          const std::size_t i =
              static_cast<std::size_t>(y - top_) * static_cast<std::size_t>(width_) +
              static_cast<std::size_t>(x - left_);
          if (w <= depth_[i]) continue;
          depth_[i] = w;
          const float n = 1 / w;
          wa *= n, wb *= n, wc *= n;
          const cv::Vec3f p = va.at * wa + vb.at * wb + vc.at * wc;
          cv::Vec3f normal = va.normal * wa + vb.normal * wb + vc.normal * wc;
          normal *= 1 / std::sqrt(std::max(1e-12F, normal.dot(normal)));
          cv::Vec3f colour = va.colour * wa + vb.colour * wb + vc.colour * wc;
          if (mesh.texture) {
            const cv::Vec2f uv = va.uv * wa + vb.uv * wb + vc.uv * wc;
            colour = colour.mul(mesh.texture->Sample(uv[0], uv[1], level));
          }
          // Faces have no inside: the normal looks at the camera.
          if (normal.dot(eye - p) < 0) normal = -normal;
          const Lit lit = lighting.Shade(p, normal, colour, mesh.gloss, eye, mesh.receiver);
          all_[i] = lit.all;
          lamp_[i] = lit.lamp;
        }
      }
    }
  }

  void Store(Layers* out) const {
    const float share = 1.0F / static_cast<float>(samples_ * samples_);
    for (int y = 0; y < rows_ / samples_; ++y) {
      const int row = top_ / samples_ + y;
      const int left = left_ / samples_;
      auto* all = out->all.ptr<cv::Vec3f>(row) + left;
      auto* lamp = out->lamp.ptr<cv::Vec3f>(row) + left;
      auto* cover = out->cover.ptr<float>(row) + left;
      for (int x = 0; x < width_ / samples_; ++x) {
        cv::Vec3f sum_all{0, 0, 0}, sum_lamp{0, 0, 0};
        int covered = 0;
        for (int j = 0; j < samples_; ++j) {
          const std::size_t from =
              static_cast<std::size_t>(y * samples_ + j) * static_cast<std::size_t>(width_) +
              static_cast<std::size_t>(x * samples_);
          for (std::size_t i = from; i < from + static_cast<std::size_t>(samples_); ++i) {
            sum_all += all_[i];
            sum_lamp += lamp_[i];
            covered += depth_[i] > 0;
          }
        }
        all[x] = sum_all * share;
        lamp[x] = sum_lamp * share;
        cover[x] = static_cast<float>(covered) * share;
      }
    }
  }

 private:
  int left_, top_, rows_, width_, samples_;
  std::vector<float> depth_;  // 1 / depth, 0: nothing
  std::vector<cv::Vec3f> all_, lamp_;
};

}  // namespace

void Rasterize(const TableCamera& camera, const std::vector<const Mesh*>& meshes,
               const Lighting& lighting, int samples, cv::Rect part, Layers* layers) {
  std::vector<Prepared> prepared(meshes.size());
  float low = std::numeric_limits<float>::max(), high = std::numeric_limits<float>::lowest();
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    prepared[i] = Prepare(camera, *meshes[i], samples);
    for (const Corner& c : prepared[i].corners) {
      if (c.inverse_z <= 0) continue;
      low = std::min(low, c.y);
      high = std::max(high, c.y);
    }
  }
  if (low > high || part.empty()) return;
  const auto row_of = [&](float y) {
    return static_cast<int>(std::clamp(y / static_cast<float>(samples), -1.0F,
                                       static_cast<float>(camera.size_px.height)));
  };
  const int first = std::max(part.y, row_of(low) - 1);
  const int last = std::min(part.br().y, row_of(high) + 2);
  if (first >= last) return;
  const cv::Vec3f eye = camera.Centre();
  const int bands = (last - first + kBandRows - 1) / kBandRows;
  cv::parallel_for_(cv::Range(0, bands), [&](const cv::Range& range) {
    for (int k = range.start; k < range.end; ++k) {
      const int top = first + k * kBandRows;
      Band band({part.x, top, part.width, std::min(kBandRows, last - top)}, samples);
      for (const Prepared& p : prepared) band.Draw(p, lighting, eye);
      band.Store(layers);
    }
  });
}

}  // namespace tilewarden::virtual_table
