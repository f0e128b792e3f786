#include "vision/gate/hand_mask.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "opencv2/imgproc.hpp"
#include "vision/gate/light_change.h"
#include "vision/picture/median.h"

namespace tilewarden::vision {
namespace {

// A hand covers at least this share of the picture and reaches this share of
// its height inwards: a finger at the border moves nothing.
constexpr double kSmallestHand = 0.006;
constexpr double kReach = 0.10;

// The places that a mask covers, and how large a tile is there. A hand covers some as well, but
// more of the table beside them.
struct Laid {
  cv::Mat mask;          // CV_8U, empty where none is
  double tile_area = 0;  // pixels, the median
};
Laid LaidTiles(const cv::Mat& foreign, const std::vector<TilePlace>& places) {
  constexpr double kCovered = 0.7;  // hands lay tiles askew, and parts may be like the table
  Laid laid;
  const cv::Rect picture({}, foreign.size());
  std::vector<float> areas;
  for (const TilePlace& place : places) {
    const std::vector<cv::Point2f> corners(place.begin(), place.end());
    const cv::Rect box = cv::boundingRect(corners) & picture;
    const double area = cv::contourArea(corners);
    if (box.empty()) continue;
    std::vector<cv::Point> outline;
    for (const cv::Point2f& corner : corners) {
      outline.emplace_back(cvRound(corner.x) - box.x, cvRound(corner.y) - box.y);
    }
    cv::Mat tile(box.size(), CV_8U, cv::Scalar(0));
    cv::fillConvexPoly(tile, outline, cv::Scalar(255));
    areas.push_back(static_cast<float>(area));
    if (cv::countNonZero(tile & foreign(box)) < kCovered * area) continue;
    if (laid.mask.empty()) laid.mask = cv::Mat::zeros(foreign.size(), CV_8U);
    laid.mask(box) |= tile;
  }
  if (!areas.empty()) laid.tile_area = Median(std::move(areas));
  return laid;
}

// How much of a part is no tile that was laid.
double Rest(const cv::Mat& part, double area, const Laid& laid) {
  return laid.mask.empty() ? area : area - cv::countNonZero(part & laid.mask);
}

// The parts of a mask that reach in from the border and are as large as a hand.
cv::Mat FromBorder(const cv::Mat& mask, double least_reach, const Laid& laid = {}) {
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
    const double least = kSmallestHand * static_cast<double>(mask.total());
    if (!reaches || area <= least) continue;
    const cv::Mat part = labels == i;
    if (Rest(part, area, laid) > least) from_border.setTo(255, part);
  }
  return from_border;
}

// Colours of skin, as brightness, red and blue difference (8-bit YCrCb), from the darkest and
// greyest to the brightest and strongest.
struct SkinColours {
  cv::Scalar from, to;
};
// All that skin may have, and wood and tiles as well: for what is known to be new on the table.
const SkinColours kMaybeSkin = {{30, 134, 85}, {240, 180, 130}};
// What hardly anything else has: where nothing is known of the table.
const SkinColours kSurelySkin = {{50, 138, 85}, {240, 172, 125}};

// 8-bit YCrCb.
cv::Mat ColoursOf(const cv::Mat& picture) {
  cv::Mat bytes, ycc;
  picture.convertTo(bytes, CV_8U);
  cv::cvtColor(bytes, ycc, cv::COLOR_BGR2YCrCb);
  return ycc;
}

cv::Mat LikeSkin(const cv::Mat& picture, const SkinColours& colours = kMaybeSkin) {
  cv::Mat skin;
  cv::inRange(ColoursOf(picture), colours.from, colours.to, skin);
  return skin;
}

// Whether the picture has more of the colour of skin there than the background had.
bool MoreSkin(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background) {
  constexpr double kMore =
      0.2;  // of the hand's area: less takes light on a table like skin for one
  const int now = cv::countNonZero(LikeSkin(picture) & hand);
  return now - cv::countNonZero(LikeSkin(background) & hand) > kMore * cv::countNonZero(hand);
}

// Whether much of what is beside it is like skin: then skin tells nothing.
bool TableIsLikeSkin(const cv::Mat& hand, const cv::Mat& picture) {
  constexpr double kTableLikeSkin = 0.3;
  cv::Mat outer;
  cv::dilate(hand, outer, {});
  const cv::Mat beside = outer & ~hand;
  return cv::countNonZero(LikeSkin(picture) & beside) > kTableLikeSkin * cv::countNonZero(beside);
}

// Bare hands of which the sleeve is of the table's colour, so that they seem not to reach in
// from the border. Of 1,300 looks at virtual tables 14 such hands had 0.024 to 0.055 of the
// picture, 0.87 to 1 of it like skin, and filled 0.65 to 0.82 of a box around them; no tile that
// was laid had more than 0.02 of the picture and filled less than 0.87. With what shows of such a
// sleeve over tiles it is less like skin, but then more so than what is `behind` it (empty: not
// known), or large and long: 6 such had 0.06 to 0.08 of the picture, 4.1 to 4.9 times as long as
// wide; boards that were pushed fill less than half of a box. A dark hand over a red felt, which
// itself is like skin, had 0.13 of the picture, 0.84 of it like skin.
constexpr double kBareHand = 0.02, kFullBox = 0.85, kPartOfHand = 0.003;
// Where tiles look larger, a hand does so too: it leaves more than this many beside those laid.
constexpr double kBareHand_tiles = 0.75;
// Where tiles look small, a hand does so too: from this many beside those laid, what is half like
// skin and more so than what is behind it is a hand. On a far camera such had 4 to 8, and 0.57 to
// 0.83 of it like skin.
constexpr double kSmallHand_tiles = 3;
cv::Mat BareHands(const cv::Mat& mask, const cv::Mat& picture, const cv::Mat& behind, double least,
                  double full, const Laid& laid = {}) {
  // Shares of its area that are like skin; then what an arm is by its size and shape.
  constexpr double kSkin = 0.85, kSkinAndSleeve = 0.3, kMostlySkin = 0.6, kSmallSkin = 0.5;
  constexpr double kLarge = 0.04, kLong = 3, kHalfOfBox = 0.5;
  cv::Mat labels, stats, centroids, hands = cv::Mat::zeros(mask.size(), CV_8U);
  const int n = cv::connectedComponentsWithStats(mask, labels, stats, centroids);
  const auto whole = static_cast<double>(mask.total());
  const double usual_area = std::max(least * whole, kBareHand_tiles * laid.tile_area);
  const double small_area = std::max(kSmallestHand * whole, kSmallHand_tiles * laid.tile_area);
  const double least_area = laid.tile_area > 0 ? std::min(usual_area, small_area) : usual_area;
  cv::Mat skin;
  for (int i = 1; i < n; ++i) {
    const double area = stats.at<int>(i, cv::CC_STAT_AREA);
    if (area < least_area) continue;
    const cv::Mat part = labels == i;
    const double rest = Rest(part, area, laid);
    if (rest < least_area) continue;
    if (skin.empty()) skin = LikeSkin(picture);
    std::vector<cv::Point> pixels;
    cv::findNonZero(part, pixels);
    const cv::Size2f box = cv::minAreaRect(pixels).size;
    const double filled = area / ((box.width + 1) * (box.height + 1));
    if (filled >= full) continue;
    const double like_skin = cv::countNonZero(part & skin) / area;
    const bool large = area >= kLarge * whole && filled > kHalfOfBox;
    const bool arm =
        large && (like_skin >= kMostlySkin ||
                  std::max(box.width, box.height) > kLong * std::min(box.width, box.height));
    const bool more =
        like_skin >= kSkinAndSleeve && !behind.empty() && MoreSkin(part, picture, behind);
    const bool is_hand =
        rest < usual_area ? more && like_skin >= kSmallSkin : like_skin >= kSkin || more || arm;
    if (is_hand) hands |= part;
  }
  return hands;
}

// Step of the colour across the outline of a mask, place by place: a table's
// grain averages out over a place, skin and sleeve do not.
cv::Mat1f StepAcross(const cv::Mat& mask, const cv::Mat& picture) {
  constexpr int kPlace_px = 9;  // more blurs fingers, less lets grain through
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

// The colours of a table, told by the parts of a picture where nothing differs. Counted when they
// are first asked for.
class TableColours {
 public:
  TableColours(const cv::Mat& picture, const cv::Mat& differs)
      : picture_(picture), differs_(differs) {}

  // Of what a picture has within a mask.
  struct Likeness {
    double common = 0;   // how common its colours are on the table: the mean logarithm of the share
    double strange = 0;  // the share of it whose colours the table hardly has
  };
  Likeness Of(const cv::Mat& picture, const cv::Mat& mask) {
    if (counts_.empty()) CountAll();
    constexpr double kLeast = 1e-5, kHardly = 2e-4;  // shares of the table
    const cv::Mat ycc = ColoursOf(picture);
    Likeness likeness;
    int n = 0;
    for (int y = 0; y < ycc.rows; ++y) {
      for (int x = 0; x < ycc.cols; ++x) {
        if (!mask.at<uchar>(y, x)) continue;
        const double share = counts_[Cell(ycc.at<cv::Vec3b>(y, x))] / std::max(whole_, 1.0);
        likeness.common += std::log(share + kLeast);
        likeness.strange += share < kHardly;
        ++n;
      }
    }
    likeness.common /= std::max(n, 1);
    likeness.strange /= std::max(n, 1);
    return likeness;
  }

 private:
  // Cells of 16 levels of brightness and 4 of each colour difference, one more at each end.
  static constexpr int kY = 256 / 16 + 2, kC = 256 / 4 + 2;

  static std::size_t Cell(const cv::Vec3b& colour, int dy = 0, int dr = 0, int db = 0) {
    const int y = colour[0] / 16 + 1 + dy, r = colour[1] / 4 + 1 + dr, b = colour[2] / 4 + 1 + db;
    return static_cast<std::size_t>((y * kC + r) * kC + b);
  }
  void CountAll() {
    counts_.assign(kY * kC * kC, 0.F);
    const cv::Mat ycc = ColoursOf(picture_);
    cv::Mat wide;
    cv::dilate(differs_, wide, cv::getStructuringElement(cv::MORPH_ELLIPSE, {7, 7}));
    for (int y = 0; y < ycc.rows; ++y) {
      for (int x = 0; x < ycc.cols; ++x) {
        if (!wide.at<uchar>(y, x)) Count(ycc.at<cv::Vec3b>(y, x));
      }
    }
  }
  // In the cells beside its own as well: light and grain waver.
  void Count(const cv::Vec3b& colour) {
    constexpr std::array<float, 3> kSpread = {0.25F, 0.5F, 0.25F};
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        for (int k = 0; k < 3; ++k) {
          counts_[Cell(colour, i - 1, j - 1, k - 1)] += kSpread[static_cast<std::size_t>(i)] *
                                                        kSpread[static_cast<std::size_t>(j)] *
                                                        kSpread[static_cast<std::size_t>(k)];
        }
      }
    }
    ++whole_;
  }

