#include "engine/game/position.h"

#include <utility>

#include "engine/game/contacts.h"
#include "engine/game/stack.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

Position::Position(std::shared_ptr<const TileSet> tiles, Rules rules,
                   std::span<const FigureKindEntry> kinds)
    : tiles_(std::move(tiles)), rules_(std::move(rules)), kinds_(kinds) {
  for (const int copies : CopiesInPlay(*tiles_, rules_)) {
    left_.push_back(static_cast<std::int16_t>(copies));
  }
  for (const FigureKindEntry& entry : kinds_) {
    const auto kind = static_cast<std::size_t>(entry.kind);
    for (int segment = 0; segment < kSegmentKinds; ++segment) {
      if (entry.claims(static_cast<SegmentKind>(segment), rules_)) continue;
      claims_[kind] = static_cast<std::uint8_t>(claims_[kind] | 1 << segment);
    }
    strength_[kind] = static_cast<std::uint8_t>(entry.strength);
    if (entry.used_once) used_once_ = static_cast<std::uint16_t>(used_once_ | 1 << kind);
  }
}

const FigureKindEntry* Position::Find(FigureKind kind) const {
  const auto found = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&](const FigureKindEntry& entry) { return entry.kind == kind; });
  return found == kinds_.end() ? nullptr : &*found;
}

PlayerState Position::NewPlayer(std::string colour) const {
  PlayerState player;
  player.colour = std::move(colour);
  for (const FigureKindEntry& entry : kinds_) {
    player.Supply(entry.kind) = static_cast<std::int16_t>(entry.supply(rules_));
  }
  return player;
}

absl::Status Position::AddPlayer(std::string colour, int position) {
  const int players = static_cast<int>(players_.size());
  if (players >= std::min(rules_.max_players, kMaxPlayers)) {
    return absl::InvalidArgumentError(
        Text("at most ", rules_.max_players, " players can play (option max_players)"));
  }
  if (position < 0 || position > players) {
    return absl::InvalidArgumentError(Text("no place ", position, " in the turn order"));
  }
  for (const PlayerState& player : players_) {
    if (player.colour == colour) {
      return absl::InvalidArgumentError(Text(colour, " plays already"));
    }
  }
  players_.insert(players_.begin() + position, NewPlayer(std::move(colour)));
  features_.InsertPlayer(position);
  const auto moved = [position](auto& player) {
    if (player >= position) ++player;
  };
  for (PlacedTile& tile : laid_) moved(tile.player);
  for (Figure& figure : figures_) moved(figure.player);
  for (Item& item : items_) moved(item.player);
  for (Returned& returned : returned_) moved(returned.figure.player);
  return absl::OkStatus();
}

int Position::NodeAt(const Place& place) const {
  const int number = board_.At(place.cell);
  if (number < 0 || place.segment < 0 ||
      place.segment >= static_cast<int>(TileOf(number).parts.size())) {
    return -1;
  }
  return NodeAt(number, place.segment);
}

Place Position::SegmentAtEdge(int tile, Cell cell, int rotation, int side) const {
  const CompiledTile& type = Type(tile);
  const auto canonical = Index((side - rotation) & 3);
  const int segment = type.side_segment[canonical];
  return {cell, segment >= 0 ? segment : type.field[2 * canonical]};
}

std::vector<Cell> Position::CellsOf(int node) const {
  std::vector<Cell> cells;
  cells.reserve(Index(features_.at(features_.Find(node)).size));
  features_.ForEach(node, [&](int i) { cells.push_back(CellOf(i)); });
  std::sort(cells.begin(), cells.end());
  cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
  return cells;
}

void Position::JoinOnTile(int tile, std::uint16_t segments) {
  joined_.resize(left_.size());
  joined_[Index(tile)] = static_cast<std::uint16_t>(joined_[Index(tile)] | segments);
}

// Room for the rest of the game at once; where tiles are not counted, for as much
// again: growing step by step took a fifth of a random game's time.
void Position::MakeRoom() {
  if (laid_.size() < laid_.capacity()) return;
  std::size_t tiles = laid_.size(), segments = Index(features_.size());
  for (std::size_t type = 0; type < left_.size(); ++type) {
    if (left_[type] <= 0) continue;
    const auto left = static_cast<std::size_t>(left_[type]);
    tiles += left;
    segments += left * tiles_->compiled()[type].parts.size();
  }
  features_.Reserve(segments);
  tiles += laid_.size();
  laid_.reserve(tiles);
  first_node_.reserve(tiles);
  items_.reserve(tiles);
  returned_.reserve(tiles);
}

