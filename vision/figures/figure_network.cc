#include "vision/figures/figure_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "opencv2/imgproc.hpp"
#include "vision/picture/colour_distance.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {
namespace {

// The network answers for every other pixel, and wants sides that are multiples of 8.
constexpr int kStride = 2;
static_assert(BoardView::kSide_px % 8 == 0);
// In the order of the network's answers (scripts/train/figure_scene.py).
constexpr std::array<std::string_view, 11> kColours = {"red",    "blue",  "green", "yellow",
                                                       "black",  "pink",  "grey",  "orange",
                                                       "purple", "white", "brown"};
// How often training showed each (scripts/train/figures.py). figure_colours knows how common they
// are.
constexpr std::array<double, 11> kShown = {0.167, 0.167, 0.167, 0.167, 0.167, 0.027,
                                           0.027, 0.027, 0.027, 0.027, 0.027};
constexpr std::size_t kOutputs = 2 + kColours.size();
// The picture twice: as bright as it is in all channels, and each channel by itself, which takes
// the lamp's colour out.
constexpr int kInputs = 6;
// So flat a picture says nothing.
constexpr double kLeastContrast = 4;
// What it says of a pixel depends on this much around it, nearly all of it.
constexpr int kContext_px = 64;
// A pixel whose logit is larger is surely of a figure, or surely not.
constexpr float kSure = 3;
// Nearly surely not, which is enough to know what colours lie around a figure.
constexpr float kBare = -1;
// What is of a figure's paint, and the share of a figure that looks so. Paint is believed by this
// power, as it and the network saw the same pixels. Chosen on photographs labelled here and on the
// virtual table's development seeds: of powers 0, 0.35, 0.5 and 1, distances 1, 1.5 and 2 and
// shares 0.8 and 0.9.
constexpr float kOfPaint = 2;
constexpr double kPaintedShare = 0.8, kPaintSays = 0.5;

}  // namespace

absl::StatusOr<FigureNetwork> FigureNetwork::Load(const std::filesystem::path& folder) {
  absl::StatusOr<Network> network = Network::Load(folder / "figure_network.onnx");
  if (absl::IsNotFound(network.status())) {
    return absl::NotFoundError(
        absl::StrCat("no figure network in ", folder.string(),
                     ": figure_network.onnx belongs there (or set TILEWARDEN_MODELS)"));
  }
  if (network.ok()) {
    const std::vector<cv::Mat> said = network->Run({cv::Mat::zeros(16, 16, CV_32FC(kInputs))});
    if (!said.empty() && said.front().size() == cv::Size(8, 8) &&
        said.front().channels() == static_cast<int>(kOutputs)) {
      return FigureNetwork(*std::move(network));
    }
  }
  return absl::DataLossError(absl::StrCat("the figure network in ", folder.string(),
                                          " is damaged or of another version: fetch it again"));
}

std::vector<cv::Mat> FigureNetwork::Ask(const cv::Mat& part, const Answer& answer) const {
  std::vector<cv::Mat> inputs(kInputs), channels;
  cv::split(part, channels);
  for (std::size_t c = 0; c < 3; ++c) {
    const auto put = [&](const Light& light, cv::Mat& input) {
      channels[c].convertTo(input, CV_32F, 1 / light.contrast, -light.middle / light.contrast);
    };
    put(answer.light, inputs[c]);
    put(answer.channels[c], inputs[3 + c]);
  }
  cv::Mat seen;
  cv::merge(inputs, seen);
  std::vector<cv::Mat> planes;
  cv::split(network_.Run({seen}).front(), planes);
  for (const std::size_t k : {std::size_t{0}, std::size_t{1}}) {
    cv::resize(planes[k], planes[k], {}, kStride, kStride, cv::INTER_LINEAR);
  }
  return planes;
}

FigureNetwork::Answer FigureNetwork::Look(const BoardView& view) const {
  Answer answer;
  cv::Scalar mean, deviation;
  cv::meanStdDev(view.picture, mean, deviation, view.on_tile);
  // As in training.
  double squares = 0;
  for (int c = 0; c < 3; ++c) answer.light.middle += mean[c] / 3;
  for (int c = 0; c < 3; ++c) {
    const double off = mean[c] - answer.light.middle;
    squares += (deviation[c] * deviation[c] + off * off) / 3;
    answer.channels[static_cast<std::size_t>(c)] = {mean[c], deviation[c] + kLeastContrast};
  }
  answer.light.contrast = std::sqrt(squares) + kLeastContrast;
  std::vector<cv::Mat> planes = Ask(view.picture, answer);
  answer.figure = planes[0];
  answer.lying = planes[1];
  answer.colours.assign(planes.begin() + 2, planes.end());
  return answer;
}

void FigureNetwork::LookAgain(const BoardView& view, const std::vector<cv::Rect>& areas,
                              Answer& answer) const {
  // Cells beside one another are cheaper to look at all at once.
  cv::Rect all;
  int apart = 0;
  for (const cv::Rect& area : areas) {
    all |= area;
    apart += Grown(area, kContext_px, view.size()).area();
  }
  if (Grown(all, kContext_px, view.size()).area() <= apart) return LookAgainAt(view, all, answer);
  for (const cv::Rect& area : areas) LookAgainAt(view, area, answer);
}

