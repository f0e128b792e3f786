// The Ark: where it went, and in whose turn.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// The rules let the Ark move this far in one turn, in tiles.
constexpr int kLongestArkMove = 5;

// Every way of the Ark from here to there that the rules allow, for this turn.
std::vector<Turn> ArkWays(const Game& before, Turn turn, Cell to) {
  std::vector<Turn> ways;
  if (!before.ark()) return ways;
  const auto distance = [&](Cell from) {
    return std::abs(from.x - to.x) + std::abs(from.y - to.y);
  };
  // Straight towards a temple, in the German edition.
  const bool straight = before.rules().ark_to_temples;
  const bool round = to == *before.ark();
  const int longest =
      straight ? std::min(kLongestArkMove, distance(*before.ark())) : kLongestArkMove;
  std::optional<bool> allowed;
  Game scratch = before;
  const std::function<void(Cell)> go = [&](Cell from) {
    if (from == to && !turn.ark_path.empty()) {
      // Other editions refuse none of them, or all, but for ways round.
      if (straight || round || !allowed) {
        allowed = scratch.Apply(turn).has_value();
        if (*allowed) scratch.Undo();
      }
      if (*allowed) ways.push_back(turn);
      return;
    }
    const int left = longest - static_cast<int>(turn.ark_path.size()) - 1;
    for (const Side side : kSides) {
      const Cell next = Neighbour(from, side);
      if (distance(next) > left || (next == *before.ark() && !round)) continue;
      if (before.TileAt(next) == nullptr && next != turn.cell) continue;
      if (std::find(turn.ark_path.begin(), turn.ark_path.end(), next) != turn.ark_path.end()) {
        continue;
      }
      turn.ark_path.push_back(next);
      go(next);
      turn.ark_path.pop_back();
    }
  };
  go(*before.ark());
  return ways;
}

// Of at least one way.
Turn Shortest(const std::vector<Turn>& ways) {
  return *std::min_element(ways.begin(), ways.end(), [](const Turn& a, const Turn& b) {
    return a.ark_path.size() < b.ark_path.size();
  });
}

// The number of the turn that brought the Ark in; 0: none did.
int Landed(const std::vector<Turn>& turns) {
  const auto landed = std::find_if(turns.begin(), turns.end(),
                                   [](const Turn& turn) { return turn.ark_landing.has_value(); });
  return landed == turns.end() ? 0 : static_cast<int>(landed - turns.begin()) + 1;
}

// How often each player's figures are passed: what tells two ways apart.
std::vector<int> Passed(const Game& before, const std::vector<Cell>& path) {
  std::vector<int> passed(before.players().size(), 0);
  for (const PlacedFigure& figure : before.Figures()) {
    passed[At(figure.player)] +=
        static_cast<int>(std::count(path.begin(), path.end(), figure.cell));
  }
  return passed;
}

std::string WayInWords(const std::vector<Cell>& path) {
  std::vector<std::string> steps;
  for (const Cell cell : path) steps.push_back(Where(cell));
  return JoinText(steps, ", then ");
}

