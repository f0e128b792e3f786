#include "vision/figures/figure_kind_network.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kSide = FigureLook::kSide_px;
// The kinds, none, and the logit of standing.
constexpr std::size_t kNone = kToldKinds, kStanding = kNone + 1, kKindOutputs = kStanding + 1;
// As in training (scripts/train/figure_kinds.py).
constexpr float kMiddle = 0.4F, kContrast = 0.25F;
// From this probability a kind that nobody expects is told at all.
constexpr double kClearlyUnexpected = 0.95;

cv::Mat AsTrained(const FigureLook& look) {
  cv::Mat colours, seen;
  look.picture.convertTo(colours, CV_32F, 1 / (255 * kContrast), -kMiddle / kContrast);
  cv::merge(std::vector<cv::Mat>{colours, cv::Mat(colours.size(), CV_32F, look.lean)}, seen);
  return seen;
}

}  // namespace

FigureLook LookAt(const cv::Mat& frame, const cv::Matx33d& px_from_lattice, const CameraPose& pose,
                  cv::Point2d foot, const cv::Vec3f& white) {
  const cv::Point2d away = foot - pose.centre;
  const double length = std::max(1e-9, cv::norm(away));
  const cv::Point2d up = away * (1 / length), right(-up.y, up.x);
  FigureLook look;
  look.lean = static_cast<float>(length / pose.height);
  // The middle of a standing follower is in the middle.
  constexpr double kMiddleHeight = 8.0 / 45;
  const cv::Point2d middle = pose.OnTable(foot, kMiddleHeight);
  constexpr double kTile = 1 / FigureLook::kPx_per_tile, kHalf = (kSide - 1) / 2.0;
  const cv::Matx33d lattice_from_look(
      right.x * kTile, -up.x * kTile, middle.x - (right.x - up.x) * kHalf * kTile,  //
      right.y * kTile, -up.y * kTile, middle.y - (right.y - up.y) * kHalf * kTile,  //
      0, 0, 1);
  cv::warpPerspective(frame, look.picture, px_from_lattice * lattice_from_look, {kSide, kSide},
                      cv::INTER_LINEAR | cv::WARP_INVERSE_MAP, cv::BORDER_REPLICATE);
  const cv::Scalar lit(255 / std::max(white[0], 20.F), 255 / std::max(white[1], 20.F),
                       255 / std::max(white[2], 20.F));
  cv::multiply(look.picture, lit, look.picture);
  return look;
}

std::optional<KindProbability> UnexpectedKind(const FigureKindAnswer& look,
                                              const std::vector<FigureKind>& expected) {
  for (const FigureKindFacts& facts : FigureKinds()) {
    const bool may_be_expected =
        std::any_of(expected.begin(), expected.end(),
                    [&](FigureKind kind) { return FactsOf(kind).told_by == facts.told_by; });
    if (facts.kind == FigureKind::kFollower || look.Of(facts.kind) < kClearlyUnexpected ||
        may_be_expected) {
      continue;
    }
    return KindProbability{facts.kind, look.Of(facts.kind)};
  }
  return std::nullopt;
}

absl::StatusOr<FigureKindNetwork> FigureKindNetwork::Load(const std::filesystem::path& folder) {
  absl::StatusOr<Network> network = Network::Load(folder / "figure_kind_network.onnx");
  if (absl::IsNotFound(network.status())) {
    return absl::NotFoundError(
        absl::StrCat("no network of figures' kinds in ", folder.string(),
                     ": figure_kind_network.onnx belongs there (or set TILEWARDEN_MODELS)"));
  }
  if (network.ok()) {
    const std::vector<cv::Mat> said = network->Run({cv::Mat::zeros(kSide, kSide, CV_32FC4)});
    if (!said.empty() && said.front().total() == 1 &&
        said.front().channels() == static_cast<int>(kKindOutputs)) {
      return FigureKindNetwork(*std::move(network));
    }
  }
  return absl::DataLossError(absl::StrCat("the network of figures' kinds in ", folder.string(),
                                          " is damaged or of another version: fetch it again"));
}

FigureKindAnswer FigureKindNetwork::Tell(const FigureLook& look) const {
  const cv::Mat said = network_.Run({AsTrained(look)}).front();
  const float* scores = said.ptr<float>();
  const float top = *std::max_element(scores, scores + kStanding);
  std::array<double, kStanding> shares{};
  double sum = 0;
  for (std::size_t k = 0; k < kStanding; ++k) sum += shares[k] = std::exp(scores[k] - top);
  FigureKindAnswer answer;
  for (std::size_t k = 0; k < answer.kinds.size(); ++k) answer.kinds[k] = shares[k] / sum;
  answer.none = shares[kNone] / sum;
  answer.standing_logit = scores[kStanding];
  return answer;
}

}  // namespace tilewarden::vision
