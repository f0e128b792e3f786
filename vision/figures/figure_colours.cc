#include "vision/figures/figure_colours.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace tilewarden::vision {
namespace {

// Means and spreads in the terms of PaintColour, from the figures of rendered
// tables and photographs; prior: how common a colour is among the boxes sold.
struct Paint {
  std::string_view name;
  double hue_deg, hue_spread;  // spread 0: grey, any hue
  double saturation, saturation_spread;
  double lightness, lightness_spread;
  double prior;
};

constexpr std::array<Paint, 11> kPaints = {{
    {"red", 29, 9, 1.15, 0.28, 40, 12, 1},
    {"blue", -65, 14, 1.20, 0.40, 34, 13, 1},
    {"green", 147, 14, 0.65, 0.25, 40, 13, 1},
    {"yellow", 88, 9, 0.75, 0.17, 70, 14, 1},
    {"black", 0, 0, 0.10, 0.13, 22, 12, 1},
    {"pink", -2, 13, 0.67, 0.17, 57, 13, 0.7},
    {"grey", 0, 0, 0.10, 0.08, 56, 10, 0.4},
    {"orange", 57, 8, 0.95, 0.20, 55, 12, 0.1},
    {"purple", -42, 9, 0.90, 0.25, 38, 12, 0.1},
    {"white", 0, 0, 0.08, 0.08, 88, 9, 0.1},
    {"brown", 62, 12, 0.60, 0.15, 36, 10, 0.1},
}};

double Square(double x) { return x * x; }

// Saturation as a way from grey.
cv::Vec2d ChromaOf(const PaintColour& paint) {
  const double hue = paint.hue_deg * CV_PI / 180;
  return paint.saturation * cv::Vec2d(std::cos(hue), std::sin(hue));
}

double Turn(double a, double b) {
  const double d = std::abs(a - b);
  return std::min(d, 360 - d);
}

double Misfit(const PaintColour& paint, const Paint& model, const cv::Vec2d& cast) {
  // What lies around colours every figure a little, which shows on the dark ones.
  constexpr double kBounce = 3;
  const double saturation_spread =
      std::hypot(model.saturation_spread, kBounce / (std::max(0.0, paint.lightness) + 10));
  double sum = Square((paint.lightness - model.lightness) / model.lightness_spread);
  if (model.hue_spread > 0) {
    // Hue means less the greyer the paint.
    const double spread = model.hue_spread + 6 / (paint.saturation + 0.1);
    sum += Square((paint.saturation - model.saturation) / saturation_spread) +
           Square(Turn(paint.hue_deg, model.hue_deg) / spread);
  } else {
    const double away = cv::norm(ChromaOf(paint) - cast);
    sum += Square(std::max(0.0, away - model.saturation) / saturation_spread);
  }
  return sum;
}

// Heavy tails: a colour far from every mean is nobody's for certain.
double Likelihood(const PaintColour& paint, const Paint& model, const cv::Vec2d& cast) {
  return model.prior * (std::exp(-Misfit(paint, model, cast) / 2) + 1e-4);
}

// Those of the allowed colours; empty: all.
std::vector<Paint> Models(const std::vector<std::string>& allowed) {
  std::vector<Paint> models;
  for (const Paint& model : kPaints) {
    if (allowed.empty() || std::find(allowed.begin(), allowed.end(), model.name) != allowed.end()) {
      models.push_back(model);
    }
  }
  return models;
}

// What the network takes for one another: a pale pink one looks red, a blue one on blue cloth
// purple, a yellow one under a warm lamp orange. Which of the two it is, the paint tells.
bool LooksLike(std::string_view name, std::string_view other) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kAlike = {
      {{"pink", "red"}, {"purple", "blue"}, {"orange", "yellow"}}};
  return name == other || std::any_of(kAlike.begin(), kAlike.end(), [&](const auto& pair) {
           return (name == pair.first && other == pair.second) ||
                  (name == pair.second && other == pair.first);
         });
}

double Linear(double srgb) {
  return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4);
}

double LabCurve(double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; }

// Median colour of a piece's pixels between two ranks of brightness, in percent.
cv::Vec3f MedianColour(const std::vector<cv::Vec3b>& by_brightness, std::size_t from,
                       std::size_t to) {
  const std::size_t first = by_brightness.size() * from / 100;
  const std::size_t last = std::max(first + 1, by_brightness.size() * to / 100);
  cv::Vec3f colour;
  for (int c = 0; c < 3; ++c) {
    std::vector<uchar> values;
    for (std::size_t i = first; i < last; ++i) values.push_back(by_brightness[i][c]);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    colour[c] = *middle;
  }
  return colour;
}