  cv::Mat picture_, differs_;
  std::vector<float> counts_;
  double whole_ = 0;
};

// Which of the two is the table, by its colours beside what differs. Of 9,134 parts that seemed
// hands, ghosts told by their outlines had -0.4 to 3.7 more of them in the picture, and arms across
// stripes, which are steps themselves, -9 to -0.6. What missed hands had covered had 3.7 to 3.9,
// and 0.43 to 0.67 of the background was strange; whole hands had at most 2.3.
enum class TableIs : std::uint8_t { kUnknown, kInPicture, kInBackground };
TableIs WhichIsTable(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background,
                     TableColours& table) {
  constexpr double kSurelyPicture = 3, kSurelyBackground = -0.5, kStrange = 0.4;
  const auto now = table.Of(picture, hand), before = table.Of(background, hand);
  const double more = now.common - before.common;
  // New tiles may be strange as well.
  if (before.strange <= kStrange) {
    return more < kSurelyBackground ? TableIs::kInBackground : TableIs::kUnknown;
  }
  return more > kSurelyPicture ? TableIs::kInPicture : TableIs::kUnknown;
}

// True if it is the background that held the hand, and it has gone: most of its outline shows
// there. That of the arm, near the border, tells: further in the outline may run through tiles.
// What only the fingers left behind, and the tile in them, shows by its whole outline.
bool IsGhost(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background) {
  // On the rendered sequences, with all looks and without every third, arms had -1.00 to 0.32 of
  // it, and what they had left behind 0.46 to 0.88.
  constexpr double kMost = 30, kShows = 0.4, kNearBorder = 0.2, kSurelyShows = 1.3;
  cv::Mat outer, inner;
  cv::dilate(hand, outer, {});
  cv::erode(hand, inner, {}, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
  cv::Mat rim = outer & ~inner;
  const bool more_skin = MoreSkin(hand, picture, background);
  if (more_skin && !TableIsLikeSkin(hand, picture)) return false;
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
  // As lamps were switched on virtual tables, phones had 0.48 to 0.66 of it. An arm right across
  // the table, which changes the light of the picture, too, had 0.31 of the picture.
  constexpr double kAsClear = 0.4, kLargestThing = 0.15;
  if (cv::countNonZero(thing) > kLargestThing * static_cast<double>(thing.total())) return false;
  cv::Mat outer, inner;
  cv::dilate(thing, outer, {});
  cv::erode(thing, inner, {}, {-1, -1}, 1, cv::BORDER_CONSTANT, cv::Scalar(255));
  const cv::Mat rim = outer & ~inner;
  return cv::mean(StepAcross(thing, background), rim)[0] >
         kAsClear * cv::mean(StepAcross(thing, picture), rim)[0];
}

// Takes away the parts of which this is true. True where something was.
template <typename Predicate>
bool DropParts(cv::Mat& hands, Predicate&& gone) {
  bool dropped = false;
  cv::Mat labels;
  const int n = cv::connectedComponents(hands, labels);
  for (int i = 1; i < n; ++i) {
    const cv::Mat hand = labels == i;
    if (!gone(hand)) continue;
    hands.setTo(0, hand);
    dropped = true;
  }
  return dropped;
}

}  // namespace