void Position::Lay(int tile, const Placement& at, int player) {
  MakeRoom();
  const CompiledTile& type = Type(tile);
  const int number = static_cast<int>(laid_.size());
  const int first = features_.size();
  for (const CompiledTile::Part& part : type.parts) features_.Add(number, part.kind, part.open);
  ForEachContact(type, at, [&](int segment, int node, int closes) {
    // Where edges do not match, nothing joins. Only a board that was found has such edges.
    if (features_.at(node).kind != type.parts[Index(segment)].kind) return;
    features_.Join(first + segment, node, closes);
  });
  board_.Lay(at.cell, number, type.MeetsIn(at.rotation), !type.plots.empty());
  laid_.push_back({tile, at.cell, at.rotation, turn_, player});
  first_node_.push_back(first);
  --left_[Index(tile)];
  ForEachPlotAround(at.cell, [&](int plot) { features_.AddOpen(plot, -1); });
  int before = -1;
  std::uint16_t joined = JoinedOn(tile);
  for (int segment = 0; joined != 0; ++segment, joined >>= 1) {
    if (!(joined & 1)) continue;
    if (before >= 0) features_.Join(first + before, first + segment, 0);
    before = segment;
  }
}

Position::Mark Position::BeginTurn() {
  ++turn_;
  return {static_cast<std::uint32_t>(features_.joins()), static_cast<std::uint32_t>(items_.size()),
          static_cast<std::uint32_t>(returned_.size()),
          static_cast<std::uint32_t>(figures_.size())};
}

void Position::TakeBack(const Mark& mark) {
  while (items_.size() > mark.items) {
    players_[Index(items_.back().player)].score -= items_.back().points;
    items_.pop_back();
  }
  while (returned_.size() > mark.returned) {
    const Returned& back = returned_.back();
    figures_.insert(figures_.begin() + back.place, back.figure);
    CountFigure(back.figure);
    if (!UsedOnce(back.figure.kind)) --SupplyOf(back.figure);
    returned_.pop_back();
  }
  while (figures_.size() > mark.figures) {
    const Figure figure = figures_.back();
    figures_.pop_back();
    DiscountFigure(figure);
    ++SupplyOf(figure);
  }
}

void Position::TakeUp(const Mark& mark) {
  features_.UndoTo(mark.joins);
  const PlacedTile& last = laid_.back();
  const CompiledTile& type = Type(last.tile);
  ForEachPlotAround(last.cell, [&](int plot) { features_.AddOpen(plot, 1); });
  board_.TakeUp(last.cell, type.MeetsIn(last.rotation));
  ++left_[Index(last.tile)];
  if (laid_.size() == 1) board_.OpenMiddle();
  features_.Drop(first_node_.back());
  first_node_.pop_back();
  laid_.pop_back();
}

void Position::Deploy(const Figure& figure) {
  figures_.push_back(figure);
  CountFigure(figure);
  --SupplyOf(figure);
}

void Position::ReturnFigure(std::size_t place) {
  const Figure figure = figures_[place];
  figures_.erase(figures_.begin() + static_cast<std::ptrdiff_t>(place));
  DiscountFigure(figure);
  if (!UsedOnce(figure.kind)) ++SupplyOf(figure);
  returned_.push_back({figure, static_cast<std::int32_t>(place)});
}

void Position::ReturnFigures(int root) {
  for (std::size_t i = 0; i < figures_.size();) {
    if (features_.Find(figures_[i].node) == root) {
      ReturnFigure(i);
    } else {
      ++i;
    }
  }
}

void Position::AddItem(Item item) {
  item.turn = turn_;
  items_.push_back(item);
  players_[Index(item.player)].score += item.points;
}

std::uint32_t Position::OccupiedSegments(int tile, const Placement& at, int player) const {
  const std::uint64_t whose = player < 0 ? ~std::uint64_t{0} : std::uint64_t{0xFF} << (8 * player);
  const CompiledTile& type = Type(tile);
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
    if ((features_.at(root).figures & whose) != 0) occupied |= 1U << segment;
    contacts[count++] = {segment, root};
  });
  // Two segments of the tile that meet in one feature become one; what is
  // occupied spreads until nothing changes.
  const std::uint32_t joined = JoinedOn(tile);
  for (bool changed = occupied != 0; changed;) {
    changed = false;
    if ((occupied & joined) != 0 && (occupied & joined) != joined) {
      occupied |= joined;
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

std::size_t Position::MemoryUsed() const {
  const auto bytes = [](const auto& list) { return list.capacity() * sizeof(list[0]); };
  return board_.MemoryUsed() + features_.MemoryUsed() + bytes(players_) + bytes(laid_) +
         bytes(first_node_) + bytes(left_) + bytes(joined_) + bytes(figures_) + bytes(items_) +
         bytes(returned_);
}

}  // namespace tilewarden::engine
