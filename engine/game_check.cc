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

bool IsPlot(SegmentKind kind) {
  return kind == SegmentKind::kMonastery || kind == SegmentKind::kGarden;
}

}  // namespace

bool Game::InArea(Cell cell) const {
  return !rules_.area || (cell.x >= rules_.area->west && cell.x <= rules_.area->east &&
                          cell.y >= rules_.area->north && cell.y <= rules_.area->south);
}

std::optional<Refusal> Game::Check(const Turn& turn) const {
  if (turn.tile < 0 || turn.tile >= static_cast<int>(tiles_->types().size())) {
    return Refusal{"no-such-tile", "The set has no such tile.", {turn.cell}};
  }
  if (turn.rotation < 0 || turn.rotation > 3) {
    return Refusal{"no-such-rotation", "A tile is turned by 0 to 3 quarter turns.", {turn.cell}};
  }
  const bool acts = turn.deployment || turn.recall;
  if (turn.player < -1 || turn.player >= static_cast<int>(players_.size()) ||
      (turn.player < 0 && acts)) {
    return Refusal{"no-such-player", "Nobody with that number plays.", {turn.cell}};
  }
  if (std::optional<Refusal> why = CheckPlacement(turn)) return why;
  if (turn.deployment && turn.recall) {
    return Refusal{"one-action",
                   "Recalling the abbot takes the place of deploying a figure (The Abbot).",
                   {turn.cell}};
  }
  if (turn.recall) return CheckRecall(turn);
  if (turn.deployment) return CheckDeployment(turn);
  return std::nullopt;
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
  if (kind == SegmentKind::kRiver || kind == SegmentKind::kTemple) {
    return refuse("not-a-segment",
                  Text("No figure stands on a ", ToString(kind), " (Deploying a figure)."));
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
      if (!IsPlot(kind)) {
        return refuse("abbot-wrong-feature",
                      "An abbot stands only on a monastery or a garden (The Abbot).");
      }
      supply = player.abbots;
      break;
    default:
      return refuse("no-such-figure", "This game is played without that figure.");
  }
  if (supply <= 0) {
    return refuse("none-in-supply",
                  deployment.kind == FigureKind::kAbbot
                      ? "The player's abbot is not in the supply (The Abbot)."
                      : "The player has no follower left in the supply (Deploying a figure).");
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
  const auto& edges = tiles_->compiled()[static_cast<std::size_t>(tile)].edges;
  for (const Board::Opening& opening : board_.openings()) {
    for (int rotation = 0; rotation < 4; ++rotation) {
      const EdgeMask mask = edges[static_cast<std::size_t>(rotation)];
      if ((mask & opening.allowed) != mask) continue;
      const Cell cell = Board::CellOf(opening.key);
      if (!InArea(cell)) break;
      out->push_back({cell, rotation});
    }
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
  if (state.followers <= 0 && state.abbots <= 0) return;
  const std::uint32_t occupied = OccupiedSegments(tile, at);
  const auto& parts = tiles_->compiled()[static_cast<std::size_t>(tile)].parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (occupied >> i & 1) continue;
    const SegmentKind kind = parts[i].kind;
    const bool follower = kind == SegmentKind::kCity || kind == SegmentKind::kRoad ||
                          kind == SegmentKind::kMonastery ||
                          (kind == SegmentKind::kField && rules_.farmers);
    if (follower && state.followers > 0) {
      out->push_back({FigureKind::kFollower, static_cast<int>(i)});
    }
    if (IsPlot(kind) && state.abbots > 0) out->push_back({FigureKind::kAbbot, static_cast<int>(i)});
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