cv::Mat HandsAmong(const cv::Mat& foreign, const cv::Mat& picture, const cv::Mat& background,
                   const std::vector<TilePlace>& places) {
  const Laid laid = LaidTiles(foreign, places);
  return FromBorder(foreign, kReach, laid) |
         BareHands(foreign, picture, background, kBareHand, kFullBox, laid);
}

cv::Mat PartsOfHands(const cv::Mat& foreign, const cv::Mat& picture) {
  return BareHands(foreign, picture, {}, kPartOfHand, 1);
}

bool DropGhosts(const cv::Mat& picture, const cv::Mat& background, double light_change,
                const cv::Mat& foreign, const cv::Mat& new_since, cv::Mat& hands) {
  // Shares of a hand. Where it left the table as it was before, little is new, but for a tile that
  // it laid; a hand that came is new. Outlines tell less of those much like the table: they show
  // what the hand covers.
  constexpr double kBack = 0.3, kCame = 0.7;
  TableColours table(picture, foreign);
  // What was before the last large change may show a missed hand as well.
  const auto is_ghost = [&](const cv::Mat& hand) {
    const double is_new =
        new_since.empty()
            ? 0.5
            : static_cast<double>(cv::countNonZero(hand & new_since)) / cv::countNonZero(hand);
    if (is_new < kBack) return true;
    const TableIs table_is = WhichIsTable(hand, picture, background, table);
    return table_is == TableIs::kInPicture ||
           (is_new < kCame && table_is != TableIs::kInBackground &&
            IsGhost(hand, picture, background));
  };
  return DropParts(hands, [&](const cv::Mat& hand) {
    return is_ghost(hand) || (light_change > kSwitchedLamp && LayThere(hand, picture, background));
  });
}

