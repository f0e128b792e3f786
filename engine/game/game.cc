#include "engine/game/game.h"

#include "engine/game/game_contacts.h"
#include "engine/game/stack.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

Game::Game(EmptyTable, std::shared_ptr<const TileSet> tiles, Rules rules,
           std::vector<std::string> colours)
    : tiles_(std::move(tiles)), rules_(std::move(rules)) {
  for (const int copies : CopiesInPlay(*tiles_, rules_)) {
    left_.push_back(static_cast<std::int16_t>(copies));
  }
  area_ = rules_.area;
  const auto most = static_cast<std::size_t>(std::min(rules_.max_players, kMaxPlayers));
  if (colours.size() > most) colours.resize(most);
  for (std::string& colour : colours) players_.push_back(NewPlayer(std::move(colour)));
}

Game::Game(std::shared_ptr<const TileSet> tiles, Rules rules, std::vector<std::string> colours,
           int start_rotation)
    : Game(EmptyTable{}, std::move(tiles), std::move(rules), std::move(colours)) {
  const int turn = start_rotation & 3;
  const int start = StartTile(*tiles_, rules_);
  if (start < 0) {
    board_.OpenMiddle();
    return;
  }
  Lay(start, {{0, 0}, turn}, -1);
  for (const TileSet::StartTile& more : tiles_->more_start_tiles()) {
    Cell cell = more.cell;
    for (int i = 0; i < turn; ++i) cell = {-cell.y, cell.x};
    Lay(more.tile, {cell, (more.rotation + turn) & 3}, -1);
  }
  if (!rules_.gingerbread) return;
  const auto& parts = TileOf(0).parts;
  for (std::size_t i = 0; i < parts.size() && gingerbread_ < 0; ++i) {
    if (parts[i].kind == SegmentKind::kCity) gingerbread_ = NodeAt(0, static_cast<int>(i));
  }
}

PlayerState Game::NewPlayer(std::string colour) const {
  PlayerState player;
  player.colour = std::move(colour);
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    player.Supply(entry.kind) = static_cast<std::int16_t>(entry.supply(rules_));
  }
  return player;
}

