#include "vision/figures/figure_kinds.h"

#include <algorithm>

namespace tilewarden::vision {

const std::array<FigureKindFacts, kFigureKinds>& FigureKinds() {
  using Form = FigureForm;
  static const cv::Vec3f kBareWood(0.44F, 0.65F, 0.81F), kDarkStain(0.15F, 0.29F, 0.49F);
  static const std::array<FigureKindFacts, kFigureKinds> kinds = {{
      {FigureKind::kFollower, "follower", {Form::kFollower}, true, {}, 0},
      {FigureKind::kAbbot, "abbot", {Form::kAbbot}, true, {}, 1},
      {FigureKind::kProphet, "prophet", {Form::kProphet}, true, {}, 2},
      {FigureKind::kArk, "ark", {Form::kWoodenArk, Form::kArkCard}, false, kBareWood, 3},
      {FigureKind::kGingerbreadMan,
       "gingerbread-man",
       {Form::kGingerbreadMan},
       true,
       kDarkStain,
       4},
      // A follower that is larger, as a prophet is.
      {FigureKind::kLargeFollower, "large-follower", {Form::kLargeFollower}, true, {}, 2},
  }};
  return kinds;
}

const FigureKindFacts& FactsOf(FigureKind kind) {
  return FigureKinds()[static_cast<std::size_t>(kind)];
}

FigureKind KindOf(FigureForm form) {
  const auto& kinds = FigureKinds();
  return std::find_if(kinds.begin(), kinds.end(),
                      [&](const FigureKindFacts& facts) {
                        return std::find(facts.forms.begin(), facts.forms.end(), form) !=
                               facts.forms.end();
                      })
      ->kind;
}

std::vector<FigureForm> FormsOf(const std::vector<FigureKind>& special) {
  std::vector<FigureForm> forms;
  for (const FigureKindFacts& facts : FigureKinds()) {
    const bool wanted = facts.kind == FigureKind::kFollower ||
                        std::find(special.begin(), special.end(), facts.kind) != special.end();
    if (wanted) forms.insert(forms.end(), facts.forms.begin(), facts.forms.end());
  }
  return forms;
}

}  // namespace tilewarden::vision
