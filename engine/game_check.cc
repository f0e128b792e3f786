// Whether a turn is legal, and why not.
#include <algorithm>
#include <array>
#include <string>

#include "engine/game_contacts.h"
#include "engine/text.h"

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

std::string Where(Cell cell) { return Text("(", cell.x, ", ", cell.y, ")"); }

}  // namespace

bool Game::MayStandOn(SegmentKind kind, FigureKind figure) const {
  switch (figure) {
    case FigureKind::kFollower:
      return kind == SegmentKind::kCity || kind == SegmentKind::kRoad ||
             kind == SegmentKind::kMonastery || (kind == SegmentKind::kField && rules_.farmers) ||
             (kind == SegmentKind::kTemple && rules_.ark_to_temples);
    case FigureKind::kAbbot:
      return kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden;
    case FigureKind::kProphet:
      return kind == SegmentKind::kCity;
    case FigureKind::kArk:
    case FigureKind::kGingerbreadMan:
      break;
  }
  return false;
}

// Tiles on which nobody may be deployed: the lake with the volcano, and by a
// house rule every river tile but the one that completes the river.
bool Game::RefusesMeeples(int tile, const Placement& at) const {
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  if (type.river_sides == 0) return false;
  if (type.volcano && rules_.volcano_lake) return true;
  return !rules_.river_meeples && OpenRiverEnds(tile, at) > 0;
}

bool Game::InArea(Cell cell) const {
  return !rules_.area || (cell.x >= rules_.area->west && cell.x <= rules_.area->east &&
                          cell.y >= rules_.area->north && cell.y <= rules_.area->south);
}

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
      (turn.player < 0 && (actions > 0 || turn.ark_landing))) {
    return Refusal{"no-such-player", "Nobody with that number plays.", {turn.cell}};
  }
  if (turn.set_aside) return CheckSetAside(turn);
  if (std::optional<Refusal> why = CheckPlacement(turn)) return why;
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
  if (LegalPlacements(turn.tile).empty()) return std::nullopt;
  return Refusal{"tile-fits",
                 "The tile can be laid, so it may not be set aside (Placing a tile).",
                 {LegalPlacements(turn.tile)[0].cell}};
}

std::optional<Refusal> Game::CheckPlacement(const Turn& turn) const {
  if (board_.At(turn.cell) >= 0) {
    return Refusal{"occupied-cell",
                   Text("A tile lies on cell ", Where(turn.cell), " already (Placing a tile)."),
                   {turn.cell}};
  }
  const Board::Opening* opening = board_.OpeningAt(turn.cell);
  if (opening == nullptr) {
    return Refusal{"not-adjacent",
                   Text("The tile on cell ", Where(turn.cell),
                        " must touch a laid tile with a whole edge (Placing a tile)."),
                   {turn.cell}};
  }
  if (!InArea(turn.cell)) {
    return Refusal{"out-of-area",
                   Text("Cell ", Where(turn.cell),
                        " lies beyond the table's edge, which limits the board (house "
                        "rule on the table's edge)."),
                   {turn.cell}};
  }
  const EdgeMask edges = tiles_->compiled()[static_cast<std::size_t>(turn.tile)]
                             .edges[static_cast<std::size_t>(turn.rotation)];
  if ((edges & opening->allowed) != edges) return ExplainMismatch(turn);
  if (tiles_->compiled()[static_cast<std::size_t>(turn.tile)].river_sides != 0) {
    const RiverFault fault = FindRiverFault(turn.tile, {turn.cell, turn.rotation});
    if (fault.code != nullptr) return Refusal{fault.code, fault.text, {turn.cell}};
  }
  if (rules_.enforce_counts && TilesLeft(turn.tile) <= 0) {
    return Refusal{"no-copies-left",
                   Text("All ", tiles_->counts()[static_cast<std::size_t>(turn.tile)],
                        " copies of this tile have been laid."),
                   {turn.cell}};
  }
  return std::nullopt;
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
    if (refusal.text.empty()) {
      refusal.text = Text("The tile's ", kSideNames[static_cast<std::size_t>(side)], " edge shows ",
                          EdgeName(own), " but meets ", EdgeName(meets), " on cell ", Where(next),
                          ": every edge must go on (Placing a tile).");
    }
  }
  return refusal;
}