void MostLikelyFirst(std::vector<Question::Answer>* answers) {
  std::stable_sort(answers->begin(), answers->end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
}

// Ways that pay the same are one story, told by the way that fits the hands best.
std::vector<Question::Answer> StoriesOfWays(const Mind& mind, const Game& before, const Turn& turn,
                                            Cell to) {
  struct Story {
    double weight = 0, best = 0;
    Turn way;
  };
  std::map<std::vector<int>, Story> by_payment;
  double total = 0;
  for (const Turn& way : ArkWays(before, turn, to)) {
    const double weight = std::exp(mind.ark_hands.Fit(way.ark_path, turn.cell));
    Story& story = by_payment[Passed(before, way.ark_path)];
    if (weight > story.best) {
      story.best = weight;
      story.way = way;
    }
    story.weight += weight;
    total += weight;
  }
  std::vector<Question::Answer> answers;
  for (const auto& [payment, story] : by_payment) {
    answers.push_back(
        {WayInWords(story.way.ark_path), story.way.ark_path, story.way, story.weight / total});
  }
  MostLikelyFirst(&answers);
  return answers;
}

// The points that hang on which of these stories is true, on the average.
double WorthOf(const Ledger& ledger, int number, const std::vector<Question::Answer>& answers) {
  std::vector<Turn> turns = ledger.game()->turns();
  std::optional<Game> likeliest;
  double worth = 0;
  for (const Question::Answer& answer : answers) {
    turns[At(number - 1)] = answer.turn;
    std::optional<Game> story = ledger.Replay(turns);
    if (!story) continue;
    if (likeliest) {
      worth += answer.probability * PointsBetween(*likeliest, *story);
    } else {
      likeliest = std::move(story);
    }
  }
  return worth;
}

// Takes this story for the turn and, where it is not sure and points hang on it, asks which it was.
Conclusions TakeStory(Ledger* ledger, int number, std::string reason, std::string question,
                      std::vector<Question::Answer> answers, bool ask_anyway) {
  Conclusions concluded = SetTurn(ledger, number, answers.front().turn, std::move(reason));
  if (!concluded.done && !ask_anyway) return concluded;
  if (answers.front().probability < kSureStory &&
      WorthOf(*ledger, number, answers) >= kWorthAsking) {
    concluded += Ask(ledger, number, {std::move(question), std::move(answers)});
  }
  return concluded;
}

// A player does one thing in a turn: with a figure set, or an abbot called home, the Ark stays. A
// claim that nobody saw gives way to a move that everybody sees.
bool MayHaveMovedArk(const Mind& mind, const Turn& turn) {
  return !turn.recall && (!turn.deployment || mind.claims.Concluded(turn.cell));
}

// The Ark was moved there in this turn, if the rules allow it. `unseen`: for several turns no look
// showed it, so that the hands since do not tell its way.
Conclusions MoveArkInTurn(Mind& mind, int number, Cell to, bool unseen) {
  const std::vector<Turn> turns = mind.game().turns();
  Turn turn = turns[At(number - 1)];
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return {};
  if (turn.ark_landing) {
    turn.ark_landing = to;
    return SetTurn(&mind.ledger, number, turn, "the Ark entered on another tile");
  }
  if (!MayHaveMovedArk(mind, turn)) return {};
  turn.deployment.reset();
  turn.ark_path.clear();
  std::vector<Question::Answer> answers = StoriesOfWays(mind, *before, turn, to);
  if (answers.empty()) return {};
  if (unseen) {
    for (auto& answer : answers) answer.probability = 1.0 / static_cast<double>(answers.size());
  }
  return TakeStory(&mind.ledger, number, "the Ark was moved", "Which way did the Ark go?",
                   std::move(answers), false);
}

// How far the Ark can come towards this cell in this turn, by the shortest way; none: no nearer.
std::optional<Turn> WayTowards(const Game& before, Turn turn, Cell to) {
  if (!before.ark()) return std::nullopt;
  const auto distance = [](Cell a, Cell b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); };
  const Cell from = *before.ark();
  std::vector<Cell> nearer = {turn.cell};
  for (const PlacedTile& laid : before.PlacedTiles()) nearer.push_back(laid.cell);
  std::erase_if(nearer, [&](Cell cell) {
    return distance(from, cell) > kLongestArkMove || distance(cell, to) >= distance(from, to);
  });
  std::stable_sort(nearer.begin(), nearer.end(),
                   [&](Cell a, Cell b) { return distance(a, to) < distance(b, to); });
  turn.deployment.reset();
  turn.ark_path.clear();
  for (const Cell cell : nearer) {
    std::vector<Turn> ways = ArkWays(before, turn, cell);
    if (ways.empty()) continue;
    return Shortest(ways);
  }
  return std::nullopt;
}

// Each turn from this one on that did nothing else took the Ark as near as the rules let it go, the
// last of them to where it is seen.
Conclusions MoveArkFromTurn(Mind& mind, int from, Cell to) {
  std::vector<Turn> turns = mind.game().turns();
  int first = 0;
  for (int number = from; number <= static_cast<int>(turns.size()); ++number) {
    Turn& turn = turns[At(number - 1)];
    if (!MayHaveMovedArk(mind, turn) || turn.ark_landing) continue;
    const std::optional<Game> before =
        mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
    if (!before) return {};
    std::optional<Turn> moved = WayTowards(*before, turn, to);
    if (!moved) continue;
    if (moved->ark_path.back() != to) {
      turn = *std::move(moved);
      if (first == 0) first = number;
      continue;
    }
    if (first == 0) return MoveArkInTurn(mind, number, to, true);
    turns.erase(turns.begin(), turns.begin() + first - 1);
    Conclusions concluded =
        Conclude(&mind.ledger, TurnsRevised{first, std::move(turns), "the Ark was moved"});
    if (concluded.done) concluded += MoveArkInTurn(mind, number, to, true);
    return concluded;
  }
  return {};
}