void FigureNetwork::LookAgainAt(const BoardView& view, const cv::Rect& area, Answer& answer) const {
  constexpr int kGrid_px = 8;  // the network wants multiples of it
  const cv::Rect whole({}, view.size());
  const auto down = [](int at) { return at / kGrid_px * kGrid_px; };
  const auto up = [](int at) { return (at + kGrid_px - 1) / kGrid_px * kGrid_px; };
  const cv::Rect wide =
      cv::Rect(cv::Point(down(area.x), down(area.y)) - cv::Point(kContext_px, kContext_px),
               cv::Point(up(area.br().x), up(area.br().y)) + cv::Point(kContext_px, kContext_px)) &
      whole;
  const std::vector<cv::Mat> planes = Ask(view.picture(wide), answer);
  const cv::Rect here = area - wide.tl();
  planes[0](here).copyTo(answer.figure(area));
  planes[1](here).copyTo(answer.lying(area));
  const auto coarse = [](const cv::Rect& r) {
    return cv::Rect(r.x / kStride, r.y / kStride, r.width / kStride, r.height / kStride);
  };
  for (std::size_t k = 0; k < answer.colours.size(); ++k) {
    planes[k + 2](coarse(here)).copyTo(answer.colours[k](coarse(area)));
  }
}

cv::Mat NetworkSigns::Pieces(const cv::Rect& area) const {
  constexpr int kContext_px = 2;  // as far as opening reaches
  const cv::Rect wide = Grown(area, kContext_px, view_.size());
  cv::Mat pieces = answer_.figure(wide) > 0;
  pieces.setTo(0, view_.covered(wide));
  cv::morphologyEx(pieces, pieces, cv::MORPH_OPEN,
                   cv::getStructuringElement(cv::MORPH_ELLIPSE, {3, 3}));
  return pieces(cv::Rect(area.tl() - wide.tl(), area.size()));
}

Tones NetworkSigns::PaintOfPiece(const cv::Mat& piece, cv::Point corner) const {
  const cv::Mat logit = answer_.figure(cv::Rect(corner, piece.size()));
  cv::Mat sure = (logit > kSure) & (piece != 0);
  if (cv::countNonZero(sure) < 12) sure = (logit > 0) & (piece != 0);
  return TonesOf(view_.picture, cv::countNonZero(sure) < 12 ? piece : sure, corner);
}

FigureEvidence NetworkSigns::Weigh(const cv::Rect& window, const Tones& tones) const {
  constexpr double kLeast = 0.05;  // no colour is quite absent anywhere
  const cv::Mat by_look = answer_.figure(window), painted = OfPaint(window, tones);
  const cv::Mat bare = by_look < kBare;
  const double around = cv::countNonZero(painted & bare) / (cv::countNonZero(bare) + 1.0);
  cv::Mat logit = by_look + kPaintSays * std::log((1 - kPaintedShare) / (1 - around + kLeast));
  cv::Mat(by_look + kPaintSays * std::log(kPaintedShare / (around + kLeast)))
      .copyTo(logit, painted);
  FigureEvidence evidence;
  logit.convertTo(evidence.value, CV_8S, kFullEvidence / kSure);
  cv::max(evidence.value, -kFullEvidence, evidence.value);
  cv::min(evidence.value, kFullEvidence, evidence.value);
  evidence.value.setTo(0, view_.covered(window));
  evidence.weight = cv::Mat(window.size(), CV_8U, cv::Scalar(kFullEvidence));
  evidence.weight.setTo(0, view_.covered(window));
  return evidence;
}

cv::Mat NetworkSigns::OfPaint(const cv::Rect& window, const Tones& tones) const {
  cv::Mat picture;
  view_.picture(window).convertTo(picture, CV_32F);
  ColourPlanes seen;
  cv::split(picture, seen.data());
  cv::Mat from_lit(window.size(), CV_32F), from_shade(window.size(), CV_32F);
  for (int y = 0; y < window.height; ++y) {
    DistanceFromPaint(RowOf(seen, y), tones.lit, window.width, from_lit.ptr<float>(y));
    DistanceFromPaint(RowOf(seen, y), tones.shade, window.width, from_shade.ptr<float>(y));
  }
  return cv::min(from_lit, from_shade) < kOfPaint;
}

double NetworkSigns::StandingLogit(const cv::Mat& under, cv::Point corner, const cv::Mat& /*top*/,
                                   cv::Point /*top_corner*/) const {
  const cv::Rect place(corner, under.size());
  const cv::Mat seen = (under != 0) & (answer_.figure(place) > 0);
  return cv::countNonZero(seen) == 0 ? 0 : -cv::mean(answer_.lying(place), seen)[0];
}

std::vector<ColourProbability> NetworkSigns::ColoursOf(const cv::Mat& under,
                                                       cv::Point corner) const {
  // Mean score over the figure's pixels: they err together.
  std::array<double, kColours.size()> sums{};
  int count = 0;
  for (int y = 0; y < under.rows; ++y) {
    for (int x = 0; x < under.cols; ++x) {
      const cv::Point p(corner.x + x, corner.y + y);
      if (!under.at<uchar>(y, x) || answer_.figure.at<float>(p) <= 0) continue;
      for (std::size_t k = 0; k < kColours.size(); ++k) {
        sums[k] += answer_.colours[k].at<float>(p.y / kStride, p.x / kStride);
      }
      ++count;
    }
  }
  std::vector<ColourProbability> colours;
  const double top = *std::max_element(sums.begin(), sums.end());
  double all = 0;
  for (std::size_t k = 0; k < kColours.size(); ++k) {
    const double p = std::exp((sums[k] - top) / std::max(1, count)) / kShown[k];
    colours.push_back({std::string(kColours[k]), p});
    all += p;
  }
  for (ColourProbability& colour : colours) colour.probability /= all;
  return colours;
}

}  // namespace tilewarden::vision
