// What belongs to nobody, the Ark and the Gingerbread Man, and abbots that are
// called home: parts of a turn that no new figure on its tile shows.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <set>

#include "engine/referee/codes.h"
#include "engine/referee/model.h"
#include "engine/referee/state.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// The rules let the Ark move this far in one turn.
constexpr int kLongestArkMove = 5;

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

}  // namespace

std::optional<Refusal> Referee::State::CheckOn(const Game& game, const Turn& turn) {
  std::optional<Refusal> refusal = game.Check(turn);
  if (refusal && FamilyOf(refusal->code).neutral_figure) refusal.reset();
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
  // Tried out and taken back: Check would copy the game for each.
  Game scratch = before;
  const auto legal = [&] {
    Refusal refusal;
    if (!scratch.Apply(*turn, &refusal)) return !FamilyOf(refusal.code).neutral_figure;
    scratch.Undo();
    return true;
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
    if (ArkElsewhere(look)) {
      ReviewArk(cell, amendable_from);
    } else if (ark != nullptr && !undecided && amendable_from >= 1 && !game().turns().empty()) {
      ReviewRoundTrip(static_cast<int>(game().turns().size()));
    }
    if (!undecided && (ark != nullptr || !game().ark())) ark_hands.Forget();
  }
  if (game().rules().gingerbread) {
    if (const FigureView* man = Seen(look, FigureKind::kGingerbreadMan, &cell)) {
      ReviewGingerbreadMan(*man, cell, amendable_from);
    }
  }
}

bool Referee::State::ArkElsewhere(const Look& look) const {
  Cell cell;
  return game().ark() && Seen(look, FigureKind::kArk, &cell) != nullptr && cell != *game().ark();
}

// Hands that were rather over the new tile than over the Ark's: one laid it, one
// takes home what others had there.
Referee::State::Visit Referee::State::HandsBesideArk(Cell cell, Cell landing,
                                                     bool others_went_home) const {
  const bool laid_before = game().TileAt(cell) != nullptr;
  const int explained =
      (laid_before ? 0 : 1) + (landing == cell ? 1 : 0) + (others_went_home ? 1 : 0);
  return ark_hands.Beside(cell, landing) > explained ? Visit::kSure : Visit::kNone;
}

bool Referee::State::MoveArkInTurn(int number, Cell to) {
  const std::vector<Turn> turns = game().turns();
  Turn turn = turns[At(number - 1)];
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return false;
  if (turn.ark_landing) {
    turn.ark_landing = to;
    return SetTurn(number, turn, "the Ark entered on another tile");
  }
  // A claim that nobody saw gives way to a move that everybody sees.
  const bool concluded = turn.deployment && claims.Concluded(turn.cell);
  if ((turn.deployment && !concluded) || turn.recall) return false;
  turn.deployment.reset();
  turn.ark_path.clear();
  const std::vector<Turn> ways = ArkWays(*before, turn, to);
  // Ways that pay the same are one story.
  struct Story {
    double weight = 0, best = 0;
    Turn way;
  };
  std::map<std::vector<int>, Story> by_payment;
  double total = 0;
  for (const Turn& way : ways) {
    const double weight = std::exp(ark_hands.Fit(way.ark_path, turn.cell));
    Story& story = by_payment[Passed(*before, way.ark_path)];
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
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  if (answers.empty() || !SetTurn(number, answers.front().turn, "the Ark was moved")) return false;
  if (answers.front().probability < kSureStory) {
    Ask(number, "Which way did the Ark go?", std::move(answers));
  }
  return true;
}

void Referee::State::ReviewRoundTrip(int number) {
  const std::vector<Turn> turns = game().turns();
  const Turn had = turns[At(number - 1)];
  const bool concluded = had.deployment && claims.Concluded(had.cell);
  if ((had.deployment && !concluded) || had.recall || had.ark_landing || !had.ark_path.empty()) {
    return;
  }
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before || !before->ark()) return;
  const double stayed = ark_hands.Fit({}, had.cell);
  Turn free = had;
  free.deployment.reset();
  // The likeliest of the ways that pay the same.
  std::map<std::vector<int>, Question::Answer> by_payment;
  double total = 1;
  for (const Turn& way : ArkWays(*before, free, *before->ark())) {
    const double odds =
        kRoundTrip / (1 - kRoundTrip) * std::exp(ark_hands.Fit(way.ark_path, had.cell) - stayed);
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
  std::stable_sort(answers.begin(), answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  if (answers.front().probability >= kSureStory && answers.front().turn == had) return;
  SetTurn(number, answers.front().turn, "the Ark went round to where it stood");
  if (answers.front().probability < kSureStory) {
    Ask(number, "Did the Ark go round to where it stood?", std::move(answers));
  }
}

double Referee::State::FitOfMover(int number, int amendable_from, Cell to) const {
  const std::vector<Turn>& turns = game().turns();
  Turn turn = turns[At(number - 1)];
  const std::optional<Game> before = ledger.Replay({turns.begin(), turns.begin() + number - 1});
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
    fit = std::max(fit, ark_hands.Fit(visited, turn.cell));
  }
  return fit;
}

void Referee::State::ReviewArk(Cell seen, int amendable_from) {
  // The tile of the turn that moved it may not have been read yet.
  if (undecided) return;
  const int count = static_cast<int>(game().turns().size());
  // Of several turns the one that the hands tell, else the last.
  std::vector<std::pair<double, int>> movers;
  for (int number = count; number >= std::max(1, amendable_from); --number) {
    movers.emplace_back(FitOfMover(number, amendable_from, seen), number);
  }
  std::stable_sort(movers.begin(), movers.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  // Rather in a turn that did nothing than in place of a claim that nobody saw.
  for (const bool over_claims : {false, true}) {
    for (const auto& [fit, number] : movers) {
      if (claims.Concluded(game().turns()[At(number - 1)].cell) != over_claims) continue;
      if (MoveArkInTurn(number, seen)) return;
    }
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
  // Where no hand was over him, one look may have missed him.
  const FigureTrack& track = tracks[known.cell];
  if (track.missed_now == 0 && Touched(known.cell, track.last_seen) < 1) return false;
  const int count = static_cast<int>(game().turns().size());
  // Rather in a turn that did nothing than in place of a claim that nobody saw: the hand that
  // seemed to claim took the abbot.
  for (const bool over_claims : {false, true}) {
    for (int number = count; number >= std::max(1, amendable_from); --number) {
      Turn turn = game().turns()[At(number - 1)];
      if (over_claims && claims.Concluded(turn.cell)) turn.deployment.reset();
      if (turn.deployment || turn.recall || !turn.ark_path.empty() || turn.cell == known.cell ||
          (turn.player >= 0 && turn.player != known.player)) {
        continue;
      }
      turn.player = known.player;
      turn.recall = known.cell;
      if (SetTurn(number, turn, "the abbot was called home")) return true;
    }
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
