// What belongs to nobody, the Ark and the Gingerbread Man, and abbots that are
// called home: parts of a turn that no new figure on its tile shows.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>

#include "engine/referee_model.h"
#include "engine/referee_state.h"
#include "engine/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// The rules let the Ark move this far in one turn.
constexpr int kLongestArkMove = 5;

bool AboutNeutral(const std::string& code) {
  return code == "gingerbread-must-move" || code == "gingerbread-bad-target" ||
         code == "ark-must-be-placed";
}

const FigureView* Seen(const Look& look, FigureKind kind, Cell* cell) {
  const FigureView* best = nullptr;
  for (const auto& [at, figure] : look.neutral) {
    if (figure.seen.kind != kind || figure.seen.probability < 0.5) continue;
    if (best != nullptr && best->seen.probability >= figure.seen.probability) continue;
    best = &figure;
    *cell = at;
  }
  return best;
}

// Every way of the Ark from here to there that the rules allow.
std::vector<Turn> ArkWays(const Game& before, Turn turn, Cell to) {
  std::vector<Turn> ways;
  const std::function<void(Cell)> go = [&](Cell from) {
    if (from == to && !turn.ark_path.empty() && !before.Check(turn)) ways.push_back(turn);
    if (turn.ark_path.size() >= static_cast<std::size_t>(kLongestArkMove)) return;
    for (const Side side : kSides) {
      const Cell next = Neighbour(from, side);
      const int left = kLongestArkMove - static_cast<int>(turn.ark_path.size()) - 1;
      if (std::abs(next.x - to.x) + std::abs(next.y - to.y) > left) continue;
      if (before.TileAt(next) == nullptr && next != turn.cell) continue;
      if (std::find(turn.ark_path.begin(), turn.ark_path.end(), next) != turn.ark_path.end()) {
        continue;
      }
      turn.ark_path.push_back(next);
      go(next);
      turn.ark_path.pop_back();
    }
  };
  if (before.ark()) go(*before.ark());
  return ways;
}

std::vector<int> Points(const Game& before, const Turn& turn) {
  Game after = before;
  std::vector<int> points(before.players().size(), 0);
  const std::optional<Outcome> outcome = after.Apply(turn);
  if (!outcome) return points;
  for (const ScoreItem& item : outcome->items) points[At(item.player)] += item.points;
  return points;
}

}  // namespace

std::optional<Refusal> Referee::State::CheckOn(const Game& game, const Turn& turn) {
  std::optional<Refusal> refusal = game.Check(turn);
  if (refusal && AboutNeutral(refusal->code)) refusal.reset();
  return refusal;
}

void Referee::State::FillNeutral(Turn* turn, const Game& before, const Look& look) const {
  const Placement at = {turn->cell, turn->rotation};
  Cell cell;
  if (before.rules().ark != ArkEdition::kNone) {
    const std::vector<Cell> landings = before.ArkLandings(turn->tile, at);
    if (!landings.empty()) {
      const FigureView* ark = Seen(look, FigureKind::kArk, &cell);
      const bool there =
          ark != nullptr && std::find(landings.begin(), landings.end(), cell) != landings.end();
      turn->ark_landing = there ? cell : landings.front();
    }
  }
  const std::vector<Place> targets = before.GingerbreadTargets(turn->tile, at);
  if (targets.empty()) return;
  std::vector<Place> wishes;
  if (const FigureView* man = Seen(look, FigureKind::kGingerbreadMan, &cell)) {
    const PlacedTile* laid = before.TileAt(cell);
    const int tile = cell == turn->cell ? turn->tile : laid != nullptr ? laid->tile : -1;
    const int rotation = cell == turn->cell ? turn->rotation : laid != nullptr ? laid->rotation : 0;
    if (tile >= 0) {
      const std::vector<double> shares = SegmentLikelihoods(*man, tile, rotation);
      std::vector<std::pair<double, Place>> cities;
      for (std::size_t s = 0; s < shares.size(); ++s) {
        if (tiles().types()[At(tile)].segments[s].kind != SegmentKind::kCity) continue;
        cities.push_back({shares[s], {cell, static_cast<int>(s)}});
      }
      std::stable_sort(cities.begin(), cities.end(),
                       [](const auto& a, const auto& b) { return a.first > b.first; });
      for (const auto& [share, place] : cities) wishes.push_back(place);
    }
  }
  const auto legal = [&] {
    const std::optional<Refusal> refusal = before.Check(*turn);
    return !refusal || !AboutNeutral(refusal->code);
  };
  for (const Place& wish : wishes) {
    turn->gingerbread = {wish};
    if (legal()) return;
    for (const Place& first : targets) {
      turn->gingerbread = {first, wish};
      if (legal()) return;
    }
  }
  // He stands elsewhere still: somebody will move him.
  for (const Place& first : targets) {
    turn->gingerbread = {first};
    if (legal()) return;
    for (const Place& second : targets) {
      turn->gingerbread = {first, second};
      if (legal()) return;
    }
  }
  turn->gingerbread.clear();
}

