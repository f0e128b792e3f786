// The kinds of figures, listed once with all that vision knows of each.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/sighting.h"

namespace tilewarden::vision {

// What a figure is made like. The Ark comes as a wooden piece and as a card in a foot.
enum class FigureForm { kFollower, kAbbot, kProphet, kWoodenArk, kArkCard, kGingerbreadMan };

struct FigureKindFacts {
  FigureKind kind;
  std::string name;                // as labels of pictures and the network's training name it
  std::vector<FigureForm> forms;   // that it comes in
  bool lies = true;                // it is laid down as well as set up
  std::optional<cv::Vec3f> paint;  // of its own, whoever plays: BGR where white is 1
};

inline constexpr std::size_t kFigureKinds = 5;

// In the order of FigureKind and of the outputs of the network that tells kinds
// (scripts/train/figure_kinds.py).
const std::array<FigureKindFacts, kFigureKinds>& FigureKinds();

const FigureKindFacts& FactsOf(FigureKind kind);
FigureKind KindOf(FigureForm form);
// The follower's first, then those of the special kinds.
std::vector<FigureForm> FormsOf(const std::vector<FigureKind>& special);

}  // namespace tilewarden::vision
