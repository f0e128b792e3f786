#include "calibration/camera/table_cards.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "calibration/camera/board_look.h"
#include "opencv2/aruco.hpp"
#include "opencv2/calib3d.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {
namespace {

// The points of one card, straightened, as CardPoints_mm has them.
using CardPoints = std::vector<cv::Point2f>;

// A card that bends or lies on something is off by more.
constexpr double kFlat_px = 1.0;

std::vector<CardPoints> FindCards(const cv::Mat& grey, const Lens& lens) {
  const auto parameters = cv::aruco::DetectorParameters::create();
  parameters->cornerRefinementMethod = cv::aruco::CORNER_REFINE_CONTOUR;
  std::vector<std::vector<cv::Point2f>> markers;
  std::vector<int> ids;
  cv::aruco::detectMarkers(grey, MarkerDictionary(), markers, ids, parameters);
  std::vector<CardPoints> cards;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const int card = ids[i] - CornerCard::kFirstMarker;
    if (card < 0 || card >= CornerCard::kCount) continue;
    const cv::Mat h = cv::getPerspectiveTransform(CardMarker_mm(), markers[i]);
    CardPoints expected;
    cv::perspectiveTransform(CardPoints_mm(), expected, h);
    CardPoints points = expected;
    // Within the squares around a point, whichever way the card is turned.
    const double side_px =
        std::min(cv::norm(markers[i][0] - markers[i][1]), cv::norm(markers[i][1] - markers[i][2]));
    const double reach = 0.6 * CornerCard::kSquare_mm * side_px / CornerCard::kMarker_mm;
    RefineCorners(grey, reach, &points);
    bool clear = true;
    for (std::size_t n = 0; n < points.size(); ++n) {
      clear = clear && cv::norm(points[n] - expected[n]) < reach &&
              cv::Rect2f(0, 0, static_cast<float>(grey.cols), static_cast<float>(grey.rows))
                  .contains(points[n]);
    }
    if (clear) cards.push_back(Moved(points, lens, lens.Straight()));
  }
  return cards;
}

// Unknowns: how the plane lies before the camera (turn and place, three each),
// and for each card its place and turn on the plane (three), which starts where
// the camera's first view puts it. What the plane's own place on itself adds is
// held by a faint pull to the start.
class Residuals : public cv::LMSolver::Callback {
 public:
  Residuals(const std::vector<CardPoints>& cards, const Lens& straight, cv::Mat start)
      : cards_(cards), straight_(straight), start_(std::move(start)) {}

  bool compute(cv::InputArray param, cv::OutputArray err, cv::OutputArray jacobian) const override {
    const cv::Mat at = param.getMat();
    const cv::Mat here = ErrorsAt(at);
    here.copyTo(err);
    if (!jacobian.needed()) return true;
    cv::Mat j(here.rows, at.rows, CV_64F);
    for (int i = 0; i < at.rows; ++i) {
      cv::Mat moved = at.clone();
      const double step = 1e-6 * std::max(1.0, std::abs(at.at<double>(i)));
      moved.at<double>(i) += step;
      cv::Mat column = (ErrorsAt(moved) - here) / step;
      column.copyTo(j.col(i));
    }
    j.copyTo(jacobian);
    return true;
  }

  static cv::Matx33d PxFromTable(const cv::Mat& at, const Lens& straight) {
    cv::Matx33d r;
    cv::Rodrigues(cv::Vec3d(at.at<double>(0), at.at<double>(1), at.at<double>(2)), r);
    for (int i = 0; i < 3; ++i) r(i, 2) = at.at<double>(3 + i);
    return straight.CameraMatrix() * r;
  }

 private:
  cv::Mat ErrorsAt(const cv::Mat& at) const {
    const cv::Matx33d h = PxFromTable(at, straight_);
    std::vector<double> errors;
    for (std::size_t card = 0; card < cards_.size(); ++card) {
      const double* place = at.ptr<double>(6 + 3 * static_cast<int>(card));
      const double c = std::cos(place[2]), s = std::sin(place[2]);
      for (std::size_t n = 0; n < 4; ++n) {
        const cv::Point2f p = CardPoints_mm()[n];
        const cv::Vec3d px =
            h * cv::Vec3d(place[0] + c * p.x - s * p.y, place[1] + s * p.x + c * p.y, 1);
        errors.push_back(px[0] / px[2] - cards_[card][n].x);
        errors.push_back(px[1] / px[2] - cards_[card][n].y);
      }
    }
    for (int i = 0; i < at.rows; ++i) {
      errors.push_back(1e-7 * (at.at<double>(i) - start_.at<double>(i)));
    }
    return cv::Mat(errors, true);
  }

  const std::vector<CardPoints>& cards_;
  const Lens straight_;
  const cv::Mat start_;
};

