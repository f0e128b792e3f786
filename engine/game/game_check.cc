// Whether a turn is legal, and why not.
#include <algorithm>
#include <array>
#include <string>

#include "engine/game/game.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr std::array<std::string_view, 4> kSideNames = {"north", "east", "south", "west"};

std::string_view EdgeName(char letter) {
  switch (letter) {
    case 'c':
      return "a city";
    case 'r':
      return "a road";
    case 's':
      return "a river";
    default:
      return "a field";
  }
}

}  // namespace

std::optional<Refusal> Game::CheckBasics(const Turn& turn) const {
  if (turn.tile < 0 || turn.tile >= position_.types()) {
    return Refusal{"no-such-tile", "The set has no such tile.", {turn.cell}};
  }
  if (turn.rotation < 0 || turn.rotation > 3) {
    return Refusal{
        "no-such-rotation", "A tile can be turned by 0 to 3 quarter turns.", {turn.cell}};
  }
  if (turn.player < -1 || turn.player >= static_cast<int>(players().size()) ||
      (turn.player < 0 && (turn.deployment || turn.recall))) {
    return Refusal{"no-such-player", "No player has that number.", {turn.cell}};
  }
  if (turn.set_aside) return CheckSetAside(turn);
  const bool follower = !turn.deployment || turn.deployment->kind == FigureKind::kFollower;
  const bool more = !follower || !IsPlain(turn);
  if (more) {
    for (const PartEntry& entry : book_->parts) {
      if (entry.missing == nullptr || entry.plays(tile_set(), rules(), found_)) continue;
      if (std::optional<Refusal> why = entry.missing(turn)) return why;
    }
    const auto before = [&](const Part& part) { return part.CheckBefore(view(), turn); };
    if (auto why = parts_.First<Hook::kCheckBefore>(before)) return why;
  }
  if (auto why = CheckPlacement(turn)) return why;
  if (more) {
    if (auto why = CheckActions(turn)) return why;
  }
  if (turn.deployment) return CheckDeployment(turn);
  return std::nullopt;
}

std::optional<Refusal> Game::CheckActions(const Turn& turn) const {
  const int actions =
      (turn.deployment ? 1 : 0) + (turn.recall ? 1 : 0) + (turn.ark_path.empty() ? 0 : 1);
  if (actions > 1) {
    return Refusal{"one-action",
                   "A turn holds one of these: deploying a figure, recalling the abbot or moving "
                   "the Ark (The Abbot; The Ark of the Covenant).",
                   {turn.cell}};
  }
  return parts_.First<Hook::kCheckActions>(
      [&](const Part& part) { return part.CheckActions(view(), turn); });
}

// A tile leaves the game only when it fits nowhere.
std::optional<Refusal> Game::CheckSetAside(const Turn& turn) const {
  const std::vector<Placement> legal = LegalPlacements(turn.tile);
  if (legal.empty()) return std::nullopt;
  return Refusal{"tile-fits",
                 "The tile can be laid, so it may not be set aside (Placing a tile).",
                 {legal[0].cell}};
}

std::optional<Refusal> Game::CheckPlacement(const Turn& turn) const {
  if (position_.board().At(turn.cell) >= 0) {
    return Refusal{"occupied-cell", "There is already a tile there (Placing a tile).", {turn.cell}};
  }
  const std::optional<Demand> demand = position_.board().DemandAt(turn.cell);
  if (!demand) {
    return Refusal{"not-adjacent",
                   "The tile must share a whole edge with a laid tile (Placing a tile).",
                   {turn.cell}};
  }
  const std::optional<PlayingArea>& area = turn.table ? turn.table : position_.area();
  if (area && !Contains(*area, turn.cell)) {
    return Refusal{"out-of-area",
                   "The table ends there: its edge is the limit (Use of a table).",
                   {turn.cell}};
  }
  const CompiledTile& type = position_.Type(turn.tile);
  const CompiledTile::Meets meets = type.MeetsIn(turn.rotation);
  if (std::find(meets.begin(), meets.end(), *demand) == meets.end()) return ExplainMismatch(turn);
  if (parts_.Limited(turn.tile)) {
    const Part* who = nullptr;
    const Fault fault = parts_.LayingFault(position_, turn.tile, {turn.cell, turn.rotation}, &who);
    if (fault) return who->Explain(position_, turn, fault);
  }
  if (rules().enforce_counts && TilesLeft(turn.tile) <= 0) {
    return Refusal{"no-copies-left",
                   Text("All ", tile_set().counts()[static_cast<std::size_t>(turn.tile)],
                        " copies of this tile have been laid."),
                   {turn.cell}};
  }
  return std::nullopt;
}

