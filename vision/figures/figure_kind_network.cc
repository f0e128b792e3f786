#include "vision/figures/figure_kind_network.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <string>

#include "absl/strings/str_cat.h"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kSide = FigureLook::kSide_px;
// The kinds, none, and the logit of standing.
constexpr std::size_t kNone = kFigureKinds, kStanding = kNone + 1, kOutputs = kStanding + 1;
// As in training (scripts/train/figure_kinds.py).
constexpr float kMiddle = 0.4F, kContrast = 0.25F;

cv::Mat BlobOf(const FigureLook& look) {
  const std::array<int, 4> shape = {1, 4, kSide, kSide};
  cv::Mat blob(4, shape.data(), CV_32F);
  for (int c = 0; c < 3; ++c) {
    cv::Mat channel, plane(kSide, kSide, CV_32F, blob.ptr<float>(0, c));
    cv::extractChannel(look.picture, channel, c);
    channel.convertTo(plane, CV_32F, 1 / (255 * kContrast), -kMiddle / kContrast);
  }
  cv::Mat(kSide, kSide, CV_32F, blob.ptr<float>(0, 3)).setTo(look.lean);
  return blob;
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

absl::StatusOr<FigureKindNetwork> FigureKindNetwork::Load(const std::filesystem::path& folder) {
  const auto path = folder / "figure_kind_network.onnx";
  std::ifstream weights(path, std::ios::binary);
  if (!weights) {
    return absl::NotFoundError(
        absl::StrCat("no network of figures' kinds in ", folder.string(),
                     ": figure_kind_network.onnx belongs there (or set TILEWARDEN_MODELS)"));
  }
  const std::string bytes((std::istreambuf_iterator<char>(weights)), {});
  try {
    cv::dnn::Net net = cv::dnn::readNetFromONNX(bytes.data(), bytes.size());
    FigureLook dark;
    dark.picture = cv::Mat::zeros(kSide, kSide, CV_8UC3);
    net.setInput(BlobOf(dark));
    if (net.forward().total() == kOutputs) return FigureKindNetwork(std::move(net));
  } catch (const cv::Exception&) {
  }
  return absl::DataLossError(absl::StrCat("the network of figures' kinds in ", folder.string(),
                                          " is damaged or of another version: fetch it again"));
}

FigureKindAnswer FigureKindNetwork::Tell(const FigureLook& look) {
  net_.setInput(BlobOf(look));
  const cv::Mat out = net_.forward();
  const float* scores = out.ptr<float>();
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