// From the card that is seen largest: its plane, and where the others lie on it.
// A small card looks nearly the same tilted this way and that: two starts.
std::vector<cv::Mat> Starts(const std::vector<CardPoints>& cards, const Lens& straight) {
  const auto largest = std::max_element(
      cards.begin(), cards.end(),
      [](const auto& a, const auto& b) { return cv::contourArea(a) < cv::contourArea(b); });
  std::vector<cv::Point3f> on_card;
  for (const cv::Point2f& p : CardPoints_mm()) on_card.emplace_back(p.x, p.y, 0.0F);
  std::vector<cv::Mat> turns, places, starts;
  cv::solvePnPGeneric(on_card, *largest, straight.CameraMatrix(), cv::noArray(), turns, places,
                      false, cv::SOLVEPNP_IPPE);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    cv::Mat at(6 + 3 * static_cast<int>(cards.size()), 1, CV_64F);
    turns[i].reshape(1, 3).copyTo(at.rowRange(0, 3));
    places[i].reshape(1, 3).copyTo(at.rowRange(3, 6));
    const cv::Matx33d table_from_px = Residuals::PxFromTable(at, straight).inv();
    for (std::size_t card = 0; card < cards.size(); ++card) {
      CardPoints on_table;
      cv::perspectiveTransform(cards[card], on_table, table_from_px);
      const cv::Point2f middle = (on_table[0] + on_table[1] + on_table[2] + on_table[3]) / 4;
      const cv::Point2f along = on_table[1] - on_table[0];
      double* out = at.ptr<double>(6 + 3 * static_cast<int>(card));
      out[0] = middle.x, out[1] = middle.y, out[2] = std::atan2(along.y, along.x);
    }
    starts.push_back(at);
  }
  return starts;
}

// Moves the unknowns to where the points fit best; root mean square distance of
// the points, in pixels.
double Fit(const std::vector<CardPoints>& cards, const Lens& straight, cv::Mat* at) {
  const auto residuals = cv::makePtr<Residuals>(cards, straight, at->clone());
  cv::LMSolver::create(residuals, 60)->run(*at);
  cv::Mat errors;
  residuals->compute(*at, errors, cv::noArray());
  const int points = 4 * static_cast<int>(cards.size());
  return cv::norm(errors.rowRange(0, 2 * points)) / std::sqrt(points);
}

// The same plane with its origin in the middle of the cards, and turned so that
// its x runs to the right in the picture.
cv::Matx33d Upright(const cv::Matx33d& px_from_table, const std::vector<CardPoints>& cards) {
  cv::Point2f middle;
  for (const auto& card : cards) {
    middle += (card[0] + card[1] + card[2] + card[3]) / (4 * static_cast<float>(cards.size()));
  }
  std::vector<cv::Point2f> on_table;
  cv::perspectiveTransform(std::vector<cv::Point2f>{middle, middle + cv::Point2f(10, 0)}, on_table,
                           px_from_table.inv());
  const cv::Point2f along = on_table[1] - on_table[0];
  const double length = cv::norm(along), c = along.x / length, s = along.y / length;
  return px_from_table * cv::Matx33d(c, -s, on_table[0].x, s, c, on_table[0].y, 0, 0, 1);
}

}  // namespace

absl::StatusOr<TableView> FindTable(const cv::Mat& picture, const Lens& lens) {
  if (picture.size() != lens.size_px) {
    return absl::InvalidArgumentError(absl::StrFormat(
        "the picture is %dx%d and the profile was made at %dx%d: calibrate the lens at this size",
        picture.cols, picture.rows, lens.size_px.width, lens.size_px.height));
  }
  cv::Mat grey = picture;
  if (picture.channels() == 3) cv::cvtColor(picture, grey, cv::COLOR_BGR2GRAY);
  const std::vector<CardPoints> cards = FindCards(grey, lens);
  if (cards.size() < 2) {
    return absl::NotFoundError(absl::StrCat(
        cards.empty() ? "no corner card" : "only one corner card",
        " is clear in the picture: lay the printed cards flat near the corners of the table, "
        "uncovered and without glare"));
  }
  cv::Mat at;
  TableView view;
  view.cards = static_cast<int>(cards.size());
  for (cv::Mat& start : Starts(cards, lens.Straight())) {
    const double rms_px = Fit(cards, lens.Straight(), &start);
    if (at.empty() || rms_px < view.rms_px) view.rms_px = rms_px, at = start;
  }
  if (!(view.rms_px <= kFlat_px)) {
    return absl::FailedPreconditionError(absl::StrFormat(
        "the corner cards do not lie in one plane (%.1f px off): lay them flat on the table, and "
        "check that they were printed at 100 %%",
        view.rms_px));
  }
  view.px_from_table = Upright(Residuals::PxFromTable(at, lens.Straight()), cards);
  return view;
}

}  // namespace tilewarden::calibration
