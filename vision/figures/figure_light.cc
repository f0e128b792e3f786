#include "vision/figures/figure_light.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "vision/picture/median.h"

namespace tilewarden::vision {
namespace {

constexpr int kScale = 8;  // of the small picture

// Colours as planes, one value a sample.
struct Samples {
  std::array<std::vector<float>, 3> seen, reference;
  std::vector<cv::Point> place;

  std::size_t size() const { return place.size(); }
};

Samples Take(const ColourPlanes& seen, const ColourPlanes& reference, const cv::Mat& usable,
             int first, int step) {
  Samples samples;
  for (int y = first; y < usable.rows; y += step) {
    const uchar* use = usable.ptr<uchar>(y);
    const ColourRow s = RowOf(seen, y), r = RowOf(reference, y);
    for (int x = first; x < usable.cols; x += step) {
      if (!use[x]) continue;
      samples.place.emplace_back(x, y);
      for (std::size_t c = 0; c < 3; ++c) {
        samples.seen[c].push_back(s[c][x]);
        samples.reference[c].push_back(r[c][x]);
      }
    }
  }
  return samples;
}

ColourRow RowOf(const std::array<std::vector<float>, 3>& planes) {
  return {planes[0].data(), planes[1].data(), planes[2].data()};
}

// Where a row or column of the view lies between two of the small picture.
struct Between {
  int before, after;
  float share;  // of the one after

  Between(int at, int count) {
    const float place = std::clamp((static_cast<float>(at) + 0.5F) / kScale - 0.5F, 0.F,
                                   static_cast<float>(count - 1));
    before = static_cast<int>(place);
    after = std::min(before + 1, count - 1);
    share = place - static_cast<float>(before);
  }
};

}  // namespace

FigureLight FigureLight::Fit(const ColourPlanes& seen, const ColourPlanes& reference,
                             const cv::Mat& known, const cv::Mat& covered) {
  FigureLight light;
  const cv::Mat usable = known & ~covered;
  light.FitChannels(seen, reference, usable);
  light.field_ = light.Follow(seen, reference, usable);
  return light;
}

void FigureLight::FitAgain(const ColourPlanes& seen, const ColourPlanes& reference,
                           const cv::Mat& known, const cv::Mat& covered, const cv::Rect& area) {
  // How far the light of one place says something about another's.
  constexpr int kContext_px = 128;
  const cv::Rect wide =
      (area + cv::Size(2 * kContext_px, 2 * kContext_px) - cv::Point(kContext_px, kContext_px)) &
      cv::Rect({}, known.size());
  const auto part = [&](const ColourPlanes& planes) {
    return ColourPlanes{planes[0](wide), planes[1](wide), planes[2](wide)};
  };
  const Field near = Follow(part(seen), part(reference), known(wide) & ~covered(wide));
  const auto small = [](const cv::Rect& r) {
    return cv::Rect(r.x / kScale, r.y / kScale, r.width / kScale, r.height / kScale);
  };
  const cv::Rect from = small(area - wide.tl()), to = small(area);
  near.more(from).copyTo(field_.more(to));
  for (std::size_t c = 0; c < 3; ++c) near.haze[c](from).copyTo(field_.haze[c](to));
}

void FigureLight::FitChannels(const ColourPlanes& seen, const ColourPlanes& reference,
                              const cv::Mat& usable) {
  // Rounds of weighing anew; samples of which fewer tell no light.
  constexpr int kRounds = 8;
  constexpr std::size_t kFewest = 50;
  const Samples samples = Take(seen, reference, usable, 2, 4);
  std::array<double, 3> gain = {1, 1, 1}, offset{};
  std::vector<double> weight(samples.size(), 1), residual(samples.size());
  for (int round = 0; round < kRounds && samples.size() >= kFewest; ++round) {
    for (std::size_t c = 0; c < 3; ++c) {
      double w = 0, x = 0, y = 0, xx = 0, xy = 0;
      for (std::size_t i = 0; i < samples.size(); ++i) {
        const double r = samples.reference[c][i], s = samples.seen[c][i], k = weight[i];
        w += k, x += k * r, y += k * s, xx += k * r * r, xy += k * r * s;
      }
      // A board of one colour does not tell gain from offset: lean on offset 0.
      const double lean = w * 200;
      const double det = (w + lean / 400) * xx - x * x;
      if (det <= 0) continue;
      gain[c] = std::max(0.05, ((w + lean / 400) * xy - x * y) / det);
      offset[c] = (y - gain[c] * x) / (w + lean / 400);
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      double sum = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        const double d = samples.seen[c][i] - gain[c] * samples.reference[c][i] - offset[c];
        sum += d * d;
      }
      residual[i] = std::sqrt(sum);
    }
    const double scale = std::max(3.0, 1.5 * Median(residual));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double z = residual[i] / scale;
      weight[i] = 1 / (1 + z * z * z * z);
    }
  }
  for (std::size_t c = 0; c < 3; ++c) {
    gain_[c] = static_cast<float>(gain[c]);
    offset_[c] = static_cast<float>(offset[c]);
    white_[static_cast<int>(c)] = std::max(20.0F, (gain_[c] * 128 + offset_[c]) / 128 * 255);
  }
}

