#include "engine/referee/codes.h"

#include <algorithm>
#include <iterator>

namespace tilewarden::engine {
namespace {

constexpr CodeFamily kFamilies[] = {
    {.code = "tile-taken", .matter = Matter::kTile, .plain = 0},
    {.code = "tile-changed", .matter = Matter::kTile, .plain = 1},
    {.code = "tile-turned", .matter = Matter::kTile, .plain = 2},
    {.code = "tile-moved", .matter = Matter::kTile, .plain = 3},
    {.code = "figure-taken-early", .matter = Matter::kFigure, .plain = 0},
    {.code = "figure-pose", .matter = Matter::kFigure, .plain = 1},
    {.code = "figure-moved", .matter = Matter::kFigure, .plain = 2},
    {.code = "two-tiles", .order = true},
    {.code = "out-of-turn", .order = true},
    {.code = "figure-not-returned", .clears_by_absence = true},
    {.code = "figure-not-on-last-tile", .figure_where_none_may = true, .clears_by_absence = true},
    {.code = "two-figures", .figure_where_none_may = true, .clears_by_absence = true},
    {.code = "feature-occupied", .figure_where_none_may = true, .clears_by_absence = true},
    {.code = "none-in-supply", .figure_where_none_may = true},
    {.code = "not-a-segment", .figure_where_none_may = true},
    {.code = "garden-needs-abbot", .figure_where_none_may = true},
    {.code = "farmers-off", .figure_where_none_may = true},
    {.code = "abbot-wrong-feature", .figure_where_none_may = true},
    {.code = "builder-wrong-feature", .figure_where_none_may = true},
    {.code = "pig-wrong-feature", .figure_where_none_may = true},
    {.code = "needs-own-follower", .figure_where_none_may = true},
    {.code = "no-such-figure", .figure_where_none_may = true},
    {.code = "gingerbread-must-move", .neutral_figure = true},
    {.code = "gingerbread-bad-target", .neutral_figure = true},
    {.code = "ark-must-be-placed", .neutral_figure = true},
};

}  // namespace

CodeFamily FamilyOf(std::string_view code) {
  const auto* const found = std::find_if(std::begin(kFamilies), std::end(kFamilies),
                                         [&](const CodeFamily& f) { return f.code == code; });
  return found == std::end(kFamilies) ? CodeFamily{code} : *found;
}

}  // namespace tilewarden::engine
