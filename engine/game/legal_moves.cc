// Where a tile may be laid, and who may be deployed on it.
#include <algorithm>
#include <array>

#include "engine/game/game.h"
#include "engine/game/placing.h"

namespace tilewarden::engine {
void FindPlacements(const Position& position, const Parts& parts, int tile, PlacementList* out) {
  out->Clear();
  if (tile < 0 || tile >= position.types()) return;
  if (position.rules().enforce_counts && position.TilesLeft(tile) <= 0) return;
  const CompiledTile& type = position.Type(tile);
  out->Find(position.board(), type);
  const std::optional<PlayingArea> area = position.area();
  if (!parts.Limited(tile)) {
    if (area) out->KeepIf([&](const Placement& at) { return Contains(*area, at.cell); });
    return;
  }
  out->KeepIf([&](const Placement& at) {
    return position.InArea(at.cell) && !parts.LayingFault(position, tile, at);
  });
}

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
  FindPlacements(position_, parts_, tile, out);
}

std::vector<Deployment> Game::LegalDeployments(int player, int tile, const Placement& at) const {
  std::vector<Deployment> out;
  LegalDeployments(player, tile, at, &out);
  return out;
}

void Game::LegalDeployments(int player, int tile, const Placement& at,
                            std::vector<Deployment>* out) const {
  out->clear();
  if (player < 0 || player >= static_cast<int>(players().size()) || tile < 0 ||
      tile >= position_.types()) {
    return;
  }
  std::array<FigureKind, kMostFigureKinds> kinds;
  std::size_t count = 0;
  const PlayerState& state = position_.player(player);
  for (const FigureKindEntry& entry : book_->kinds) {
    if (state.Supply(entry.kind) > 0) kinds[count++] = entry.kind;
  }
  if (count == 0 || DeployingFault(tile, at)) return;
  const std::uint32_t occupied = position_.OccupiedSegments(tile, at);
  const bool joins = std::any_of(kinds.begin(), kinds.begin() + static_cast<std::ptrdiff_t>(count),
                                 [&](FigureKind kind) { return position_.StrengthOf(kind) == 0; });
  const std::uint32_t own = joins ? position_.OccupiedSegments(tile, at, player) : 0;
  const auto& segments = position_.Type(tile).parts;
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool is_free = !(occupied >> i & 1), is_own = own >> i & 1;
    if (!is_free && !is_own) continue;
    for (std::size_t k = 0; k < count; ++k) {
      const bool open = position_.StrengthOf(kinds[k]) == 0 ? is_own : is_free;
      if (open && position_.MayClaim(kinds[k], segments[i].kind)) {
        out->push_back({kinds[k], static_cast<int>(i)});
      }
    }
  }
}

Fault Game::DeployingFault(int tile, const Placement& at) const {
  if (!parts_.Limited(tile)) return {};
  return parts_.First<Hook::kDeployingFault>(
      [&](const Part& part) { return part.DeployingFault(position_, tile, at); });
}

std::vector<Cell> Game::LegalRecalls(int player, const Placement& at) const {
  std::vector<Cell> out;
  for (const Position::Figure& figure : position_.figures()) {
    if (figure.kind != FigureKind::kAbbot || figure.player != player) continue;
    Turn turn;
    turn.player = player;
    turn.cell = at.cell;
    turn.recall = position_.CellOf(figure.node);
    if (!CheckActions(turn)) out.push_back(*turn.recall);
  }
  return out;
}

std::optional<Game> Game::Laid(int tile, const Placement& at) const {
  Turn turn;
  turn.player = -1;
  turn.tile = tile;
  turn.cell = at.cell;
  turn.rotation = at.rotation;
  if (CheckBasics(turn)) return std::nullopt;
  Game copy(*this);
  copy.position_.BeginTurn();
  copy.Lay(tile, at, -1);
  return copy;
}

std::vector<Place> Game::Targets(FigureKind kind, int tile, const Placement& at) const {
  std::vector<Place> out;
  if (tile < 0 || tile >= position_.types()) return out;
  const bool may = parts_.First<Hook::kMayMove>(
      [&](const Part& part) { return part.MayMove(position_, kind, tile); });
  if (!may) return out;
  const std::optional<Game> laid = Laid(tile, at);
  if (!laid) return out;
  const Position& position = laid->position_;
  const Position::Completed completed = position.FindCompleted();
  laid->parts_.ForEach<Hook::kMayMove>([&](const Part& part) {
    if (part.MayMove(position, kind, tile)) out = part.Targets(position, completed);
  });
  return out;
}

std::vector<Place> Game::GingerbreadTargets(int tile, const Placement& at) const {
  return Targets(FigureKind::kGingerbreadMan, tile, at);
}

std::vector<std::vector<Place>> Game::GingerbreadWays(Turn turn) const {
  const std::vector<Place> targets = GingerbreadTargets(turn.tile, {turn.cell, turn.rotation});
  std::vector<std::vector<Place>> ways;
  if (targets.empty()) return ways;
  // Where he stands he may go back to, once he has left it.
  std::vector<Place> second = targets;
  if (const std::optional<Place> man = gingerbread_man()) second.push_back(*man);
  // Tried out and taken back: Check would copy the game for each.
  Game scratch(*this);
  const auto take_if_legal = [&] {
    if (!scratch.Apply(turn)) return false;
    scratch.Undo();
    ways.push_back(turn.gingerbread);
    return true;
  };
  for (const Place& target : targets) {
    turn.gingerbread = {target};
    if (take_if_legal()) continue;
    for (const Place& next : second) {
      turn.gingerbread = {target, next};
      take_if_legal();
    }
  }
  return ways;
}

std::vector<Cell> Game::ArkLandings(int tile, const Placement& at) const {
  std::vector<Cell> cells;
  for (const Place& place : Targets(FigureKind::kArk, tile, at)) cells.push_back(place.cell);
  return cells;
}

}  // namespace tilewarden::engine
