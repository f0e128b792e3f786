#include "vision/gate/light_change.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "vision/picture/median.h"

namespace tilewarden::vision {
namespace {

// Levels that both are raised by, so that dark pixels, which are mostly noise, say little.
constexpr double kDark = 12;

}  // namespace

LightChange FitLightChange(const cv::Mat& from, const cv::Mat& to) {
  struct Place {
    std::array<double, 6> basis;
    std::array<double, 3> ratio;
  };
  std::vector<Place> places;
  for (int y = 2; y < from.rows; y += 4) {
    for (int x = 2; x < from.cols; x += 4) {
      const cv::Vec3f a = from.at<cv::Vec3f>(y, x), b = to.at<cv::Vec3f>(y, x);
      Place place;
      place.basis = LightChange::Basis(2.0 * x / from.cols - 1, 2.0 * y / from.rows - 1);
      for (int c = 0; c < 3; ++c) {
        place.ratio[static_cast<std::size_t>(c)] = std::log((b[c] + kDark) / (a[c] + kDark));
      }
      places.push_back(place);
    }
  }
  constexpr int kRounds = 6;
  constexpr double kLeastScale = 0.01;  // of a logarithm: what noise does to bright pixels
  // Of a logarithm: a tenth of what rounding to 8 bits does to a bright pixel.
  constexpr double kSmallStep = 2e-4;
  LightChange change;
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> residual(places.size());
    for (int round = 0; round < kRounds; ++round) {
      double scale = 1e9;
      if (round > 0) {
        for (std::size_t i = 0; i < places.size(); ++i) {
          double fitted = 0;
          for (std::size_t k = 0; k < 6; ++k) fitted += change.terms[c][k] * places[i].basis[k];
          residual[i] = std::abs(places[i].ratio[c] - fitted);
        }
        scale = std::max(kLeastScale, 1.5 * Median(residual));
      }
      cv::Matx<double, 6, 6> a = cv::Matx<double, 6, 6>::eye() * 1e-3;
      cv::Vec<double, 6> b = cv::Vec<double, 6>::all(0);
      for (std::size_t i = 0; i < places.size(); ++i) {
        const double z = residual[i] / scale, w = 1 / (1 + z * z * z * z);
        const auto& f = places[i].basis;
        for (int j = 0; j < 6; ++j) {
          const double wf = w * f[static_cast<std::size_t>(j)];
          b[j] += wf * places[i].ratio[c];
          for (int k = j; k < 6; ++k) a(j, k) += wf * f[static_cast<std::size_t>(k)];
        }
      }
      for (int j = 0; j < 6; ++j) {
        for (int k = 0; k < j; ++k) a(j, k) = a(k, j);
      }
      const cv::Vec<double, 6> x = a.solve(b, cv::DECOMP_CHOLESKY);
      double step = 0;
      for (int j = 0; j < 6; ++j) {
        double& term = change.terms[c][static_cast<std::size_t>(j)];
        step = std::max(step, std::abs(x[j] - term));
        term = x[j];
      }
      if (round > 0 && step < kSmallStep) break;
    }
  }
  return change;
}

cv::Mat InOtherLight(const cv::Mat& picture, const LightChange& change) {
  cv::Mat lit(picture.size(), CV_32FC3);
  // The quadratic is smooth: worked out on a coarse grid, spread between.
  const cv::Size coarse((picture.cols + 7) / 8, (picture.rows + 7) / 8);
  cv::Mat gain(coarse, CV_32FC3);
  for (int y = 0; y < coarse.height; ++y) {
    for (int x = 0; x < coarse.width; ++x) {
      const auto basis =
          LightChange::Basis((2.0 * x + 1) / coarse.width - 1, (2.0 * y + 1) / coarse.height - 1);
      for (int c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t k = 0; k < 6; ++k) {
          sum += change.terms[static_cast<std::size_t>(c)][k] * basis[k];
        }
        gain.at<cv::Vec3f>(y, x)[c] = static_cast<float>(std::exp(std::clamp(sum, -2.0, 2.0)));
      }
    }
  }
  cv::resize(gain, gain, picture.size(), 0, 0, cv::INTER_LINEAR);
  constexpr float kDarkF = kDark;
  for (int y = 0; y < picture.rows; ++y) {
    const cv::Vec3f* p = picture.ptr<cv::Vec3f>(y);
    const cv::Vec3f* g = gain.ptr<cv::Vec3f>(y);
    cv::Vec3f* out = lit.ptr<cv::Vec3f>(y);
    for (int x = 0; x < picture.cols; ++x) {
      for (int c = 0; c < 3; ++c) out[x][c] = std::clamp((p[x][c] + kDarkF) * g[x][c] - kDarkF, 0.F, 255.F);
    }
  }
  return lit;
}

}  // namespace tilewarden::vision
