#include "vision/figures/figure_fit.h"

#include <algorithm>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

// Evidence, against a figure in a heap, of pixels that another one takes.
constexpr int kHiddenSays = 6, kOtherColourSays = 4;
// A form that gathers less than this share of what the best one does is not looked at closer.
constexpr double kWorthALook = 0.8;

// The pixels of a window that an outline covers.
cv::Mat Under(const FigureOutline& outline, cv::Point corner, cv::Size window) {
  cv::Mat under = cv::Mat::zeros(window, CV_8U);
  const cv::Rect place = cv::Rect(corner, outline.mask.size()) & cv::Rect({}, window);
  outline.mask(cv::Rect(place.tl() - corner, place.size())).copyTo(under(place));
  return under;
}

struct Candidate {
  FigureForm form;
  std::vector<FigureOutline> outlines;
  OutlineFit fit;
  const FigureOutline& outline() const { return outlines[static_cast<std::size_t>(fit.outline)]; }
};

const Candidate* Best(const std::vector<Candidate>& candidates) {
  const Candidate* best = nullptr;
  for (const Candidate& candidate : candidates) {
    if (candidate.fit.outline < 0) continue;
    if (best == nullptr || candidate.fit.score > best->fit.score) best = &candidate;
  }
  return best;
}

}  // namespace

void FigureFit::Take(bool standing) {
  const int of_pose = standing ? fit.standing : fit.lying;
  if (of_pose < 0 || outline().turn.standing == standing) return;
  fit.outline = of_pose;
  fit.corner = standing ? fit.standing_corner : fit.lying_corner;
  fit.score = standing ? fit.standing_score : fit.lying_score;
  under = Under(outline(), fit.corner, under.size());
  whole = static_cast<double>(outline().area) * kFullEvidence;
  visible = cv::mean(evidence.weight, under)[0] * cv::countNonZero(under);
}

std::optional<FigureFit> FitFigure(const FigureSigns& signs, const BoardView& view,
                                   const CameraPose& pose, const FigurePiece& sought,
                                   const std::vector<FigureForm>& forms) {
  const cv::Rect& window = sought.window;
  const auto weigh = [&](const cv::Mat& painted) {
    FigureEvidence evidence = signs.Weigh(window, signs.PaintOfPiece(painted, window.tl()));
    evidence.value.setTo(sought.heap ? -kHiddenSays : -kFullEvidence, sought.taken);
    evidence.value.setTo(-kOtherColourSays, sought.others);
    return evidence;
  };
  const cv::Moments m = cv::moments(sought.piece, true);
  const cv::Point2f middle(static_cast<float>(m.m10 / m.m00), static_cast<float>(m.m01 / m.m00));
  const cv::Point2d at =
      view.LatticeFromView(cv::Point2d(middle.x + window.x, middle.y + window.y));
  const bool crowd = cv::countNonZero(sought.piece) > 2.5 * kSmallestFigure_px;
  const int reach = crowd ? std::max(12, std::max(sought.box.width, sought.box.height) / 2) : 12;
  FigureEvidence evidence = weigh(sought.piece);
  std::vector<Candidate> rough;
  for (const FigureForm form : forms) {
    Candidate candidate{form, Outlines(form, pose, at, BoardView::kSide_px, EveryTurn(form)), {}};
    candidate.fit = FitOutline(evidence.value, candidate.outlines, middle, reach);
    rough.push_back(std::move(candidate));
  }
  const Candidate* first = Best(rough);
  if (first == nullptr) return std::nullopt;
  // The paint told the place; now the place tells the paint, and that a finer
  // place and turn.
  constexpr int kFineReach_px = 6;
  evidence = weigh(Under(first->outline(), first->fit.corner, window.size()) & ~sought.others);
  std::vector<Candidate> fine;
  for (const Candidate& candidate : rough) {
    if (candidate.fit.outline < 0 || candidate.fit.score < kWorthALook * first->fit.score) continue;
    const FigureOutline& found = candidate.outline();
    const cv::Point2f corner = candidate.fit.corner;
    const cv::Point2f centre(corner.x + found.mask.cols / 2.0F, corner.y + found.mask.rows / 2.0F);
    std::vector<FigureTurn> turns;
    for (const int i : {candidate.fit.standing, candidate.fit.lying}) {
      if (i < 0) continue;
      for (const FigureTurn& t : TurnsNear(candidate.outlines[static_cast<std::size_t>(i)].turn)) {
        turns.push_back(t);
      }
    }
    const cv::Point2f foot = corner + found.foot_px;
    const cv::Point2d foot_in_view(window.x + foot.x, window.y + foot.y);
    Candidate closer{candidate.form,
                     Outlines(candidate.form, pose, view.LatticeFromView(foot_in_view),
                              BoardView::kSide_px, turns),
                     {}};
    closer.fit = FitOutline(evidence.value, closer.outlines, centre, kFineReach_px);
    fine.push_back(std::move(closer));
  }
  const Candidate* best = Best(fine);
  if (best == nullptr) return std::nullopt;
  FigureFit fit;
  fit.form = best->form;
  fit.outlines = best->outlines;
  fit.fit = best->fit;
  fit.evidence = std::move(evidence);
  fit.under = Under(fit.outline(), fit.fit.corner, window.size());
  fit.whole = static_cast<double>(fit.outline().area) * kFullEvidence;
  fit.visible = cv::mean(fit.evidence.weight, fit.under)[0] * cv::countNonZero(fit.under);
  return fit;
}

}  // namespace tilewarden::vision
