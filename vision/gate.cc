#include "vision/gate.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "opencv2/imgproc.hpp"
#include "opencv2/video/tracking.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kWidth_px = 240;  // of the reduced picture, about
// Difference from the background, in units of what noise does at most, from
// which a pixel may be a hand's, and from which it surely is none of the table's.
constexpr float kForeign = 0.6F;
constexpr float kSurelyForeign = 1.5F;
// A hand covers at least this share of the picture and reaches this share of
// its height inwards: a finger at the border moves nothing.
constexpr double kSmallestHand = 0.006;
constexpr double kReach = 0.10;
// and this share differs so much that no light explains it.
constexpr double kSurelyHand = 0.002;
// More of the picture changed than any arm covers: another picture.
constexpr double kOtherPicture = 0.55;
// Much of the picture beside what may be a hand changed as well: it moved. Virtual tables with
// a hand have 0.00 to 0.07 (177 looks), with a bumped camera 0.18 to 0.30 (12 looks).
constexpr double kMovedBeside = 0.12, kStillBeside = 0.03;

cv::Mat Reduce(const cv::Mat& frame) {
  const int factor = std::max(1, frame.cols / kWidth_px);
  const cv::Size size(std::max(1, frame.cols / factor), std::max(1, frame.rows / factor));
  cv::Mat small = frame, wide;
  // By halves as long as they come out even: OpenCV has a fast way for those.
  while (small.cols % 2 == 0 && small.rows % 2 == 0 && small.cols / 2 >= size.width &&
         small.rows / 2 >= size.height) {
    cv::Mat half;
    cv::resize(small, half, {small.cols / 2, small.rows / 2}, 0, 0, cv::INTER_AREA);
    small = half;
  }
  if (small.size() != size) cv::resize(small, small, size, 0, 0, cv::INTER_AREA);
  small.convertTo(wide, CV_32F);
  return wide;
}

// Slow change of the light between two pictures, per channel: the logarithm of
// their ratio as a quadratic over the picture, robust against what differs.
struct LightChange {
  std::array<std::array<double, 6>, 3> terms{};

  static std::array<double, 6> Basis(double u, double v) { return {1, u, v, u * u, u * v, v * v}; }