Refusal Game::ExplainMismatch(const Turn& turn) const {
  Refusal refusal;
  refusal.code = "edge-mismatch";
  refusal.cells.push_back(turn.cell);
  const TileType& type = tile_set().types()[static_cast<std::size_t>(turn.tile)];
  for (int side = 0; side < 4; ++side) {
    const Cell next = Neighbour(turn.cell, static_cast<Side>(side));
    const PlacedTile* other = TileAt(next);
    if (other == nullptr) continue;
    const char own = type.edges[static_cast<std::size_t>((side - turn.rotation) & 3)];
    const char meets = tile_set()
                           .types()[static_cast<std::size_t>(other->tile)]
                           .edges[static_cast<std::size_t>((side + 2 - other->rotation) & 3)];
    if (own == meets) continue;
    refusal.cells.push_back(next);
    for (const Place& place :
         {position_.SegmentAtEdge(turn.tile, turn.cell, turn.rotation, side),
          position_.SegmentAtEdge(other->tile, next, other->rotation, side + 2)}) {
      refusal.places.push_back(place);
    }
    if (refusal.text.empty()) {
      refusal.text = Text("The tile's ", kSideNames[static_cast<std::size_t>(side)], " edge shows ",
                          EdgeName(own), " but meets ", EdgeName(meets),
                          ": every edge must match (Placing a tile).");
    }
  }
  return refusal;
}

std::optional<Refusal> Game::CheckDeployment(const Turn& turn) const {
  const TileType& type = tile_set().types()[static_cast<std::size_t>(turn.tile)];
  const Deployment& deployment = *turn.deployment;
  const auto refuse = [&](std::string code, std::string text) {
    return Refusal{
        std::move(code), std::move(text), {turn.cell}, {{turn.cell, deployment.segment}}};
  };
  if (deployment.segment < 0 || deployment.segment >= static_cast<int>(type.segments.size())) {
    return refuse("not-a-segment", "The tile has no such part (Deploying a figure).");
  }
  const SegmentKind kind = type.segments[static_cast<std::size_t>(deployment.segment)].kind;
  const FigureKindEntry* entry = position_.Find(deployment.kind);
  if (entry == nullptr) return refuse("no-such-figure", "There is no such figure.");
  // A board that was found may hold figures that the rules do not give.
  if (!entry->neutral && entry->supply(rules()) == 0 && !found_) {
    return refuse("no-such-figure", Text("This game is played without the ", entry->word,
                                         " (option ", entry->option, ")."));
  }
  if (const Fault fault = entry->claims(kind, rules())) return refuse(fault.code, fault.text);
  if (const Fault fault = DeployingFault(turn.tile, {turn.cell, turn.rotation})) {
    return refuse(fault.code, fault.text);
  }
  if (position_.player(turn.player).Supply(deployment.kind) <= 0) {
    return refuse("none-in-supply",
                  "The player has no such figure left in the supply (Deploying a figure).");
  }
  const Placement at = {turn.cell, turn.rotation};
  if (entry->strength == 0) {
    if (position_.OccupiedSegments(turn.tile, at, turn.player) >> deployment.segment & 1) return {};
    return refuse("needs-own-follower",
                  Text("A ", entry->word, " joins only a ", ToString(kind),
                       " on which a follower of the same player stands (The ", entry->word, ")."));
  }
  if (position_.OccupiedSegments(turn.tile, at) >> deployment.segment & 1) {
    Refusal why = refuse("feature-occupied",
                         Text("The ", ToString(kind),
                              " joins one with a figure on it: only an unoccupied feature "
                              "may be claimed (Deploying a figure)."));
    for (const Place& figure : FiguresInTheWay(turn)) {
      why.cells.push_back(figure.cell);
      why.places.push_back(figure);
    }
    return why;
  }
  return std::nullopt;
}

// Figures of the feature that the segment to deploy on would belong to.
std::vector<Place> Game::FiguresInTheWay(const Turn& turn) const {
  // The feature is known once the tile lies.
  Position copy(position_);
  copy.Lay(turn.tile, {turn.cell, turn.rotation}, turn.player);
  const Features& features = copy.features();
  const int root = features.Find(copy.NodeAt({turn.cell, turn.deployment->segment}));
  std::vector<Place> out;
  for (const Position::Figure& figure : copy.figures()) {
    if (features.Find(figure.node) != root || copy.StrengthOf(figure.kind) == 0) continue;
    out.push_back(copy.PlaceOf(figure.node));
  }
  return out;
}

}  // namespace tilewarden::engine
