// What the box tells about the rules: the preset that its edition is played by, and
// which figures come with it. Pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/game/figure_kind.h"
#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {

// The presets by which a tile set ("base.c2+river1.c2", "ark") can be played, the first
// edition first: one where the box leaves no choice, none where it is nobody's edition.
std::vector<std::string> PresetsOfBox(std::string_view set_id);

// What a game with these tiles is played with unless somebody chooses otherwise: the
// Gingerbread Man, Inns & Cathedrals and Traders & Builders, where their tiles are there. A
// box also brings what the rivers have of it (The River: without it, ignore its features).
Rules WithFiguresOfBox(Rules rules, const TileSet& tiles);

// The preset with what the box brings; empty takes the first of the box.
// INVALID_ARGUMENT: no such preset, or the box tells none; the message lists them.
absl::StatusOr<Rules> RulesOfBox(const TileSet& tiles, std::string_view preset = {});

// An option by name, and its value, as Rules::Set takes them.
struct RuleOption {
  std::string name, value;
};
// A game by these rules has figures of this kind.
bool HasKind(const Rules& rules, FigureKind kind);
// What brings this kind of figure into a game with these tiles, also into one that is under way:
// several where it is played with in several ways. None: people do not put it beside such a box; it
// comes with tiles of its own.
std::vector<RuleOption> OptionsThatBring(FigureKind kind, const TileSet& tiles);

// The sets that these tiles make with a river beside them, the likeliest first: of their edition,
// The River, The River II, both, and others that go with it. None: there is a river already, or
// none goes with them.
std::vector<std::string> SetsWithRiver(const TileSet& tiles);
// The rivers of such a set, in a few words.
std::string WordsForRivers(std::string_view set_id);

}  // namespace tilewarden::engine