// No look showed it for several turns, and no single move takes it there: the fewest that do, from
// the turn after which it was last seen.
Conclusions MoveArkInTurns(Mind& mind, int since, Cell to) {
  for (int from = static_cast<int>(mind.game().turns().size()); from >= std::max(1, since);
       --from) {
    Conclusions moved = MoveArkFromTurn(mind, from, to);
    if (moved.done) return moved;
  }
  return {};
}

// It stands where it stood, but hands may have taken it round.
Conclusions ReviewRoundTrip(Mind& mind, int number) {
  const std::vector<Turn> turns = mind.game().turns();
  const Turn had = turns[At(number - 1)];
  if (!MayHaveMovedArk(mind, had) || had.ark_landing || !had.ark_path.empty()) return {};
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before || !before->ark()) return {};
  const double stayed = mind.ark_hands.Fit({}, had.cell);
  Turn free = had;
  free.deployment.reset();
  // The likeliest of the ways that pay the same.
  std::map<std::vector<int>, Question::Answer> by_payment;
  double total = 1;
  for (const Turn& way : ArkWays(*before, free, *before->ark())) {
    const double odds = kRoundTrip / (1 - kRoundTrip) *
                        std::exp(mind.ark_hands.Fit(way.ark_path, had.cell) - stayed);
    Question::Answer& answer = by_payment[Passed(*before, way.ark_path)];
    if (odds <= answer.probability) continue;
    total += odds - answer.probability;
    answer = {WayInWords(way.ark_path), way.ark_path, way, odds};
  }
  std::vector<Question::Answer> answers = {{"It stayed", {*before->ark()}, had, 1 / total}};
  for (auto& [payment, answer] : by_payment) {
    answer.probability /= total;
    answers.push_back(std::move(answer));
  }
  MostLikelyFirst(&answers);
  if (answers.front().probability >= kSureStory && answers.front().turn == had) return {};
  return TakeStory(&mind.ledger, number, "the Ark went round and back to where it stood",
                   "Did the Ark go round and back to where it stood?", std::move(answers), true);
}

// How well hands fit that this turn took the Ark there; less than any other: it may not.
double FitOfMover(const Mind& mind, int number, int amendable_from, Cell to) {
  const std::vector<Turn>& turns = mind.game().turns();
  Turn turn = turns[At(number - 1)];
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  double fit = -std::numeric_limits<double>::infinity();
  if (!before) return fit;
  turn.deployment.reset();
  for (const Turn& way : ArkWays(*before, turn, to)) {
    // The tiles that are new since, and the Ark's steps after one of them.
    std::vector<Cell> visited;
    for (int n = std::max(1, amendable_from); n <= static_cast<int>(turns.size()); ++n) {
      if (n > amendable_from) visited.push_back(turns[At(n - 1)].cell);
      if (n == number) visited.insert(visited.end(), way.ark_path.begin(), way.ark_path.end());
    }
    fit = std::max(fit, mind.ark_hands.Fit(visited, turn.cell));
  }
  return fit;
}

// Seen on another tile, but so near the seam that it may stand where the game has it.
bool MayStandOn(Cell place, Cell seen, const FigureView& ark) {
  const Point foot = {ark.foot.x + seen.x - place.x, ark.foot.y + seen.y - place.y};
  return std::hypot(foot.x - std::clamp(foot.x, 0.0, 1.0), foot.y - std::clamp(foot.y, 0.0, 1.0)) <=
         kOverSeam;
}

