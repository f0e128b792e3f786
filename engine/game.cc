#include "engine/game.h"

#include <algorithm>
#include <array>

#include "engine/game_contacts.h"
#include "engine/text.h"

namespace tilewarden::engine {

Game::Game(std::shared_ptr<const TileSet> tiles, Rules rules, std::vector<std::string> colours,
           int start_rotation)
    : tiles_(std::move(tiles)), rules_(std::move(rules)) {
  laid_count_.assign(tiles_->types().size(), 0);
  if (colours.size() > kMaxPlayers) colours.resize(kMaxPlayers);
  for (std::string& colour : colours) {
    players_.push_back({std::move(colour), 0, rules_.followers, rules_.abbot ? 1 : 0});
  }
  Lay(tiles_->start_tile(), {{0, 0}, start_rotation & 3}, -1);
}

absl::Status Game::AddPlayer(std::string colour, int position) {
  if (players_.size() >= kMaxPlayers) {
    return absl::InvalidArgumentError("at most six players can play");
  }
  if (position < 0 || position > static_cast<int>(players_.size())) {
    return absl::InvalidArgumentError(Text("no place ", position, " in the turn order"));
  }
  for (const PlayerState& player : players_) {
    if (player.colour == colour) {
      return absl::InvalidArgumentError(Text(colour, " plays already"));
    }
  }
  players_.insert(players_.begin() + position,
                  {std::move(colour), 0, rules_.followers, rules_.abbot ? 1 : 0});
  features_.InsertPlayer(position);
  const auto moved = [position](auto& player) {
    if (player >= position) ++player;
  };
  for (PlacedTile& tile : laid_) moved(tile.player);
  for (Figure& figure : figures_) moved(figure.player);
  for (Item& item : items_) moved(item.player);
  for (Returned& returned : returned_) moved(returned.figure.player);
  for (Turn& turn : turns_) moved(turn.player);
  return absl::OkStatus();
}

int& Game::Supply(int player, FigureKind kind) {
  PlayerState& state = players_[static_cast<std::size_t>(player)];
  return kind == FigureKind::kAbbot ? state.abbots : state.followers;
}

void Game::Lay(int tile, const Placement& at, int player) {
  const CompiledTile& type = tiles_->compiled()[static_cast<std::size_t>(tile)];
  const int number = static_cast<int>(laid_.size());
  const int first = features_.size();
  for (const CompiledTile::Part& part : type.parts) features_.Add(number, part.kind, part.open);
  ForEachContact(type, at, [&](int segment, int node, int closes) {
    features_.Join(first + segment, node, closes);
  });
  board_.Lay(at.cell, number, type.edges[static_cast<std::size_t>(at.rotation)]);
  laid_.push_back({tile, at.cell, at.rotation, static_cast<int>(turns_.size()), player});
  first_node_.push_back(first);
  ++laid_count_[static_cast<std::size_t>(tile)];
  ForEachPlotAround(at.cell, [&](int plot) { features_.AddOpen(plot, -1); });
}

void Game::TakeUp() {
  const PlacedTile& last = laid_.back();
  const CompiledTile& type = TileOf(static_cast<int>(laid_.size()) - 1);
  ForEachPlotAround(last.cell, [&](int plot) { features_.AddOpen(plot, 1); });
  board_.TakeUp(last.cell, type.edges[static_cast<std::size_t>(last.rotation)]);
  --laid_count_[static_cast<std::size_t>(last.tile)];
  features_.Drop(first_node_.back());
  first_node_.pop_back();
  laid_.pop_back();
}

std::optional<Outcome> Game::Apply(const Turn& turn, Refusal* refusal) {
  if (std::optional<Refusal> why = Check(turn)) {
    if (refusal != nullptr) *refusal = *std::move(why);
    return std::nullopt;
  }
  const std::size_t first_item = items_.size();
  const std::size_t first_returned = returned_.size();
  steps_.push_back({static_cast<std::uint32_t>(features_.joins()),
                    static_cast<std::uint32_t>(first_item),
                    static_cast<std::uint32_t>(first_returned)});
  turns_.push_back(turn);
  Lay(turn.tile, {turn.cell, turn.rotation}, turn.player);
  if (turn.recall) Recall(turn);
  if (turn.deployment) {
    Deploy({NodeAt(static_cast<int>(laid_.size()) - 1, turn.deployment->segment),
            static_cast<std::int8_t>(turn.player), turn.deployment->kind});
  }
  ScoreCompleted(turn.cell);
  for (std::size_t i = first_item; i < items_.size(); ++i) {
    players_[items_[i].player].score += items_[i].points;
  }

  Outcome outcome;
  for (std::size_t i = first_item; i < items_.size(); ++i) {
    outcome.items.push_back(Describe(items_[i]));
  }
  for (std::size_t i = first_returned; i < returned_.size(); ++i) {
    outcome.returned.push_back(Describe(returned_[i].figure));
  }
  return outcome;
}

bool Game::Undo() {
  if (turns_.empty()) return false;
  const Step step = steps_.back();
  while (items_.size() > step.items) {
    players_[items_.back().player].score -= items_.back().points;
    items_.pop_back();
  }
  while (returned_.size() > step.returned) {
    const Returned& back = returned_.back();
    figures_.insert(figures_.begin() + back.place, back.figure);
    features_.AddFigure(features_.Find(back.figure.node), back.figure.player);
    --Supply(back.figure.player, back.figure.kind);
    returned_.pop_back();
  }
  if (turns_.back().deployment) {
    const Figure figure = figures_.back();
    figures_.pop_back();
    features_.RemoveFigure(features_.Find(figure.node), figure.player);
    ++Supply(figure.player, figure.kind);
  }
  features_.UndoTo(step.joins);
  TakeUp();
  turns_.pop_back();
  steps_.pop_back();
  return true;
}

void Game::Deploy(const Figure& figure) {
  figures_.push_back(figure);
  features_.AddFigure(features_.Find(figure.node), figure.player);
  --Supply(figure.player, figure.kind);
}

void Game::ReturnFigure(std::size_t place) {
  const Figure figure = figures_[place];
  figures_.erase(figures_.begin() + static_cast<std::ptrdiff_t>(place));
  features_.RemoveFigure(features_.Find(figure.node), figure.player);
  ++Supply(figure.player, figure.kind);
  returned_.push_back({figure, static_cast<std::int32_t>(place)});
}

// The abbot's feature scores as it lies now, before anything that this tile
// completes (The Abbot: "return the abbot and score at once").
void Game::Recall(const Turn& turn) {
  for (std::size_t i = 0; i < figures_.size(); ++i) {
    if (figures_[i].kind != FigureKind::kAbbot || figures_[i].player != turn.player) continue;
    const int node = figures_[i].node;
    const Worth worth = WorthOf(node, false);
    items_.push_back({node, static_cast<std::int16_t>(worth.points), TurnNumber(),
                      static_cast<std::uint8_t>(turn.player), Cause::kRecall,
                      static_cast<std::uint16_t>(worth.tiles), 0});
    ReturnFigure(i);
    return;
  }
}

// Everything that the tile just laid completed, each feature once.
void Game::ScoreCompleted(Cell cell) {
  std::array<int, 32> done{};
  std::size_t count = 0;
  const auto consider = [&](int node) {
    const int root = features_.Find(node);
    const Features::Node& feature = features_.at(root);
    if (feature.open != 0 || feature.figures == 0) return;
    if (std::find(done.begin(), done.begin() + count, root) == done.begin() + count) {
      done[count++] = root;
    }
  };
  const int number = static_cast<int>(laid_.size()) - 1;
  const CompiledTile& type = TileOf(number);
  for (std::size_t i = 0; i < type.parts.size(); ++i) {
    const SegmentKind kind = type.parts[i].kind;
    if (kind != SegmentKind::kField && kind != SegmentKind::kRiver) {
      consider(NodeAt(number, static_cast<int>(i)));
    }
  }
  ForEachPlotAround(cell, [&](int plot) { consider(plot); });
  for (std::size_t i = 0; i < count; ++i) ScoreFeature(done[i], Cause::kCompleted, &items_);
  for (std::size_t i = 0; i < count; ++i) ReturnFigures(done[i]);
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