  // Over the picture and its channels.
  double Mean() const {
    double sum = 0;
    for (const auto& t : terms) sum += std::abs(t[0] + (t[3] + t[5]) / 3);
    return sum / static_cast<double>(terms.size());
  }
};

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
        place.ratio[static_cast<std::size_t>(c)] = std::log((b[c] + 12.0) / (a[c] + 12.0));
      }
      places.push_back(place);
    }
  }
  // Of a logarithm: a tenth of what rounding to 8 bits does to a bright pixel.
  constexpr double kSmallStep = 2e-4;
  LightChange change;
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> residual(places.size());
    for (int round = 0; round < 6; ++round) {
      double scale = 1e9;
      if (round > 0) {
        for (std::size_t i = 0; i < places.size(); ++i) {
          double fitted = 0;
          for (std::size_t k = 0; k < 6; ++k) fitted += change.terms[c][k] * places[i].basis[k];
          residual[i] = std::abs(places[i].ratio[c] - fitted);
        }
        std::vector<double> sorted = residual;
        const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
        std::nth_element(sorted.begin(), middle, sorted.end());
        scale = std::max(0.01, 1.5 * *middle);
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
  for (int y = 0; y < picture.rows; ++y) {
    const cv::Vec3f* p = picture.ptr<cv::Vec3f>(y);
    const cv::Vec3f* g = gain.ptr<cv::Vec3f>(y);
    cv::Vec3f* out = lit.ptr<cv::Vec3f>(y);
    for (int x = 0; x < picture.cols; ++x) {
      for (int c = 0; c < 3; ++c) out[x][c] = std::clamp((p[x][c] + 12) * g[x][c] - 12, 0.F, 255.F);
    }
  }
  return lit;
}

// How far a picture is from the background at each pixel, a soft shadow or a
// bright spot allowed.
cv::Mat AwayFromBackground(const cv::Mat& background, const cv::Mat& picture) {
  constexpr float kDeepest = 0.72F, kBrightest = 1.1F;
  cv::Mat away(picture.size(), CV_32F);
  for (int y = 0; y < picture.rows; ++y) {
    const cv::Vec3f* b = background.ptr<cv::Vec3f>(y);
    const cv::Vec3f* s = picture.ptr<cv::Vec3f>(y);
    float* out = away.ptr<float>(y);
    for (int x = 0; x < picture.cols; ++x) {
      const float bb = b[x].dot(b[x]);
      const float k = std::clamp(s[x].dot(b[x]) / std::max(bb, 1.0F), kDeepest, kBrightest);
      const cv::Vec3f d = s[x] - k * b[x];
      out[x] = std::sqrt(d.dot(d)) / (6 + 0.03F * (std::sqrt(bb) + std::sqrt(s[x].dot(s[x]))));
    }
  }
  return away;
}

float Median(const cv::Mat& values) {
  std::vector<float> sample;
  for (int y = 0; y < values.rows; y += 3) {
    for (int x = 0; x < values.cols; x += 3) sample.push_back(values.at<float>(y, x));
  }
  const auto middle = sample.begin() + static_cast<std::ptrdiff_t>(sample.size() / 2);
  std::nth_element(sample.begin(), middle, sample.end());
  return *middle;
}

// The parts of a mask that reach in from the border and are as large as a hand.
cv::Mat FromBorder(const cv::Mat& mask, double least_reach) {
  cv::Mat labels, stats, centroids;
  const int n = cv::connectedComponentsWithStats(mask, labels, stats, centroids);
  cv::Mat from_border = cv::Mat::zeros(mask.size(), CV_8U);
  for (int i = 1; i < n; ++i) {
    const int left = stats.at<int>(i, cv::CC_STAT_LEFT), top = stats.at<int>(i, cv::CC_STAT_TOP);
    const int right = left + stats.at<int>(i, cv::CC_STAT_WIDTH);
    const int bottom = top + stats.at<int>(i, cv::CC_STAT_HEIGHT);
    const double reach = least_reach * mask.rows;
    const bool reaches = (left <= 1 && right > reach) || (top <= 1 && bottom > reach) ||
                         (right >= mask.cols - 1 && left < mask.cols - reach) ||
                         (bottom >= mask.rows - 1 && top < mask.rows - reach);
    const double area = stats.at<int>(i, cv::CC_STAT_AREA);
    if (reaches && area > kSmallestHand * static_cast<double>(mask.total())) {
      from_border.setTo(255, labels == i);
    }
  }
  return from_border;
}

// Where the colour is one that skin may have; wood and tiles have it as well.
cv::Mat LikeSkin(const cv::Mat& picture) {
  cv::Mat bytes, ycc, skin;
  picture.convertTo(bytes, CV_8U);
  cv::cvtColor(bytes, ycc, cv::COLOR_BGR2YCrCb);
  cv::inRange(ycc, cv::Scalar(30, 134, 85), cv::Scalar(240, 180, 130), skin);
  return skin;
}

// Whether the picture has more of the colour of skin there than the background had.
bool MoreSkin(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background) {
  constexpr double kMore = 0.2;
  const int now = cv::countNonZero(LikeSkin(picture) & hand);
  return now - cv::countNonZero(LikeSkin(background) & hand) > kMore * cv::countNonZero(hand);
}

// Bare hands of which the sleeve is of the table's colour, so that they seem not to reach in
// from the border. Of 1,300 looks at virtual tables 14 such hands had 0.024 to 0.055 of the
// picture, 0.87 to 1 of it like skin, and filled 0.65 to 0.82 of a box around them; no tile that
// was laid had more than 0.02 of the picture and filled less than 0.87. With what shows of such a
// sleeve over tiles it is less like skin, but then more so than what is `behind` it (empty: not
// known), or large and long: 6 such had 0.06 to 0.08 of the picture, 4.1 to 4.9 times as long as
// wide; boards that were pushed fill less than half of a box.
constexpr double kBareHand = 0.02, kFullBox = 0.85, kPartOfHand = 0.003;
cv::Mat BareHands(const cv::Mat& mask, const cv::Mat& picture, const cv::Mat& behind, double least,
                  double full) {
  constexpr double kSkin = 0.85, kSkinAndSleeve = 0.3;
  constexpr double kLarge = 0.04, kLong = 3, kHalfOfBox = 0.5;
  cv::Mat labels, stats, centroids, hands = cv::Mat::zeros(mask.size(), CV_8U);
  const int n = cv::connectedComponentsWithStats(mask, labels, stats, centroids);
  cv::Mat skin;
  for (int i = 1; i < n; ++i) {
    const double area = stats.at<int>(i, cv::CC_STAT_AREA);
    if (area < least * static_cast<double>(mask.total())) continue;
    if (skin.empty()) skin = LikeSkin(picture);
    const cv::Mat part = labels == i;
    std::vector<cv::Point> pixels;
    cv::findNonZero(part, pixels);
    const cv::Size2f box = cv::minAreaRect(pixels).size;
    const double filled = area / ((box.width + 1) * (box.height + 1));
    if (filled >= full) continue;
    const double like_skin = cv::countNonZero(part & skin) / area;
    const bool arm = area >= kLarge * static_cast<double>(mask.total()) && filled > kHalfOfBox &&
                     std::max(box.width, box.height) > kLong * std::min(box.width, box.height);
    const bool more =
        like_skin >= kSkinAndSleeve && !behind.empty() && MoreSkin(part, picture, behind);
    if (like_skin >= kSkin || more || arm) hands |= part;
  }
  return hands;
}

// Step of the colour across the outline of a mask, place by place: a table's
// grain averages out over a place, skin and sleeve do not.
cv::Mat1f StepAcross(const cv::Mat& mask, const cv::Mat& picture) {
  constexpr int kPlace_px = 9;
  const auto local_mean = [&](const cv::Mat& where) {
    cv::Mat weight, sum, part = cv::Mat::zeros(picture.size(), CV_32FC3);
    where.convertTo(weight, CV_32F, 1 / 255.0);
    picture.copyTo(part, where);
    cv::blur(part, sum, {kPlace_px, kPlace_px});
    cv::blur(weight, weight, {kPlace_px, kPlace_px});
    weight = cv::max(weight, 1e-3);
    cv::Mat weights;
    cv::merge(std::vector<cv::Mat>{weight, weight, weight}, weights);
    return cv::Mat(sum / weights);
  };
  const cv::Mat step = local_mean(mask) - local_mean(~mask);
  std::vector<cv::Mat> channels;
  cv::split(step.mul(step), channels);
  cv::Mat length;
  cv::sqrt(channels[0] + channels[1] + channels[2], length);
  return length;
}

// True if it is the background that held the hand, and it has gone: most of its outline shows
// there. That of the arm, near the border, tells: further in the outline may run through tiles.
// What only the fingers left behind, and the tile in them, shows by its whole outline.
bool IsGhost(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background) {
  // On the rendered sequences, with all looks and without every third, arms had -1.00 to 0.32 of
  // it, and what they had left behind 0.46 to 0.88.
  constexpr double kMost = 30, kShows = 0.4, kNearBorder = 0.2, kSurelyShows = 1.3;
  constexpr double kTableLikeSkin = 0.3;
  cv::Mat outer, inner;
  cv::dilate(hand, outer, {});
  cv::erode(hand, inner, {}, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
  cv::Mat rim = outer & ~inner;
  const bool more_skin = MoreSkin(hand, picture, background);
  const cv::Mat beside = outer & ~hand;
  const bool table_like_skin =
      cv::countNonZero(LikeSkin(picture) & beside) > kTableLikeSkin * cv::countNonZero(beside);
  if (more_skin && !table_like_skin) return false;
  const cv::Mat1f as_before = StepAcross(hand, background), as_now = StepAcross(hand, picture);
  if (cv::mean(as_before, rim)[0] > kSurelyShows * cv::mean(as_now, rim)[0] && !more_skin) {
    return true;
  }
  const int near = cvRound(kNearBorder * hand.rows);
  if (2 * near < std::min(rim.cols, rim.rows)) {
    rim(cv::Rect(near, near, rim.cols - 2 * near, rim.rows - 2 * near)).setTo(0);
  }
  double sum = 0;
  int n = 0;
  for (int y = 0; y < rim.rows; ++y) {
    for (int x = 0; x < rim.cols; ++x) {
      if (!rim.at<uchar>(y, x)) continue;
      sum += std::clamp((as_before(y, x) - as_now(y, x)) / kMost, -1.0, 1.0);
      ++n;
    }
  }
  return sum > kShows * n;
}

// True if the background shows its outline as well: no hand, but a mug or a phone, in which a
// lamp that was switched is mirrored. As many hands do by chance, it tells only of such looks.
bool LayThere(const cv::Mat& thing, const cv::Mat& picture, const cv::Mat& background) {
  // As lamps were switched on virtual tables, phones had 0.48 to 0.66 of it.
  constexpr double kAsClear = 0.4;
  cv::Mat outer, inner;
  cv::dilate(thing, outer, {});
  cv::erode(thing, inner, {}, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
  const cv::Mat rim = outer & ~inner;
  return cv::mean(StepAcross(thing, background), rim)[0] >
         kAsClear * cv::mean(StepAcross(thing, picture), rim)[0];
}

// Takes away what hands that have gone left behind, and what only lies in another light.
void DropGhosts(const cv::Mat& picture, const cv::Mat& background, double light_change,
                cv::Mat& hands) {
  // Of a logarithm. Lamps that were switched had 0.13 to 0.17, other looks up to 0.05.
  constexpr double kSwitched = 0.1;
  cv::Mat labels;
  const int n = cv::connectedComponents(hands, labels);
  for (int i = 1; i < n; ++i) {
    const cv::Mat hand = labels == i;
    if (IsGhost(hand, picture, background) ||
        (light_change > kSwitched && LayThere(hand, picture, background))) {
      hands.setTo(0, hand);
    }
  }
}

// With nothing to compare to: skin that reaches in from the border where most
// of the border is something else.
cv::Mat SkinFromBorder(const cv::Mat& picture) {
  cv::Mat bytes, ycc, skin;
  picture.convertTo(bytes, CV_8U);
  cv::cvtColor(bytes, ycc, cv::COLOR_BGR2YCrCb);
  cv::inRange(ycc, cv::Scalar(50, 138, 85), cv::Scalar(240, 172, 125), skin);
  cv::morphologyEx(skin, skin, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
  const int border = 2 * (skin.cols + skin.rows);
  const int on_border = cv::countNonZero(skin.row(0)) + cv::countNonZero(skin.row(skin.rows - 1)) +
                        cv::countNonZero(skin.col(0)) + cv::countNonZero(skin.col(skin.cols - 1));
  // An arm crosses the border in one narrow place and reaches far in; paper and
  // wood do not.
  constexpr double kFarIn = 0.3;
  if (on_border == 0 || on_border > 0.1 * border) return cv::Mat::zeros(skin.size(), CV_8U);
  return FromBorder(skin, kFarIn);
}

// The background as a bumped camera would see it: shifted, turned and zoomed a little
// so that it fits the picture; empty if nothing of the kind fits.
cv::Mat Follow(const cv::Mat& background, const cv::Mat& picture) {
  cv::Mat from, to, warp = cv::Mat::eye(2, 3, CV_32F), moved;
  cv::cvtColor(background, from, cv::COLOR_BGR2GRAY);
  cv::cvtColor(picture, to, cv::COLOR_BGR2GRAY);
  cv::pyrDown(from, from);
  cv::pyrDown(to, to);
  cv::Mat window;
  cv::createHanningWindow(window, to.size(), CV_32F);
  const cv::Point2d shift = cv::phaseCorrelate(to, from, window);
  warp.at<float>(0, 2) = static_cast<float>(shift.x);
  warp.at<float>(1, 2) = static_cast<float>(shift.y);
  const auto refine = [&](int motion) {
    cv::Mat finer = warp.clone();
    try {
      cv::findTransformECC(to, from, finer, motion,
                           {cv::TermCriteria::COUNT + cv::TermCriteria::EPS, 20, 1e-3}, {}, 3);
    } catch (const cv::Exception&) {
      return false;  // it throws where the two have nothing in common
    }
    warp = finer;
    return true;
  };
  // First without zoom, which leads astray from far away.
  if (!refine(cv::MOTION_EUCLIDEAN)) return {};
  refine(cv::MOTION_AFFINE);
  // From the halved pictures to these.
  warp.at<float>(0, 2) *= 2;
  warp.at<float>(1, 2) *= 2;
  cv::warpAffine(background, moved, warp, picture.size(), cv::INTER_LINEAR | cv::WARP_INVERSE_MAP,
                 cv::BORDER_REPLICATE);
  return moved;
}

// In how much of the picture beside what may be a hand something differs, 0 to 1.
double SpreadBeside(const cv::Mat& hand, const cv::Mat& differs) {
  constexpr int kBlock_px = 12;
  constexpr double kEnough = 0.06;  // of a block
  const cv::Size size(differs.cols / kBlock_px, differs.rows / kBlock_px);
  cv::Mat wide, covered, blocks;
  cv::dilate(hand, wide, cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  cv::resize(wide, covered, size, 0, 0, cv::INTER_AREA);
  cv::resize(differs & ~wide, blocks, size, 0, 0, cv::INTER_AREA);
  blocks = cv::min(blocks, 255 * kEnough);
  return cv::mean(blocks, covered < 128)[0] / (255 * kEnough);
}

// True if a block of the picture changed more than noise does.
bool Moved(const cv::Mat& before, const cv::Mat& now) {
  constexpr double kChange = 5;
  cv::Mat difference, blocks;
  cv::absdiff(before, now, difference);
  cv::resize(difference, blocks, {now.cols / 6, now.rows / 6}, 0, 0, cv::INTER_AREA);
  // A flicker of the whole picture is no motion.
  const cv::Scalar common = cv::mean(blocks);
  int moved = 0;
  for (int y = 0; y < blocks.rows; ++y) {
    for (int x = 0; x < blocks.cols; ++x) {
      const cv::Vec3f d = blocks.at<cv::Vec3f>(y, x);
      double sum = 0;
      for (int c = 0; c < 3; ++c) sum += std::max(0.0, d[c] - common[c]);
      moved += sum / 3 > kChange;
    }
  }
  return moved > 0;
}

}  // namespace

Gate::Comparison Gate::Compare(const cv::Mat& background, const cv::Mat& picture) {
  Comparison c;
  const LightChange light = FitLightChange(background, picture);
  c.background = InOtherLight(background, light);
  c.light_change = light.Mean();
  const cv::Mat away = AwayFromBackground(c.background, picture);
  const float noise = std::clamp(Median(away) / 0.12F, 1.0F, 2.0F);
  cv::Mat foreign = away > kForeign * noise;
  c.sure = away > kSurelyForeign * noise;
  const auto pixels = static_cast<double>(foreign.total());
  c.sure_share = cv::countNonZero(c.sure) / pixels;
  cv::morphologyEx(foreign, foreign, cv::MORPH_OPEN, {});
  cv::morphologyEx(foreign, foreign, cv::MORPH_CLOSE,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
  c.hand =
      FromBorder(foreign, kReach) | BareHands(foreign, picture, c.background, kBareHand, kFullBox);
  c.foreign = foreign;
  if (cv::countNonZero(c.hand & c.sure) < kSurelyHand * pixels) c.hand.setTo(0);
  return c;
}

cv::Mat Gate::FindHand(const cv::Mat& picture, bool sparse, bool& camera_moved) {
  Comparison c = Compare(background_, picture);
  if (cv::countNonZero(c.hand) == 0) return c.hand;
  // Beside a hand alone nothing differs, and what the hand covers would lead astray.
  const bool still_beside = sparse && SpreadBeside(c.hand, c.sure) < kStillBeside;
  if ((!hand_before_ || sparse) && !still_beside) {
    // A bumped camera moves every edge, at the border too. In video it is looked at only
    // when something like a hand appears, because it is slow; between looks that are
    // seconds apart a hand may have gone and the camera been bumped.
    const cv::Mat moved = Follow(background_, picture);
    if (!moved.empty()) {
      const Comparison after = Compare(moved, picture);
      if (after.sure_share < 0.5 * c.sure_share) {
        camera_moved = true;
        background_ = moved;
        c = after;
      }
    }
  }
  const bool moved_unseen = sparse && SpreadBeside(c.hand, c.sure) > kMovedBeside;
  if (c.sure_share > kOtherPicture || moved_unseen) {
    camera_moved = true;
    return SkinFromBorder(picture);
  }
  DropGhosts(picture, c.background, c.light_change, c.hand);
  // Of a hand much like the table only its sleeve and parts may show.
  if (cv::countNonZero(c.hand) > 0) c.hand |= BareHands(c.foreign, picture, {}, kPartOfHand, 1);
  return c.hand;
}

bool Gate::StaysTooLong(const cv::Mat& picture, const cv::Mat& mask, std::int64_t time_ms) {
  if (!stayed_mask_.empty()) {
    const double both = cv::countNonZero(mask & stayed_mask_);
    const double either = cv::countNonZero(mask | stayed_mask_);
    cv::Mat difference;
    cv::absdiff(picture, stayed_picture_, difference);
    const cv::Scalar change = cv::mean(difference, mask);
    if (both > 0.9 * either && (change[0] + change[1] + change[2]) / 3 < 6) {
      return time_ms - stayed_since_ms_ > settings_.absorb_ms;
    }
  }
  stayed_mask_ = mask.clone();
  stayed_picture_ = picture.clone();
  stayed_since_ms_ = time_ms;
  return false;
}

GateResult Gate::Look(const cv::Mat& frame, std::int64_t time_ms) {
  GateResult result;
  const cv::Mat picture = Reduce(frame);
  const bool first = background_.empty() || background_.size() != picture.size();
  const bool sparse = result.sparse = first || time_ms - last_ms_ > settings_.sparse_ms;
  cv::Mat hand;
  if (first) {
    hand = SkinFromBorder(picture);
    background_ = picture.clone();
  } else {
    hand = FindHand(picture, sparse, result.camera_moved);
  }
  result.hand = cv::countNonZero(hand) > 0;
  hand_before_ = result.hand;
  if (result.hand && StaysTooLong(picture, hand, time_ms)) result.hand = false;
  if (result.hand) {
    KeepHand(hand, result);
  } else {
    background_ = picture.clone();
    stayed_mask_.release();
  }
  result.moving = !sparse && Moved(last_, picture);
  if (result.moving || sparse) stirred_ms_ = time_ms;
  result.quiet_ms = time_ms - stirred_ms_;
  if (result.hand || result.moving || (result.camera_moved && !sparse)) restless_ms_ = time_ms;
  const bool still = sparse ? !result.moving : time_ms - restless_ms_ >= settings_.still_ms;
  result.settled = !result.hand && still;
  last_ = picture;
  last_ms_ = time_ms;
  return result;
}

void Gate::KeepHand(const cv::Mat& hand, GateResult& result) {
  cv::dilate(hand, result.hand_mask, cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
}

std::optional<GateResult> Gate::LookAgain(const cv::Matx33d& px_now_from_px_before,
                                          cv::Size frame) {
  // A hand may be there as well.
  constexpr double kLess = 0.8;
  if (background_.empty() || background_.size() != last_.size()) return std::nullopt;
  const double sx = static_cast<double>(last_.cols) / frame.width;
  const double sy = static_cast<double>(last_.rows) / frame.height;
  const cv::Matx33d small_from_px(sx, 0, 0.5 * sx - 0.5, 0, sy, 0.5 * sy - 0.5, 0, 0, 1);
  const cv::Matx33d move = small_from_px * px_now_from_px_before * small_from_px.inv();
  cv::Mat moved, seen_before;
  cv::warpPerspective(background_, moved, move, last_.size());
  cv::warpPerspective(cv::Mat(last_.size(), CV_8U, cv::Scalar(255)), seen_before, move,
                      last_.size(), cv::INTER_NEAREST);
  last_.copyTo(moved, seen_before == 0);
  const Comparison before = Compare(background_, last_), after = Compare(moved, last_);
  if (after.sure_share > kLess * before.sure_share) return std::nullopt;
  GateResult result;
  result.sparse = result.camera_moved = true;
  cv::Mat hand = after.hand;
  DropGhosts(last_, after.background, after.light_change, hand);
  result.hand = cv::countNonZero(hand) > 0;
  if (result.hand) KeepHand(hand, result);
  background_ = result.hand ? moved : last_.clone();
  hand_before_ = result.hand;
  stayed_mask_.release();
  result.settled = !result.hand;
  return result;
}

std::vector<LatticeCell> HiddenCells(const cv::Mat& hand_mask, cv::Size frame,
                                     const TablePlane& plane, const std::vector<LatticeCell>& cells,
                                     double share) {
  std::vector<LatticeCell> hidden;
  if (hand_mask.empty()) return hidden;
  constexpr int kPoints = 8;  // along each side of a cell
  for (const LatticeCell& cell : cells) {
    int covered = 0;
    for (int i = 0; i < kPoints * kPoints; ++i) {
      const double u = cell.x + (i % kPoints + 0.5) / kPoints;
      const double v = cell.y + (i / kPoints + 0.5) / kPoints;
      const cv::Vec3d q = plane.px_from_lattice * cv::Vec3d(u, v, 1);
      const int x = static_cast<int>((q[0] / q[2] + 0.5) * hand_mask.cols / frame.width);
      const int y = static_cast<int>((q[1] / q[2] + 0.5) * hand_mask.rows / frame.height);
      if (x < 0 || y < 0 || x >= hand_mask.cols || y >= hand_mask.rows) continue;
      covered += hand_mask.at<uchar>(y, x) != 0;
    }
    if (covered > share * kPoints * kPoints) hidden.push_back(cell);
  }
  return hidden;
}

}  // namespace tilewarden::vision
