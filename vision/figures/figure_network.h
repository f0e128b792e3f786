// Finds figures by how they look, whatever tile lies below them: a small fully
// convolutional network that was trained on made-up boards (its card:
// vision/models/README.md). The one witness where tiles are known by name alone,
// else the second. Vision-internal (cv:: types).
#pragma once

#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/figures/figure_board_view.h"
#include "vision/figures/figure_signs.h"
#include "vision/inference/network.h"
#include "vision/picture/models_folder.h"

namespace tilewarden::vision {

// Thread safe.
class FigureNetwork {
 public:
  // Loads figure_network.onnx from the folder. NOT_FOUND: not there; DATA_LOSS:
  // torn or of another version. Blocks on reading.
  static absl::StatusOr<FigureNetwork> Load(const std::filesystem::path& folder = ModelsFolder());

  // How bright the tiles are, and how much that varies over them.
  struct Light {
    double middle = 0, contrast = 1;
  };
  // All CV_32F.
  struct Answer {
    cv::Mat figure;  // of the view's size: that a figure covers the pixel, as a logit
    cv::Mat lying;   // of the view's size: that it lies, given that there is one, as a logit
    // Of half the view's size: a score for each colour, in the training's order, given that there
    // is one.
    std::vector<cv::Mat> colours;
    Light light;                    // over all channels
    std::array<Light, 3> channels;  // B G R
  };
  // Blocks: about a second for 1,000 cells.
  Answer Look(const BoardView& view) const;
  // Looks again at areas of the view that this was the answer for.
  void LookAgain(const BoardView& view, const std::vector<cv::Rect>& areas, Answer& answer) const;

 private:
  explicit FigureNetwork(Network network) : network_(std::move(network)) {}
  // The network's planes for a part of the view that is seen in the answer's light; sides multiples
  // of 8.
  std::vector<cv::Mat> Ask(const cv::Mat& part, const Answer& answer) const;
  void LookAgainAt(const BoardView& view, const cv::Rect& area, Answer& answer) const;

  Network network_;
};

// What the network says of a board. Besides it the paint: a figure has one, and where the network
// is not sure, as of figures seen from the narrow side, that tells how far it reaches.
class NetworkSigns : public FigureSigns {
 public:
  // `view` and `answer` outlive this.
  NetworkSigns(const BoardView& view, const FigureNetwork::Answer& answer)
      : view_(view), answer_(answer) {}

  cv::Mat Pieces(const cv::Rect& area) const override;
  Tones PaintOfPiece(const cv::Mat& piece, cv::Point corner) const override;
  FigureEvidence Weigh(const cv::Rect& window, const Tones& tones) const override;
  double StandingLogit(const cv::Mat& under, cv::Point corner, const cv::Mat& top,
                       cv::Point top_corner) const override;
  std::vector<ColourProbability> ColoursOf(const cv::Mat& under, cv::Point corner) const override;

 private:
  // CV_8U of the window's size, not 0 on what is of this paint by its colour.
  cv::Mat OfPaint(const cv::Rect& window, const Tones& tones) const;

  const BoardView& view_;
  const FigureNetwork::Answer& answer_;
};

}  // namespace tilewarden::vision