// What would be seen if the picture's curve were not bent: white stays, what is dark gets darker
// where `curve`, the exponent's logarithm, is above 0.
cv::Vec3f Bent(const cv::Vec3f& seen, const cv::Vec3f& white, double curve) {
  cv::Vec3f bent;
  for (int c = 0; c < 3; ++c) {
    bent[c] = white[c] *
              std::pow(std::max(0.0F, seen[c] / white[c]), static_cast<float>(std::exp(curve)));
  }
  return bent;
}

}  // namespace

PaintColour PaintOf(const cv::Vec3f& seen, const cv::Vec3f& light) {
  std::array<double, 3> linear{};
  for (int c = 0; c < 3; ++c) {
    linear[static_cast<std::size_t>(c)] = Linear(std::clamp(seen[c] / light[c], 0.0F, 1.2F));
  }
  const double b = linear[0], g = linear[1], r = linear[2];
  const double fx = LabCurve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505);
  const double fy = LabCurve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const double fz = LabCurve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
  const double l = 116 * fy - 16, a = 500 * (fx - fy), bb = 200 * (fy - fz);
  return {std::atan2(bb, a) * 180 / CV_PI, std::hypot(a, bb) / (std::max(0.0, l) + 10), l};
}

std::vector<std::string> FigureColours() {
  std::vector<std::string> colours;
  for (const Paint& model : kPaints) colours.emplace_back(model.name);
  return colours;
}

bool MayBe(const PaintColour& paint, const std::string& colour) {
  // Set by judgement.
  constexpr double kMostMisfit = 9, kFarther = 1.5;
  double its = std::numeric_limits<double>::infinity(), best = its;
  for (const Paint& model : kPaints) {
    const double misfit = Misfit(paint, model, {});
    best = std::min(best, misfit);
    if (model.name == colour) its = misfit;
  }
  return its <= std::min(kMostMisfit, best + kFarther);
}

Tones TonesOf(const cv::Mat& picture, const cv::Mat& mask, cv::Point corner) {
  std::vector<cv::Vec3b> pixels;
  for (int y = 0; y < mask.rows; ++y) {
    for (int x = 0; x < mask.cols; ++x) {
      if (mask.at<uchar>(y, x)) pixels.push_back(picture.at<cv::Vec3b>(corner.y + y, corner.x + x));
    }
  }
  if (pixels.empty()) return {};
  std::sort(pixels.begin(), pixels.end(), [](const cv::Vec3b& a, const cv::Vec3b& b) {
    return a[0] + a[1] + a[2] < b[0] + b[1] + b[2];
  });
  return {MedianColour(pixels, 45, 92), MedianColour(pixels, 8, 35)};
}

std::vector<PaintColour> PaintsOf(const std::vector<FigureTone>& tones,
                                  const std::vector<std::string>& allowed) {
  // Logarithms of the light's error in blue and in red against green: how large it may well be,
  // and which are tried. Spreads of 0.1 and 0.15 named the same on photographs labelled here,
  // darkened and under a warm cast: of blue ones under these, 12 more than without.
  constexpr double kSpread = 0.1, kStep = 0.08;
  constexpr int kSteps = 6, kCoarse = 3;
  // Cameras and programs that make pictures nicer bend the curve, too.
  constexpr double kCurveSpread = 0.13, kCurveStep = 0.2;
  constexpr int kCurves = 2;
  const std::vector<Paint> models = Models(allowed);
  std::vector<PaintColour> best;
  cv::Vec3i best_at;
  double most = -std::numeric_limits<double>::max();
  const auto try_light = [&](int b, int r, int c) {
    const double blue = b * kStep, red = r * kStep, curve = c * kCurveStep;
    const cv::Vec3f gain(static_cast<float>(std::exp(blue)), 1, static_cast<float>(std::exp(red)));
    double score = -(blue * blue + red * red) / (2 * kSpread * kSpread) -
                   curve * curve / (2 * kCurveSpread * kCurveSpread);
    std::vector<PaintColour> paints;
    for (const FigureTone& tone : tones) {
      paints.push_back(PaintOf(Bent(tone.seen.mul(gain), tone.white, curve), tone.white));
      double sum = 0;
      for (const Paint& model : models) sum += Likelihood(paints.back(), model, {});
      score += std::log(sum);
    }
    if (score <= most) return;
    most = score;
    best = std::move(paints);
    best_at = {b, r, c};
  };
  // Coarsely first, then around the best.
  for (int c = -kCurves; c <= kCurves; ++c) {
    for (int b = -kSteps; b <= kSteps; b += kCoarse) {
      for (int r = -kSteps; r <= kSteps; r += kCoarse) try_light(b, r, c);
    }
  }
  for (int finer = 0; finer < 2; ++finer) {
    const cv::Vec3i around = best_at;
    for (int b = -1; b <= 1; ++b) {
      for (int r = -1; r <= 1; ++r) try_light(around[0] + b, around[1] + r, around[2]);
    }
  }
  return best;
}