void Referee::State::ReviewNeutral(const Look& look, int amendable_from) {
  Cell cell;
  if (game().rules().ark != ArkEdition::kNone) {
    const FigureView* ark = Seen(look, FigureKind::kArk, &cell);
    if (ark != nullptr) ark_seen = cell;
    if (ark != nullptr && game().ark() && cell != *game().ark()) ReviewArk(cell, amendable_from);
  }
  if (game().rules().gingerbread) {
    if (const FigureView* man = Seen(look, FigureKind::kGingerbreadMan, &cell)) {
      ReviewGingerbreadMan(*man, cell, amendable_from);
    }
  }
}

void Referee::State::ReviewArk(Cell seen, int amendable_from) {
  const int count = static_cast<int>(game().turns().size());
  for (int number = count; number >= std::max(1, amendable_from); --number) {
    const std::vector<Turn> turns = game().turns();
    Turn turn = turns[At(number - 1)];
    const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
    if (!before) continue;
    if (turn.ark_landing) {
      turn.ark_landing = seen;
      if (SetTurn(number, turn, "the Ark entered on another tile")) return;
      continue;
    }
    if (turn.deployment || turn.recall || turn.player < 0) continue;
    turn.ark_path.clear();
    const std::vector<Turn> ways = ArkWays(*before, turn, seen);
    if (ways.empty()) continue;
    // Ways that pay the same are one; people take the one that pays them best.
    std::vector<std::pair<std::vector<int>, Turn>> stories;
    for (const Turn& way : ways) {
      std::vector<int> points = Points(*before, way);
      const bool known = std::any_of(stories.begin(), stories.end(),
                                     [&](const auto& story) { return story.first == points; });
      if (!known) stories.push_back({std::move(points), way});
    }
    const auto gain = [&](const std::vector<int>& points) {
      int sum = 2 * points[At(turn.player)];
      for (const int p : points) sum -= p;
      return sum;
    };
    std::stable_sort(stories.begin(), stories.end(),
                     [&](const auto& a, const auto& b) { return gain(a.first) > gain(b.first); });
    if (!SetTurn(number, stories.front().second, "the Ark was moved")) continue;
    std::vector<Question::Answer> answers;
    for (const auto& [points, way] : stories) {
      std::vector<std::string> steps;
      for (const Cell cell : way.ark_path) steps.push_back(Where(cell));
      answers.push_back({JoinText(steps, ", then "), way.ark_path, way,
                         1.0 / static_cast<double>(stories.size())});
    }
    Ask(number, "Which way did the Ark go?", std::move(answers));
    return;
  }
  Assert("ark-moved", Severity::kIllegal, {seen, *game().ark()},
         Text("The Ark may not have moved there: put it back to ", Where(*game().ark()), "."),
         kHalf);
}

void Referee::State::ReviewGingerbreadMan(const FigureView& figure, Cell cell, int amendable_from) {
  const PlacedTile* laid = game().TileAt(cell);
  if (laid == nullptr) return;
  const std::optional<Place> his = game().gingerbread_man();
  const std::vector<double> shares = SegmentLikelihoods(figure, laid->tile, laid->rotation);
  std::optional<Place> seen;
  double best = 0;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (tiles().types()[At(laid->tile)].segments[s].kind != SegmentKind::kCity) continue;
    if (seen && shares[s] <= best) continue;
    best = shares[s];
    seen = Place{cell, static_cast<int>(s)};
  }
  if (!seen) return;
  if (his) {
    const std::vector<Place> city = game().FeatureAt(his->cell, his->segment).places;
    if (std::find(city.begin(), city.end(), *seen) != city.end()) return;
  }
  const int count = static_cast<int>(game().turns().size());
  for (int number = count; number >= std::max(1, amendable_from); --number) {
    Turn turn = game().turns()[At(number - 1)];
    if (turn.gingerbread.empty()) continue;
    turn.gingerbread.back() = *seen;
    if (SetTurn(number, turn, "the Gingerbread Man went elsewhere")) return;
  }
  if (!his) return;  // beside the board, as far as the rules are concerned
  Assert("gingerbread-moved", Severity::kIllegal, {cell, his->cell},
         Text("The Gingerbread Man belongs ", Where(his->cell), ": put him there."), kHalf);
}

bool Referee::State::Recalled(const PlacedFigure& known, int amendable_from) {
  if (known.kind != FigureKind::kAbbot) return false;
  const int count = static_cast<int>(game().turns().size());
  for (int number = count; number >= std::max(1, amendable_from); --number) {
    Turn turn = game().turns()[At(number - 1)];
    if (turn.deployment || turn.recall || !turn.ark_path.empty() || turn.cell == known.cell ||
        (turn.player >= 0 && turn.player != known.player)) {
      continue;
    }
    turn.player = known.player;
    turn.recall = known.cell;
    if (SetTurn(number, turn, "the abbot was called home")) return true;
  }
  return false;
}

bool Referee::State::NotRecalled(Cell cell, const FigureView& figure) {
  const std::vector<Turn>& turns = game().turns();
  for (std::size_t i = turns.size(); i-- > 0;) {
    if (turns[i].recall != cell) continue;
    Turn turn = turns[i];
    const std::string& colour = game().players()[At(turn.player)].colour;
    if (ProbabilityOfColour(figure.seen, colour) < kColourPossible) return false;
    turn.recall.reset();
    return SetTurn(static_cast<int>(i) + 1, turn, "the abbot stands there still");
  }
  return false;
}

}  // namespace tilewarden::engine