bool DropWhatIsBack(const cv::Mat& picture, const cv::Mat& background, const cv::Mat& foreign,
                    const cv::Mat& new_since, cv::Mat& hands) {
  // What hands that were missed twice had covered had 0 to 0.08 of it, a brown hand over wood
  // 0.37.
  constexpr double kBack = 0.2;
  TableColours table(picture, foreign);
  return DropParts(hands, [&](const cv::Mat& hand) {
    return cv::countNonZero(hand & new_since) < kBack * cv::countNonZero(hand) &&
           !MoreSkin(hand, picture, background) &&
           WhichIsTable(hand, picture, background, table) != TableIs::kInBackground;
  });
}

bool ShowsSkin(const cv::Mat& hand, const cv::Mat& picture, const cv::Mat& background) {
  return MoreSkin(hand, picture, background) && !TableIsLikeSkin(hand, picture);
}

cv::Mat SkinFromBorder(const cv::Mat& picture) {
  cv::Mat skin = LikeSkin(picture, kSurelySkin);
  cv::morphologyEx(skin, skin, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {5, 5}));
  const int border = 2 * (skin.cols + skin.rows);
  const int on_border = cv::countNonZero(skin.row(0)) + cv::countNonZero(skin.row(skin.rows - 1)) +
                        cv::countNonZero(skin.col(0)) + cv::countNonZero(skin.col(skin.cols - 1));
  // An arm crosses the border in one narrow place and reaches far in; paper and
  // wood do not.
  constexpr double kFarIn = 0.3;
  constexpr double kMostOfBorder = 0.1;
  if (on_border == 0 || on_border > kMostOfBorder * border)
    return cv::Mat::zeros(skin.size(), CV_8U);
  return FromBorder(skin, kFarIn);
}

}  // namespace tilewarden::vision