std::uint32_t Game::OccupiedSegments(int tile, const Placement& at) const {
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  // Each contact: a segment of this tile and the feature it would join. At most
  // four sides and eight half-edges.
  struct Contact {
    int segment, root;
  };
  std::array<Contact, 12> contacts;
  std::size_t count = 0;
  std::uint32_t occupied = 0;
  ForEachContact(type, at, [&](int segment, int node, int) {
    const int root = features_.Find(node);
    if (features_.at(root).figures != 0) occupied |= 1U << segment;
    contacts[count++] = {segment, root};
  });
  // Two segments of the tile that meet in one feature become one; what is
  // occupied spreads until nothing changes.
  for (bool changed = occupied != 0; changed;) {
    changed = false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!(occupied >> contacts[i].segment & 1)) continue;
      for (std::size_t k = 0; k < count; ++k) {
        if (contacts[k].root != contacts[i].root || (occupied >> contacts[k].segment & 1)) continue;
        occupied |= 1U << contacts[k].segment;
        changed = true;
      }
    }
  }
  return occupied;
}

std::optional<Refusal> Game::CheckDeployment(const Turn& turn) const {
  const TileType& type = tiles_->types()[static_cast<std::size_t>(turn.tile)];
  const Deployment& deployment = *turn.deployment;
  const auto refuse = [&](std::string code, std::string text) {
    return Refusal{std::move(code), std::move(text), {turn.cell}};
  };
  if (deployment.segment < 0 || deployment.segment >= static_cast<int>(type.segments.size())) {
    return refuse("not-a-segment", "The tile has no such part to stand on (Deploying a figure).");
  }
  const SegmentKind kind = type.segments[static_cast<std::size_t>(deployment.segment)].kind;
  if (kind == SegmentKind::kRiver) {
    return refuse("not-a-segment", "No figure stands on the river (The River, placing a meeple).");
  }
  if (kind == SegmentKind::kTemple && !rules_.ark_to_temples) {
    return refuse("no-follower-on-temple",
                  "A follower may not be placed on a temple (Placing followers).");
  }
  const PlayerState& player = players_[static_cast<std::size_t>(turn.player)];
  int supply = player.followers;
  switch (deployment.kind) {
    case FigureKind::kFollower:
      if (kind == SegmentKind::kGarden) {
        return refuse("garden-needs-abbot", "Only an abbot stands on a garden (The Abbot).");
      }
      if (kind == SegmentKind::kField && !rules_.farmers) {
        return refuse("farmers-off", "This game is played without farmers (option farmers).");
      }
      break;
    case FigureKind::kAbbot:
      if (!MayStandOn(kind, deployment.kind)) {
        return refuse("abbot-wrong-feature",
                      "An abbot stands only on a monastery or a garden (The Abbot).");
      }
      supply = player.abbots;
      break;
    case FigureKind::kProphet:
      if (kind != SegmentKind::kCity) {
        return refuse("prophet-only-in-city", "A prophet stands only in a city (Prophets).");
      }
      supply = player.prophets;
      break;
    case FigureKind::kArk:
    case FigureKind::kGingerbreadMan:
      return refuse("no-such-figure", "That figure belongs to nobody and is not deployed.");
  }
  if (RefusesMeeples(turn.tile, {turn.cell, turn.rotation})) {
    return refuse("no-meeples-on-river",
                  rules_.river_meeples
                      ? "No meeple may be placed on the lake with the volcano (The River II)."
                      : "No meeples before the river is complete (house rule, option "
                        "river_meeples).");
  }
  if (supply <= 0) {
    return refuse("none-in-supply",
                  "The player has no such figure left in the supply (Deploying a figure).");
  }
  if (OccupiedSegments(turn.tile, {turn.cell, turn.rotation}) >> deployment.segment & 1) {
    return refuse("feature-occupied",
                  Text("The ", ToString(kind),
                       " goes on into one with a figure on it: only an unoccupied feature "
                       "may be claimed (Deploying a figure)."));
  }
  return std::nullopt;
}

