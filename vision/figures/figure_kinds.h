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
enum class FigureForm {
  kFollower,
  kAbbot,
  kProphet,
  kWoodenArk,
  kArkCard,
  kGingerbreadMan,
  kLargeFollower
};

// How many kinds the network that tells them has words for.
inline constexpr std::size_t kToldKinds = 5;

struct FigureKindFacts {
  FigureKind kind;
  std::string name;                // as labels of pictures and the network's training name it
  std::vector<FigureForm> forms;   // that it comes in
  bool lies = true;                // it is laid down as well as set up
  std::optional<cv::Vec3f> paint;  // of its own, whoever plays: BGR where white is 1
  // The network's output that tells it (scripts/train/figure_kinds.py). Kinds that are made
  // alike share one: a game with both cannot tell them by how they look.
  std::size_t told_by = 0;
};

inline constexpr std::size_t kFigureKinds = 6;

// In the order of FigureKind.
const std::array<FigureKindFacts, kFigureKinds>& FigureKinds();

const FigureKindFacts& FactsOf(FigureKind kind);
FigureKind KindOf(FigureForm form);
// The follower's first, then those of the special kinds.
std::vector<FigureForm> FormsOf(const std::vector<FigureKind>& special);

}  // namespace tilewarden::vision