// First how much light there is, then the haze. A value per block where seen and
// expected agree to within a gate, spread over what lies between; rounds go from
// coarse to fine, so that the gate follows a strong but slow change and still
// leaves out the figures.
FigureLight::Field FigureLight::Follow(const ColourPlanes& seen, const ColourPlanes& reference,
                                       const cv::Mat& usable) const {
  // By round: distance from print (1 is noise), and how far a block says something.
  constexpr std::array<float, 3> kGate = {6, 4, 2.5F};
  constexpr std::array<double, 3> kReach_px = {58, 38, 26};
  Samples places = Take(seen, reference, usable, 1, 3);
  for (std::size_t c = 0; c < 3; ++c) {
    for (float& e : places.reference[c]) e = std::max(1.0F, gain_[c] * e + offset_[c]);
  }
  const cv::Size size(usable.cols / kScale, usable.rows / kScale);
  Field field;
  field.more = cv::Mat(size, CV_32F, cv::Scalar(1));
  cv::Mat haze = cv::Mat::zeros(size, CV_32FC3);
  std::vector<float> away(places.size());
  for (std::size_t round = 0; round < 2 * kGate.size(); ++round) {
    const bool for_light = round < kGate.size();
    const float gate = kGate[round % kGate.size()];
    cv::Mat sum = cv::Mat::zeros(size, CV_32FC3), weight = cv::Mat::zeros(size, CV_32F);
    DistanceFromPrint(RowOf(places.seen), RowOf(places.reference), static_cast<int>(places.size()),
                      away.data());
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (away[i] > gate) continue;
      const cv::Vec3f s(places.seen[0][i], places.seen[1][i], places.seen[2][i]);
      const cv::Vec3f e(places.reference[0][i], places.reference[1][i], places.reference[2][i]);
      const cv::Point block = {places.place[i].x / kScale, places.place[i].y / kScale};
      const float level = e.dot(e) * 1e-4F;
      weight.at<float>(block) += for_light ? level : 1;
      sum.at<cv::Vec3f>(block) +=
          for_light ? cv::Vec3f::all(s.dot(e) * 1e-4F - level) : cv::Vec3f(s - e);
    }
    const double sigma = kReach_px[round % kGate.size()] / kScale;
    cv::GaussianBlur(sum, sum, {}, sigma);
    cv::GaussianBlur(weight, weight, {}, sigma);
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        cv::Vec3f& change = sum.at<cv::Vec3f>(y, x);
        change *= 1 / (weight.at<float>(y, x) + 0.01F);
        if (for_light) {
          change = cv::Vec3f::all(std::clamp(1 + change[0], 0.5F, 2.0F));
          field.more.at<float>(y, x) *= change[0];
        } else {
          haze.at<cv::Vec3f>(y, x) += change;
        }
      }
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      const cv::Vec3f& change =
          sum.at<cv::Vec3f>(places.place[i].y / kScale, places.place[i].x / kScale);
      for (std::size_t c = 0; c < 3; ++c) {
        float& e = places.reference[c][i];
        e = for_light ? e * change[0] : e + change[static_cast<int>(c)];
        e = std::clamp(e, 1.0F, 255.0F);
      }
    }
  }
  cv::split(haze, field.haze.data());
  return field;
}

