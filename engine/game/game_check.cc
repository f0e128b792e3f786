// Whether a turn is legal, and why not.
#include <algorithm>
#include <array>
#include <string>

#include "engine/game/game_contacts.h"
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
  if (turn.tile < 0 || turn.tile >= static_cast<int>(tiles_->types().size())) {
    return Refusal{"no-such-tile", "The set has no such tile.", {turn.cell}};
  }
  if (turn.rotation < 0 || turn.rotation > 3) {
    return Refusal{"no-such-rotation", "A tile is turned by 0 to 3 quarter turns.", {turn.cell}};
  }
  const int actions =
      (turn.deployment ? 1 : 0) + (turn.recall ? 1 : 0) + (turn.ark_path.empty() ? 0 : 1);
  if (turn.player < -1 || turn.player >= static_cast<int>(players_.size()) ||
      (turn.player < 0 && (turn.deployment || turn.recall))) {
    return Refusal{"no-such-player", "Nobody with that number plays.", {turn.cell}};
  }
  if (turn.set_aside) return CheckSetAside(turn);
  if (turn.table) {
    if (std::optional<Refusal> why = CheckTable(turn)) return why;
  }
  if (std::optional<Refusal> why = CheckPlacement(turn)) return why;
  if (turn.purchase) {
    if (std::optional<Refusal> why = CheckPurchase(turn)) return why;
  }
  if (actions > 1) {
    return Refusal{"one-action",
                   "Deploying a figure, recalling the abbot and moving the Ark take each other's "
                   "place: one of them a turn (The Abbot; The Ark of the Covenant).",
                   {turn.cell}};
  }
  if (rules_.ark == ArkEdition::kNone && (!turn.ark_path.empty() || turn.ark_landing)) {
    return Refusal{
        "ark-not-placed", "This game is played without the Ark (option ark).", {turn.cell}};
  }
  if (!rules_.gingerbread && !turn.gingerbread.empty()) {
    return Refusal{"gingerbread-bad-target",
                   "This game is played without the Gingerbread Man (option gingerbread).",
                   {turn.cell}};
  }
  if (turn.recall) return CheckRecall(turn);
  if (turn.deployment) return CheckDeployment(turn);
  return std::nullopt;
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
  if (board_.At(turn.cell) >= 0) {
    return Refusal{"occupied-cell", "A tile lies there already (Placing a tile).", {turn.cell}};
  }
  const std::optional<Demand> demand = board_.DemandAt(turn.cell);
  if (!demand) {
    return Refusal{"not-adjacent",
                   "The tile must touch a laid tile with a whole edge (Placing a tile).",
                   {turn.cell}};
  }
  const std::optional<PlayingArea>& area = turn.table ? turn.table : area_;
  if (area && !Contains(*area, turn.cell)) {
    return Refusal{"out-of-area",
                   "The table ends there, which limits the board (house rule on the table's edge).",
                   {turn.cell}};
  }
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(turn.tile)];
  const CompiledTile::Meets meets = type.MeetsIn(turn.rotation);
  if (std::find(meets.begin(), meets.end(), *demand) == meets.end()) return ExplainMismatch(turn);
  if (type.river_sides != 0) {
    const RiverFault fault = FindRiverFault(turn.tile, {turn.cell, turn.rotation});
    if (fault.code != nullptr) return ExplainRiver(turn, fault);
  }
  if (rules_.enforce_counts && TilesLeft(turn.tile) <= 0) {
    return Refusal{"no-copies-left",
                   Text("All ", tiles_->counts()[static_cast<std::size_t>(turn.tile)],
                        " copies of this tile have been laid."),
                   {turn.cell}};
  }
  return std::nullopt;
}

// The segment on a side of a tile as it lies; of two fields beside a road, the road.
Place Game::SegmentAtEdge(int tile, Cell cell, int rotation, int side) const {
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  const auto canonical = static_cast<std::size_t>((side - rotation) & 3);
  const int segment = type.side_segment[canonical];
  return {cell, segment >= 0 ? segment : type.field[2 * canonical]};
}

// The river that lies beside the cell already.
Refusal Game::ExplainRiver(const Turn& turn, const RiverFault& fault) const {
  Refusal refusal{fault.code, fault.text, {turn.cell}};
  for (int side = 0; side < 4; ++side) {
    const Cell next = Neighbour(turn.cell, static_cast<Side>(side));
    const PlacedTile* other = TileAt(next);
    if (other == nullptr) continue;
    const Place place = SegmentAtEdge(other->tile, next, other->rotation, side + 2);
    if (features_.at(NodeAt(place)).kind != SegmentKind::kRiver) continue;
    refusal.cells.push_back(next);
    refusal.places.push_back(place);
  }
  return refusal;
}