std::optional<Refusal> Game::CheckRecall(const Turn& turn) const {
  if (rules_.recall_needs_meeple &&
      players_[static_cast<std::size_t>(turn.player)].followers == 0) {
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
                     {cell, turn.cell}};
    }
    return std::nullopt;
  }
  return Refusal{"no-abbot-there",
                 Text("The player has no abbot on cell ", Where(*turn.recall), " (The Abbot)."),
                 {*turn.recall}};
}

std::vector<Placement> Game::LegalPlacements(int tile) const {
  std::vector<Placement> out;
  LegalPlacements(tile, &out);
  return out;
}

void Game::LegalPlacements(int tile, std::vector<Placement>* out) const {
  out->clear();
  if (tile < 0 || tile >= static_cast<int>(tiles_->types().size())) return;
  if (rules_.enforce_counts && TilesLeft(tile) <= 0) return;
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  const std::array<EdgeMask, 4> edges = type.edges;
  // Written without branches, which could not be foretold: every turn of the
  // tile is put down, and the next one goes over it unless it fits.
  const std::vector<Board::Opening>& openings = board_.openings();
  out->resize(4 * openings.size() + 1);
  Placement* next = out->data();
  for (const Board::Opening& opening : openings) {
    const Cell cell = Board::CellOf(opening.key);
    for (int rotation = 0; rotation < 4; ++rotation) {
      const EdgeMask mask = edges[static_cast<std::size_t>(rotation)];
      *next = {cell, rotation};
      next += (mask & opening.allowed) == mask ? 1 : 0;
    }
  }
  out->resize(static_cast<std::size_t>(next - out->data()));
  if (rules_.area || type.river_sides != 0) {
    out->erase(
        std::remove_if(out->begin(), out->end(),
                       [&](const Placement& at) {
                         return !InArea(at.cell) ||
                                (type.river_sides != 0 && FindRiverFault(tile, at).code != nullptr);
                       }),
        out->end());
  }
}

std::vector<Deployment> Game::LegalDeployments(int player, int tile, const Placement& at) const {
  std::vector<Deployment> out;
  LegalDeployments(player, tile, at, &out);
  return out;
}

void Game::LegalDeployments(int player, int tile, const Placement& at,
                            std::vector<Deployment>* out) const {
  out->clear();
  if (player < 0 || player >= static_cast<int>(players_.size()) || tile < 0 ||
      tile >= static_cast<int>(tiles_->types().size())) {
    return;
  }
  const PlayerState& state = players_[static_cast<std::size_t>(player)];
  if (state.followers <= 0 && state.abbots <= 0 && state.prophets <= 0) return;
  if (RefusesMeeples(tile, at)) return;
  const std::uint32_t occupied = OccupiedSegments(tile, at);
  const auto& parts = tiles_->compiled()[static_cast<std::size_t>(tile)].parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (occupied >> i & 1) continue;
    const auto offer = [&](FigureKind figure, int supply) {
      if (supply > 0 && MayStandOn(parts[i].kind, figure)) {
        out->push_back({figure, static_cast<int>(i)});
      }
    };
    offer(FigureKind::kFollower, state.followers);
    offer(FigureKind::kAbbot, state.abbots);
    offer(FigureKind::kProphet, state.prophets);
  }
}

std::vector<Cell> Game::LegalRecalls(int player, const Placement& at) const {
  std::vector<Cell> out;
  for (const Figure& figure : figures_) {
    if (figure.kind != FigureKind::kAbbot || figure.player != player) continue;
    Turn turn;
    turn.player = player;
    turn.cell = at.cell;
    turn.recall = laid_[static_cast<std::size_t>(features_.at(figure.node).tile)].cell;
    if (!CheckRecall(turn)) out.push_back(*turn.recall);
  }
  return out;
}

}  // namespace tilewarden::engine