FigureLight FigureLight::OfTiles(const cv::Mat& picture, const cv::Mat& on_tile,
                                 const cv::Mat& covered) {
  // Medians of the published editions' tiles, B G R; of the training art. Medians,
  // so that figures do not count.
  constexpr std::array<float, 3> kUsual = {66, 168, 150};
  FigureLight light;
  for (int c = 0; c < 3; ++c) {
    std::array<std::size_t, 256> counts{};
    std::size_t all = 0;
    for (int y = 0; y < picture.rows; ++y) {
      for (int x = 0; x < picture.cols; ++x) {
        if (!on_tile.at<uchar>(y, x) || covered.at<uchar>(y, x)) continue;
        ++counts[picture.at<cv::Vec3b>(y, x)[c]];
        ++all;
      }
    }
    int median = 0;
    for (std::size_t below = counts[0]; median < 255 && 2 * below < all;) {
      below += counts[static_cast<std::size_t>(++median)];
    }
    light.white_[c] =
        std::max(20.0F, static_cast<float>(median) / kUsual[static_cast<std::size_t>(c)] * 255);
  }
  return light;
}

void FigureLight::Apply(const ColourPlanes& reference, const cv::Rect& area,
                        ColourPlanes& expected) const {
  const cv::Mat& more = field_.more;
  std::vector<Between> columns;
  for (int x = area.x; x < area.br().x; ++x) columns.emplace_back(x, more.cols);
  cv::parallel_for_(cv::Range(area.y, area.br().y), [&](const cv::Range& rows) {
    // Of the small picture, at the height of a row: how much light, and the haze.
    std::array<std::vector<float>, 4> small;
    for (std::vector<float>& row : small) row.resize(static_cast<std::size_t>(more.cols));
    for (int y = rows.start; y < rows.end; ++y) {
      const Between height(y, more.rows);
      for (std::size_t k = 0; k < small.size(); ++k) {
        const cv::Mat& plane = k == 3 ? more : field_.haze[k];
        const float *above = plane.ptr<float>(height.before),
                    *below = plane.ptr<float>(height.after);
        for (int x = 0; x < more.cols; ++x) {
          small[k][static_cast<std::size_t>(x)] = above[x] + height.share * (below[x] - above[x]);
        }
      }
      for (std::size_t c = 0; c < 3; ++c) {
        const float* r = reference[c].ptr<float>(y) + area.x;
        float* e = expected[c].ptr<float>(y) + area.x;
        for (std::size_t i = 0; i < columns.size(); ++i) {
          const Between& at = columns[i];
          const auto value = [&](const std::vector<float>& row) {
            const float a = row[static_cast<std::size_t>(at.before)];
            return a + at.share * (row[static_cast<std::size_t>(at.after)] - a);
          };
          const float plain = std::max(1.0F, gain_[c] * r[i] + offset_[c]);
          e[i] = std::clamp(value(small[3]) * plain + value(small[c]), 1.0F, 255.0F);
        }
      }
    }
  });
}

cv::Vec3f FigureLight::WhiteAt(cv::Point place) const {
  const cv::Mat& more = field_.more;
  if (more.empty()) return white_;
  return white_ * more.at<float>(std::clamp(place.y / kScale, 0, more.rows - 1),
                                 std::clamp(place.x / kScale, 0, more.cols - 1));
}

}  // namespace tilewarden::vision