Refusal Game::ExplainMismatch(const Turn& turn) const {
  Refusal refusal;
  refusal.code = "edge-mismatch";
  refusal.cells.push_back(turn.cell);
  const TileType& type = tiles_->types()[static_cast<std::size_t>(turn.tile)];
  for (int side = 0; side < 4; ++side) {
    const Cell next = Neighbour(turn.cell, static_cast<Side>(side));
    const PlacedTile* other = TileAt(next);
    if (other == nullptr) continue;
    const char own = type.edges[static_cast<std::size_t>((side - turn.rotation) & 3)];
    const char meets = tiles_->types()[static_cast<std::size_t>(other->tile)]
                           .edges[static_cast<std::size_t>((side + 2 - other->rotation) & 3)];
    if (own == meets) continue;
    refusal.cells.push_back(next);
    for (const Place& place : {SegmentAtEdge(turn.tile, turn.cell, turn.rotation, side),
                               SegmentAtEdge(other->tile, next, other->rotation, side + 2)}) {
      refusal.places.push_back(place);
    }
    if (refusal.text.empty()) {
      refusal.text = Text("The tile's ", kSideNames[static_cast<std::size_t>(side)], " edge shows ",
                          EdgeName(own), " but meets ", EdgeName(meets),
                          ": every edge must go on (Placing a tile).");
    }
  }
  return refusal;
}

std::optional<Refusal> Game::CheckDeployment(const Turn& turn) const {
  const TileType& type = tiles_->types()[static_cast<std::size_t>(turn.tile)];
  const Deployment& deployment = *turn.deployment;
  const auto refuse = [&](std::string code, std::string text) {
    return Refusal{
        std::move(code), std::move(text), {turn.cell}, {{turn.cell, deployment.segment}}};
  };
  if (deployment.segment < 0 || deployment.segment >= static_cast<int>(type.segments.size())) {
    return refuse("not-a-segment", "The tile has no such part to stand on (Deploying a figure).");
  }
  const SegmentKind kind = type.segments[static_cast<std::size_t>(deployment.segment)].kind;
  const std::span<const FigureKindEntry> kinds = AllFigureKinds();
  const auto entry = std::find_if(kinds.begin(), kinds.end(), [&](const FigureKindEntry& known) {
    return known.kind == deployment.kind;
  });
  if (entry == kinds.end()) return refuse("no-such-figure", "There is no such figure.");
  if (const Fault fault = entry->claims(kind, rules_)) return refuse(fault.code, fault.text);
  if (RefusesMeeples(turn.tile, {turn.cell, turn.rotation})) {
    return refuse("no-meeples-on-river",
                  rules_.river_meeples
                      ? "No meeple may be placed on the lake with the volcano (The River II)."
                      : "No meeples before the river is complete (house rule, option "
                        "river_meeples).");
  }
  if (players_[static_cast<std::size_t>(turn.player)].Supply(deployment.kind) <= 0) {
    return refuse("none-in-supply",
                  "The player has no such figure left in the supply (Deploying a figure).");
  }
  if (OccupiedSegments(turn.tile, {turn.cell, turn.rotation}) >> deployment.segment & 1) {
    Refusal why = refuse("feature-occupied",
                         Text("The ", ToString(kind),
                              " goes on into one with a figure on it: only an unoccupied feature "
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
  Game copy(*this);
  copy.Lay(turn.tile, {turn.cell, turn.rotation}, turn.player);
  const int root = copy.features_.Find(copy.NodeAt({turn.cell, turn.deployment->segment}));
  std::vector<Place> out;
  for (const Figure& figure : copy.figures_) {
    if (copy.features_.Find(figure.node) != root) continue;
    out.push_back({copy.CellOf(figure.node), copy.SegmentOf(figure.node)});
  }
  return out;
}

std::optional<Refusal> Game::CheckRecall(const Turn& turn) const {
  if (rules_.recall_needs_meeple &&
      players_[static_cast<std::size_t>(turn.player)].followers() == 0) {
    return Refusal{"none-in-supply",
                   "Who has no meeple in hand cannot decide not to place one, and so not recall "
                   "the abbot (older wording, option recall_needs_meeple).",
                   {turn.cell}};
  }
  const int number = board_.At(*turn.recall);
  for (const Figure& figure : figures_) {
    if (figure.kind != FigureKind::kAbbot || figure.player != turn.player ||
        features_.at(figure.node).tile != number) {
      continue;
    }
    const Cell cell = *turn.recall;
    const bool beside = std::abs(cell.x - turn.cell.x) <= 1 && std::abs(cell.y - turn.cell.y) <= 1;
    if (beside && features_.at(figure.node).open == 1) {
      return Refusal{"recall-completed",
                     "This very tile completes the abbot's feature: it is scored as completed and "
                     "the abbot comes home with it (The Abbot).",
                     {cell, turn.cell},
                     {{cell, SegmentOf(figure.node)}}};
    }
    return std::nullopt;
  }
  return Refusal{"no-abbot-there", "The player has no abbot there (The Abbot).", {*turn.recall}};
}

}  // namespace tilewarden::engine