std::vector<std::vector<ColourProbability>> NameColours(const std::vector<PaintColour>& paints,
                                                        const std::vector<std::string>& allowed) {
  return NameColours(paints, {}, allowed);
}

std::vector<std::vector<ColourProbability>> NameColours(
    const std::vector<PaintColour>& paints,
    const std::vector<std::vector<ColourProbability>>& looks,
    const std::vector<std::string>& allowed) {
  // How many figures' weight what is known beforehand has.
  constexpr double kBeforehand = 1.5;
  // Few colours are played with: one that so many figures have is, one that none has most likely
  // is not, and is no more than so likely.
  constexpr double kSurelyPlayed = 3, kSeldom = 0.15;
  // Paint and look saw the same pixels. Of powers 0, 1/4, 1/2 and 1 this one was right most often
  // on development boards of the virtual table and photographs.
  constexpr double kPaintSays = 0.5, kLeastLook = 1e-3;
  constexpr int kRounds = 3;
  std::vector<Paint> models = Models(allowed);
  const std::vector<Paint> beforehand = models;
  // How what is grey looks on this table, for each model.
  std::vector<cv::Vec2d> casts(models.size());
  std::vector<double> played(models.size(), 1);
  std::vector<std::vector<double>> shares(paints.size(), std::vector<double>(models.size()));
  const auto look_of = [&](std::size_t i, std::string_view colour) {
    if (looks.empty()) return 1.0;
    double sum = kLeastLook;
    for (const ColourProbability& look : looks[i]) {
      if (LooksLike(look.colour, colour)) sum += look.probability;
    }
    return sum;
  };
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < paints.size(); ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < models.size(); ++k) {
        const double likelihood = Likelihood(paints[i], models[k], casts[k]);
        shares[i][k] = played[k] * look_of(i, models[k].name) *
                       (looks.empty() ? likelihood : std::pow(likelihood, kPaintSays));
        sum += shares[i][k];
      }
      for (double& share : shares[i]) share /= sum;
    }
    for (std::size_t k = 0; k < models.size(); ++k) {
      double weight = kBeforehand, hue = 0, saturation = 0, lightness = 0, figures = 0;
      cv::Vec2d cast;
      for (std::size_t i = 0; i < paints.size(); ++i) {
        const double w = shares[i][k];
        weight += w;
        figures += w;
        hue += w * std::remainder(paints[i].hue_deg - beforehand[k].hue_deg, 360);
        saturation += w * (paints[i].saturation - beforehand[k].saturation);
        lightness += w * (paints[i].lightness - beforehand[k].lightness);
        cast += w * ChromaOf(paints[i]);
      }
      played[k] = kSeldom + (1 - kSeldom) * std::min(1.0, figures / kSurelyPlayed);
      models[k].hue_deg = beforehand[k].hue_deg + hue / weight;
      if (models[k].hue_spread > 0) {
        models[k].saturation = beforehand[k].saturation + saturation / weight;
      } else {
        casts[k] = cast / weight;
      }
      models[k].lightness = beforehand[k].lightness + lightness / weight;
    }
  }
  std::vector<std::vector<ColourProbability>> named;
  for (const std::vector<double>& share : shares) {
    std::vector<ColourProbability> colours;
    for (std::size_t k = 0; k < models.size(); ++k) {
      colours.push_back({std::string(models[k].name), share[k]});
    }
    std::stable_sort(colours.begin(), colours.end(),
                     [](const auto& x, const auto& y) { return x.probability > y.probability; });
    named.push_back(std::move(colours));
  }
  return named;
}

}  // namespace tilewarden::vision
