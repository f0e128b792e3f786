// Where a tile may be laid, and who may be deployed on it.
#include <algorithm>
#include <array>

#include "engine/game/game_contacts.h"

namespace tilewarden::engine {

bool Game::InArea(Cell cell) const { return !area_ || Contains(*area_, cell); }

std::vector<Placement> Game::LegalPlacements(int tile) const {
  PlacementList list;
  LegalPlacements(tile, &list);
  std::vector<Placement> out;
  out.reserve(list.size());
  list.ForEach([&](const Placement& at) { out.push_back(at); });
  std::sort(out.begin(), out.end());
  return out;
}

void Game::LegalPlacements(int tile, PlacementList* out) const {
  out->Clear();
  if (tile < 0 || tile >= static_cast<int>(tiles_->types().size())) return;
  if (rules_.enforce_counts && TilesLeft(tile) <= 0) return;
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  out->Find(board_, type);
  if (area_ || type.river_sides != 0) {
    out->KeepIf([&](const Placement& at) {
      return InArea(at.cell) && (type.river_sides == 0 || FindRiverFault(tile, at).code == nullptr);
    });
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
  if (std::none_of(state.supply.begin(), state.supply.end(), [](int left) { return left > 0; })) {
    return;
  }
  if (RefusesMeeples(tile, at)) return;
  const std::uint32_t occupied = OccupiedSegments(tile, at);
  const auto& parts = tiles_->compiled()[static_cast<std::size_t>(tile)].parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (occupied >> i & 1) continue;
    for (const FigureKindEntry& entry : AllFigureKinds()) {
      if (state.Supply(entry.kind) > 0 && !entry.claims(parts[i].kind, rules_)) {
        out->push_back({entry.kind, static_cast<int>(i)});
      }
    }
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

// Tiles on which nobody may be deployed: the lake with the volcano, and by a
// house rule every river tile but the one that completes the river.
bool Game::RefusesMeeples(int tile, const Placement& at) const {
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  if (type.river_sides == 0) return false;
  if (type.volcano && rules_.volcano_lake) return true;
  return !rules_.river_meeples && OpenRiverEnds(tile, at) > 0;
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
  const std::uint32_t through = rules_.bushes_end_roads ? 0 : type.bushes;
  for (bool changed = occupied != 0; changed;) {
    changed = false;
    if ((occupied & through) != 0 && (occupied & through) != through) {
      occupied |= through;
      changed = true;
    }
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

}  // namespace tilewarden::engine