absl::Status Game::AddPlayer(std::string colour, int position) {
  if (static_cast<int>(players_.size()) >= std::min(rules_.max_players, kMaxPlayers)) {
    return absl::InvalidArgumentError(
        Text("at most ", rules_.max_players, " players can play (option max_players)"));
  }
  if (position < 0 || position > static_cast<int>(players_.size())) {
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
  for (Turn& turn : turns_) {
    moved(turn.player);
    if (turn.purchase) moved(turn.purchase->seller);
  }
  return absl::OkStatus();
}

// For the rest of the game at once, and where tiles are not counted for as much
// again: growing step by step took a fifth of a random game's time.
void Game::MakeRoom() {
  if (laid_.size() < laid_.capacity()) return;
  std::size_t tiles = laid_.size(), segments = static_cast<std::size_t>(features_.size());
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
  river_entry_.reserve(tiles);
  turns_.reserve(tiles);
  steps_.reserve(tiles);
  items_.reserve(tiles);
  returned_.reserve(tiles);
}

void Game::Lay(int tile, const Placement& at, int player) {
  MakeRoom();
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  const int number = static_cast<int>(laid_.size());
  const int first = features_.size();
  for (const CompiledTile::Part& part : type.parts) features_.Add(number, part.kind, part.open);
  river_entry_.push_back(
      static_cast<std::int8_t>(type.river_sides == 0 ? -1 : RiverEntry(tile, at)));
  ForEachContact(type, at, [&](int segment, int node, int closes) {
    // Where edges do not match, which only a board that was found has, nothing joins.
    if (features_.at(node).kind != type.parts[static_cast<std::size_t>(segment)].kind) return;
    features_.Join(first + segment, node, closes);
  });
  board_.Lay(at.cell, number, type.MeetsIn(at.rotation), !type.plots.empty());
  laid_.push_back({tile, at.cell, at.rotation, static_cast<int>(turns_.size()), player});
  first_node_.push_back(first);
  --left_[static_cast<std::size_t>(tile)];
  ForEachPlotAround(at.cell, [&](int plot) { features_.AddOpen(plot, -1); });
  if (!rules_.bushes_end_roads && type.bushes != 0) JoinThroughBushes(type.bushes, first);
  if (area_ && rules_.table_edge_completes) CloseAtTheTablesEdge(1);
}

// House rule: a road goes on through bushes, to every other road that ends there.
void Game::JoinThroughBushes(std::uint16_t bushes, int first) {
  int joined = -1;
  for (int segment = 0; bushes != 0; ++segment, bushes >>= 1) {
    if (!(bushes & 1)) continue;
    if (joined >= 0) features_.Join(first + joined, first + segment, 0);
    joined = segment;
  }
}

void Game::TakeUp() {
  const PlacedTile& last = laid_.back();
  const CompiledTile& type = TileOf(static_cast<int>(laid_.size()) - 1);
  ForEachPlotAround(last.cell, [&](int plot) { features_.AddOpen(plot, 1); });
  board_.TakeUp(last.cell, type.MeetsIn(last.rotation));
  ++left_[static_cast<std::size_t>(last.tile)];
  if (laid_.size() == 1) board_.OpenMiddle();
  features_.Drop(first_node_.back());
  first_node_.pop_back();
  river_entry_.pop_back();
  laid_.pop_back();
}

std::optional<Refusal> Game::Check(const Turn& turn) const {
  if (std::optional<Refusal> why = CheckBasics(turn)) return why;
  // Whether neutral figures must move shows only once the tile lies.
  if (turn.set_aside ||
      (!rules_.gingerbread && rules_.ark == ArkEdition::kNone && !turn.purchase)) {
    return std::nullopt;
  }
  Game copy(*this);
  return copy.Play(turn);
}

std::optional<Outcome> Game::Apply(const Turn& turn, Refusal* refusal) {
  const std::size_t first_item = items_.size();
  const std::size_t first_returned = returned_.size();
  std::optional<Refusal> why = CheckBasics(turn);
  if (!why) why = Play(turn);
  if (why) {
    if (refusal != nullptr) *refusal = *std::move(why);
    return std::nullopt;
  }
  Outcome outcome;
  outcome.items.reserve(items_.size() - first_item);
  outcome.returned.reserve(returned_.size() - first_returned);
  for (std::size_t i = first_item; i < items_.size(); ++i) {
    outcome.items.push_back(Describe(items_[i]));
  }
  for (std::size_t i = first_returned; i < returned_.size(); ++i) {
    outcome.returned.push_back(Describe(returned_[i].figure));
  }
  if (!turn.set_aside) outcome.extra_turn = GivesExtraTurn(turn);
  return outcome;
}

bool Game::GivesExtraTurn(const Turn& turn) const {
  if (rules_.volcano_lake && TileOf(static_cast<int>(laid_.size()) - 1).volcano) return true;
  if (!rules_.hole_extra_turn) return false;
  return std::all_of(kSides.begin(), kSides.end(),
                     [&](Side side) { return board_.At(Neighbour(turn.cell, side)) >= 0; });
}

// The turn in the order of the rules. What can only be refused once the tile
// lies is refused here, and everything taken back.
std::optional<Refusal> Game::Play(const Turn& turn) {
  steps_.push_back(
      {static_cast<std::uint32_t>(features_.joins()), static_cast<std::uint32_t>(items_.size()),
       static_cast<std::uint32_t>(returned_.size()), gingerbread_, ark_, ark_reached_temple_});
  turns_.push_back(turn);
  if (turn.set_aside) {
    if (!rules_.unplaceable_returns) --left_[static_cast<std::size_t>(turn.tile)];
    return std::nullopt;
  }
  if (turn.table) area_ = turn.table;
  Lay(turn.tile, {turn.cell, turn.rotation}, turn.player);
  std::optional<Refusal> why;
  if (turn.recall) Recall(turn);
  if (turn.deployment) {
    Deploy({NodeAt(static_cast<int>(laid_.size()) - 1, turn.deployment->segment),
            static_cast<std::int8_t>(turn.player), turn.deployment->kind});
  }
  if (!turn.ark_path.empty()) {
    why = CheckArkMove(turn);
    if (!why) MoveArk(turn);
  }
  if (!why) {
    const Completed completed = FindCompleted(turn.cell);
    if (turn.purchase) why = Pay(turn, completed);
    if (gingerbread_ >= 0 && completed.Has(features_.Find(gingerbread_))) PayKnights();
    const bool moves = rules_.gingerbread;
    if (!why && moves && rules_.gingerbread_moves_first) why = MoveGingerbreadMan(turn, completed);
    ScoreCompleted(completed);
    if (!why && rules_.ark != ArkEdition::kNone) why = LandArk(turn, completed);
    if (!why && moves && !rules_.gingerbread_moves_first) why = MoveGingerbreadMan(turn, completed);
  }
  if (why) Undo();
  return why;
}

bool Game::Undo() {
  if (turns_.empty()) return false;
  const Step step = steps_.back();
  const Turn turn = std::move(turns_.back());
  while (items_.size() > step.items) {
    players_[static_cast<std::size_t>(items_.back().player)].score -= items_.back().points;
    items_.pop_back();
  }
  while (returned_.size() > step.returned) {
    const Returned& back = returned_.back();
    figures_.insert(figures_.begin() + back.place, back.figure);
    features_.AddFigure(features_.Find(back.figure.node), back.figure.player);
    if (back.figure.kind != FigureKind::kProphet) --SupplyOf(back.figure);
    returned_.pop_back();
  }
  gingerbread_ = step.gingerbread;
  ark_ = step.ark;
  ark_reached_temple_ = step.ark_reached_temple;
  if (turn.set_aside) {
    if (!rules_.unplaceable_returns) ++left_[static_cast<std::size_t>(turn.tile)];
  } else {
    if (turn.deployment) {
      const Figure figure = figures_.back();
      figures_.pop_back();
      features_.RemoveFigure(features_.Find(figure.node), figure.player);
      ++SupplyOf(figure);
    }
    if (area_ && rules_.table_edge_completes) CloseAtTheTablesEdge(-1);
    features_.UndoTo(step.joins);
    TakeUp();
    if (turn.table) area_ = AreaBefore(turns_.size() - 1);
  }
  turns_.pop_back();
  steps_.pop_back();
  return true;
}

void Game::Deploy(const Figure& figure) {
  figures_.push_back(figure);
  features_.AddFigure(features_.Find(figure.node), figure.player);
  --SupplyOf(figure);
}

void Game::ReturnFigure(std::size_t place) {
  const Figure figure = figures_[place];
  figures_.erase(figures_.begin() + static_cast<std::ptrdiff_t>(place));
  features_.RemoveFigure(features_.Find(figure.node), figure.player);
  // A prophet is used once and leaves the game.
  if (figure.kind != FigureKind::kProphet) ++SupplyOf(figure);
  returned_.push_back({figure, static_cast<std::int32_t>(place)});
}

// The abbot's feature scores as it lies now, before anything that this tile
// completes (The Abbot: "return the abbot and score at once").
void Game::Recall(const Turn& turn) {
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    if (figures_[i].kind != FigureKind::kAbbot || figures_[i].player != turn.player) continue;
    const int node = figures_[i].node;
    const Worth worth = WorthOf(node, false);
    AddItem(node, worth.points, turn.player, Cause::kRecall, worth.tiles);
    ReturnFigure(i);
    return;
  }
}

