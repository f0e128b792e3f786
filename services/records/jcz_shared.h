// What a saved game of JCloisterZone and ours have in common: tiles, sets, figures,
// places on a tile, rules. Inside of jcz.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/figure_kind.h"
#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::services {

// The quarter turns lead from our canonical orientation to theirs.
struct SharedTile {
  std::string id;
  int turn = 0;
};
// Ours, by their id: more than one where printed copies look the same. Empty:
// not shared.
std::vector<SharedTile> OurTiles(std::string_view theirs);
std::optional<SharedTile> TheirTile(std::string_view ours);

// "basic:2" for "base.c2"; empty: not shared.
std::string_view OurSet(std::string_view theirs);
std::string_view TheirSet(std::string_view ours);

// "big" for the large follower; empty: not shared.
std::optional<engine::FigureKind> OurFigure(std::string_view theirs);
std::string_view TheirFigure(engine::FigureKind ours);

// The rules by which a shared game is played there, as far as the format says
// them; all others as they are in every game there.
engine::Rules SharedRules(const engine::Rules& rules, const engine::TileSet& tiles);

// Where a segment of a tile, turned this far, lies: "I" within the tile;
// "NL.NR.EL" half-edges of a field; "WE" sides, "_N" all sides but one.
std::string LocationOf(const engine::Segment& segment, int rotation);
// "City", "Monastery", ...
std::string FeatureOf(engine::SegmentKind kind);
// The segment at this place, or -1. An empty feature is any; older names of
// features and places are understood.
int SegmentAt(const engine::TileType& type, int rotation, std::string_view feature,
              std::string_view location);

}  // namespace tilewarden::services