// It stands there, elsewhere than in the game: in whose turn did it go? `since`: the turn after
// which a look last showed it, before `amendable_from` where no look did for several turns.
Conclusions ReviewMove(Mind& mind, Cell seen, const FigureView& ark, int amendable_from,
                       int since) {
  // The tile of the turn that moved it may not have been read yet.
  if (mind.shown.undecided) return {};
  const int count = static_cast<int>(mind.game().turns().size());
  const bool unseen = since < amendable_from;
  // Of several turns the one that the hands tell, else the last.
  std::vector<std::pair<double, int>> movers;
  for (int number = count; number >= std::max(1, since); --number) {
    movers.emplace_back(FitOfMover(mind, number, since, seen), number);
  }
  std::stable_sort(movers.begin(), movers.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // Rather in a turn that did nothing than in place of a claim that nobody saw.
  for (const bool over_claims : {false, true}) {
    for (const auto& [fit, number] : movers) {
      const Cell cell = mind.game().turns()[At(number - 1)].cell;
      if (mind.claims.Concluded(cell) != over_claims) continue;
      Conclusions moved = MoveArkInTurn(mind, number, seen, unseen);
      if (moved.done) return moved;
    }
  }
  // Nobody is accused of what no look can tell.
  if (unseen) return MoveArkInTurns(mind, since, seen);
  const Cell its_place = *mind.game().ark();
  if (MayStandOn(its_place, seen, ark) || !MayTellMoved(mind, FigureKind::kArk)) return {};
  return Wrong("ark-moved", Severity::kIllegal, {seen, its_place},
               Text("The Ark cannot move there: put it back ", Where(its_place), "."), kHalf);
}

}  // namespace

bool ArkElsewhere(const Game& game, const Look& look) {
  const auto ark = SeenNeutral(look, FigureKind::kArk);
  return game.ark() && ark && ark->first != *game.ark();
}

std::vector<Turn> WithArk(const Mind& mind, int number, const Game& before, const Turn& turn) {
  if (before.rules().ark == ArkEdition::kNone || turn.ark_landing || !turn.ark_path.empty()) {
    return {turn};
  }
  const std::map<int, Place> places = mind.unexpected.PlacesOf(FigureKind::kArk);
  const std::vector<Cell> landings = before.ArkLandings(turn.tile, {turn.cell, turn.rotation});
  if (!landings.empty()) {
    Turn enters = turn;
    const auto seen = places.lower_bound(number);
    const auto far = [&](Cell cell) {
      if (seen == places.end()) return 0;
      const Cell stood = seen->second.cell;
      return std::abs(cell.x - stood.x) + std::abs(cell.y - stood.y);
    };
    enters.ark_landing = *std::min_element(landings.begin(), landings.end(),
                                           [&](Cell a, Cell b) { return far(a) < far(b); });
    return {enters};
  }
  // Where it was seen last by then. A turn that does something else cannot have moved it: the next
  // one has.
  const auto later = places.upper_bound(number);
  if (!before.ark() || later == places.begin()) return {turn};
  const auto& [after, place] = *std::prev(later);
  if (after < Landed(before.turns()) || place.cell == *before.ark() || turn.recall ||
      (turn.deployment && !mind.ledger.Concluded(turn.cell))) {
    return {turn};
  }
  Turn free = turn;
  free.deployment.reset();
  const std::vector<Turn> ways = ArkWays(before, free, place.cell);
  if (ways.empty()) return {turn};
  return {Shortest(ways), turn};
}

Conclusions ReviewArk(Mind& mind, const Look& look, int amendable_from) {
  if (mind.game().rules().ark == ArkEdition::kNone) return {};
  const auto ark = SeenNeutral(look, FigureKind::kArk);
  const bool undecided = mind.shown.undecided;
  const auto in_place = [&] { return ark && mind.game().ark() == ark->first; };
  if (in_place()) mind.seen_in_place.insert(FigureKind::kArk);
  const int since = std::min(amendable_from, mind.ark_seen_after.value_or(amendable_from));
  Conclusions concluded;
  if (ArkElsewhere(mind.game(), look)) {
    concluded = ReviewMove(mind, ark->first, *ark->second, amendable_from, since);
  } else if (ark && !undecided && amendable_from >= 1 && !mind.game().turns().empty()) {
    concluded = ReviewRoundTrip(mind, static_cast<int>(mind.game().turns().size()));
  }
  // Until it is clear where it went in turns of which no look showed it, they are kept in mind.
  if (in_place() || (ark && since == amendable_from)) {
    mind.ark_seen_after = static_cast<int>(mind.game().turns().size());
  }
  if (!undecided && (ark || !mind.game().ark())) mind.ark_hands.Forget();
  return concluded;
}

}  // namespace tilewarden::engine