void Game::AddItem(int node, int points, int player, Cause cause, int tiles, int extras,
                   bool doubled) {
  items_.push_back({node, static_cast<std::int16_t>(points), TurnNumber(),
                    static_cast<std::int8_t>(player), cause, doubled,
                    static_cast<std::uint16_t>(tiles), static_cast<std::uint16_t>(extras)});
  players_[static_cast<std::size_t>(player)].score += points;
}

// Roads, cities, monasteries and gardens; temples when those that the edition
// scores first have gone home.
void Game::ScoreCompleted(const Completed& completed) {
  const std::size_t first = items_.size();
  const auto score = [&](auto wanted) {
    for (std::size_t i = 0; i < completed.count; ++i) {
      const int root = completed.roots[i];
      const Features::Node& feature = features_.at(root);
      if (!wanted(feature.kind)) continue;
      if (feature.kind == SegmentKind::kTemple) {
        ScoreTemple(root, true, &items_);
      } else if (feature.figures != 0) {
        ScoreFeature(root, Cause::kCompleted, &items_);
        ReturnFigures(root);
      }
    }
  };
  const bool cities_first = rules_.ark == ArkEdition::kNone || rules_.temples_after_cities;
  score([&](SegmentKind kind) {
    return kind != SegmentKind::kTemple && (kind != SegmentKind::kCity || cities_first);
  });
  score([](SegmentKind kind) { return kind == SegmentKind::kTemple; });
  if (!cities_first) score([](SegmentKind kind) { return kind == SegmentKind::kCity; });
  for (std::size_t i = first; i < items_.size(); ++i) {
    players_[static_cast<std::size_t>(items_[i].player)].score += items_[i].points;
  }
}

void Game::ReturnFigures(int root) {
  for (std::size_t i = 0; i < figures_.size();) {
    if (features_.Find(figures_[i].node) == root) {
      ReturnFigure(i);
    } else {
      ++i;
    }
  }
}

}  // namespace tilewarden::engine
