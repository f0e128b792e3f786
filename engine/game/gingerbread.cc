// The Gingerbread Man (Winter Edition): he stands in a city, pays its knights
// when he leaves it or it is completed, and goes to another unfinished city.
#include "engine/game/game.h"

namespace tilewarden::engine {

std::optional<Place> Game::gingerbread_man() const {
  if (gingerbread_ < 0) return std::nullopt;
  return Place{CellOf(gingerbread_), SegmentOf(gingerbread_)};
}

int Game::NodeAt(const Place& place) const {
  const int number = board_.At(place.cell);
  if (number < 0 || place.segment < 0 ||
      place.segment >= static_cast<int>(TileOf(number).parts.size())) {
    return -1;
  }
  return NodeAt(number, place.segment);
}

// Whether this city is one he may go to from `from` (his node, or -1).
bool Game::MayBeHisTarget(int root, int from) const {
  const Features::Node& feature = features_.at(root);
  if (feature.kind != SegmentKind::kCity || IsComplete(root)) return false;
  if (from >= 0 && features_.Find(from) == root) return false;
  if (rules_.gingerbread_to_new_tile) return true;
  bool on_new_tile = false;
  features_.ForEach(root, [&](int node) {
    on_new_tile |= features_.at(node).tile == static_cast<int>(laid_.size()) - 1;
  });
  return !on_new_tile;
}

std::vector<Place> Game::OpenCities(int from) const {
  std::vector<Place> out;
  for (int node = 0; node < features_.size(); ++node) {
    if (features_.at(node).parent == node && MayBeHisTarget(node, from)) {
      out.push_back({CellOf(node), SegmentOf(node)});
    }
  }
  return out;
}

// For each knight in his city, 1 point a tile to its player; coats of arms
// count nothing and there is no majority.
void Game::PayKnights() {
  const int root = features_.Find(gingerbread_);
  const int tiles = static_cast<int>(CellsOf(root).size());
  for (int player = 0; player < static_cast<int>(players_.size()); ++player) {
    const int knights = static_cast<int>(features_.at(root).figures >> (8 * player) & 0xFF);
    if (knights > 0) AddItem(root, knights * tiles, player, Cause::kGingerbread, tiles, knights);
  }
}

std::optional<Refusal> Game::MoveGingerbreadMan(const Turn& turn, const Completed& completed) {
  const auto refuse = [&](std::string code, std::string text) {
    return Refusal{std::move(code), std::move(text), {turn.cell}};
  };
  std::size_t used = 0;
  std::optional<Refusal> why;
  // Moves him to the next target that the turn names. False: he must not move
  // because there is nowhere to go, or the target is wrong (`why`).
  const auto move = [&] {
    const std::vector<Place> open = OpenCities(gingerbread_);
    if (open.empty()) return false;
    if (used == turn.gingerbread.size()) {
      why = refuse("gingerbread-must-move",
                   "The Gingerbread Man must go to another unfinished city (Gingerbread Man).");
      return false;
    }
    const int node = NodeAt(turn.gingerbread[used]);
    if (node < 0 || !MayBeHisTarget(features_.Find(node), gingerbread_)) {
      why = refuse("gingerbread-bad-target",
                   "The Gingerbread Man goes only to another city that is unfinished "
                   "(Gingerbread Man).");
      return false;
    }
    ++used;
    gingerbread_ = node;
    return true;
  };
  const bool was_aside = gingerbread_ < 0;
  const bool finished = !was_aside && completed.Has(features_.Find(gingerbread_));
  bool moved = false;
  if (finished) {
    moved = move();
    // No other unfinished city: beside the board, until he is brought back.
    if (!moved && !why) gingerbread_ = -1;
  }
  const bool symbol = tiles_->types()[static_cast<std::size_t>(turn.tile)].gingerbread;
  if (!why && symbol && (!moved || rules_.gingerbread_moves_twice)) {
    if (gingerbread_ >= 0 && !OpenCities(gingerbread_).empty() && used < turn.gingerbread.size()) {
      PayKnights();
    }
    moved = move();
  }
  if (!why && !symbol && was_aside && rules_.gingerbread_next_city) move();
  if (!why && used < turn.gingerbread.size()) {
    why = refuse("gingerbread-bad-target",
                 "The Gingerbread Man does not move in this turn (Gingerbread Man).");
  }
  return why;
}

std::vector<Place> Game::GingerbreadTargets(int tile, const Placement& at) const {
  Turn turn;
  turn.player = -1;
  turn.tile = tile;
  turn.cell = at.cell;
  turn.rotation = at.rotation;
  if (!rules_.gingerbread || CheckBasics(turn)) return {};
  Game copy(*this);
  copy.turns_.push_back(turn);
  copy.Lay(tile, at, -1);
  const Completed completed = copy.FindCompleted(at.cell);
  const int his = copy.gingerbread_;
  const bool must = (his >= 0 && completed.Has(copy.features_.Find(his))) ||
                    tiles_->types()[static_cast<std::size_t>(tile)].gingerbread ||
                    (his < 0 && rules_.gingerbread_next_city);
  return must ? copy.OpenCities(his) : std::vector<Place>{};
}

}  // namespace tilewarden::engine
