// What a turn does with figures that belong to nobody, as far as the tile it lays asks for it:
// where the Ark enters, and where the Gingerbread Man goes.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <utility>

#include "engine/referee/codes.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// The cities that he seems to stand in, once the tile of this turn lies.
std::vector<Place> SeenIn(const Mind& mind, const Turn& turn, const Game& before,
                          const Look& look) {
  const auto man = SeenNeutral(look, FigureKind::kGingerbreadMan);
  if (!man) return {};
  const auto& [cell, view] = *man;
  if (cell == turn.cell) return CitiesUnder(mind, *view, cell, turn.tile, turn.rotation);
  const PlacedTile* laid = before.TileAt(cell);
  if (laid == nullptr) return {};
  return CitiesUnder(mind, *view, cell, laid->tile, laid->rotation);
}

// Moves him to one of the wishes in this turn, else wherever he may go.
void MoveGingerbreadMan(Turn* turn, const Game& before, const std::vector<Place>& targets,
                        const std::vector<Place>& wishes) {
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

// The number of the last turn that moved him; 0: none.
int LastMove(const std::vector<Turn>& turns) {
  int number = static_cast<int>(turns.size());
  while (number > 0 && turns[At(number - 1)].gingerbread.empty()) --number;
  return number;
}

// Where he may have gone in this turn instead, as far as it pays otherwise.
std::vector<Question::Answer> OtherWays(const Mind& mind, int number) {
  std::vector<Turn> turns = mind.game().turns();
  const Turn had = turns[At(number - 1)];
  std::vector<Question::Answer> answers;
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return answers;
  std::vector<Game> stories;
  for (const Place& target : before->GingerbreadTargets(had.tile, {had.cell, had.rotation})) {
    Turn& turn = turns[At(number - 1)];
    turn = had;
    turn.gingerbread.back() = target;
    const std::optional<Game> story = mind.ledger.Replay(turns);
    const auto pays_like = [&](const Game& other) { return PointsBetween(other, *story) == 0; };
    if (!story || pays_like(mind.game()) ||
        std::any_of(stories.begin(), stories.end(), pays_like)) {
      continue;
    }
    stories.push_back(*story);
    answers.push_back({Text("To the city ", Where(target.cell)), {target.cell}, turn, 1});
  }
  return answers;
}

// Once what he pays hangs on a move that no look showed, people are asked where he went.
Conclusions AskWhereHeWent(Mind& mind) {
  Conclusions concluded;
  const auto count = static_cast<int>(mind.game().turns().size());
  for (int number = 1; number < count; ++number) {
    const Turn turn = mind.game().turns()[At(number - 1)];
    if (turn.gingerbread.empty() || mind.man_seen_after.contains(turn.cell) ||
        mind.ledger.Asked(turn.cell)) {
      continue;
    }
    std::vector<Question::Answer> answers = OtherWays(mind, number);
    const Cell went = turn.gingerbread.back().cell;
    answers.insert(answers.begin(), {Text("To the city ", Where(went)), {went}, turn, 1});
    for (Question::Answer& answer : answers)
      answer.probability /= static_cast<double>(answers.size());
    concluded +=
        Ask(&mind.ledger, number,
            {Text("Where did the Gingerbread Man go in turn ", number, "?"), std::move(answers)});
  }
  return concluded;
}

// A look answers what was asked about this tile.
Conclusions CloseQuestionOn(Ledger* ledger, Cell tile) {
  for (const Question& question : ledger->questions()) {
    if (!question.OfATurn() || question.which_tile || question.answers.front().turn.cell != tile) {
      continue;
    }
    return Conclude(ledger, QuestionClosed{question.id, -1});
  }
  return {};
}

// Moves by which he may have gone there in this turn: where he moved twice, by any other city.
std::vector<std::vector<Place>> WaysTo(const Mind& mind, int number, const Place& seen) {
  const std::vector<Turn>& turns = mind.game().turns();
  const Turn& turn = turns[At(number - 1)];
  std::vector<std::vector<Place>> ways = {turn.gingerbread};
  ways.front().back() = seen;
  if (turn.gingerbread.size() < 2) return ways;
  const auto before = mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return ways;
  for (const Place& first : before->GingerbreadTargets(turn.tile, {turn.cell, turn.rotation})) {
    ways.push_back({first, seen});
  }
  return ways;
}

// He stands there in this look.
Conclusions SeeGingerbreadMan(Mind& mind, Cell cell, const FigureView& view, int amendable_from) {
  const PlacedTile* laid = mind.game().TileAt(cell);
  if (laid == nullptr) return {};
  const std::vector<Place> cities = CitiesUnder(mind, view, cell, laid->tile, laid->rotation);
  if (cities.empty()) return {};
  const Place seen = cities.front();
  const int last = LastMove(mind.game().turns());
  const std::optional<Place> his = mind.game().gingerbread_man();
  if (his) {
    const std::vector<Place> city = mind.game().FeatureAt(his->cell, his->segment).places;
    if (std::find(city.begin(), city.end(), seen) != city.end()) {
      mind.seen_in_place.insert(FigureKind::kGingerbreadMan);
      if (last > 0) mind.man_seen_after.insert(mind.game().turns()[At(last - 1)].cell);
      return {};
    }
  }
  // A move that no look showed is told by the first one that shows him, however late.
  for (int number = last; number >= 1; --number) {
    Turn turn = mind.game().turns()[At(number - 1)];
    if (turn.gingerbread.empty()) continue;
    if (number < amendable_from && mind.man_seen_after.contains(turn.cell)) break;
    Conclusions set;
    for (const std::vector<Place>& way : WaysTo(mind, number, seen)) {
      turn.gingerbread = way;
      set = SetTurn(&mind.ledger, number, turn, "the Gingerbread Man went elsewhere");
      if (set.done) break;
    }
    if (!set.done) continue;
    mind.man_seen_after.insert(turn.cell);
    set += CloseQuestionOn(&mind.ledger, turn.cell);
    return set;
  }
  if (!his) return {};  // beside the board, as far as the rules are concerned
  if (!MayTellMoved(mind, FigureKind::kGingerbreadMan)) return {};
  return Wrong("gingerbread-moved", Severity::kIllegal, {cell, his->cell},
               Text("The Gingerbread Man belongs ", Where(his->cell), ": put him there."), kHalf);
}

}  // namespace

std::optional<std::pair<Cell, const FigureView*>> SeenNeutral(const Look& look, FigureKind kind) {
  std::optional<std::pair<Cell, const FigureView*>> best;
  for (const auto& [cell, figure] : look.neutral) {
    if (figure.seen.kind != kind || figure.seen.probability < kNeutralSeen) continue;
    if (best && best->second->seen.probability >= figure.seen.probability) continue;
    best = {cell, &figure};
  }
  return best;
}

std::vector<Place> CitiesUnder(const Mind& mind, const FigureView& man, Cell cell, int tile,
                               int rotation) {
  const std::vector<double> shares = mind.segments.Likelihoods(man, tile, rotation);
  std::vector<std::pair<double, Place>> cities;
  for (std::size_t s = 0; s < shares.size(); ++s) {
    if (mind.tiles().types()[At(tile)].segments[s].kind != SegmentKind::kCity) continue;
    cities.push_back({shares[s], {cell, static_cast<int>(s)}});
  }
  std::stable_sort(cities.begin(), cities.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<Place> places;
  for (const auto& [share, place] : cities) places.push_back(place);
  return places;
}

void FillNeutral(const Mind& mind, Turn* turn, const Game& before, const Look& look) {
  const Placement at = {turn->cell, turn->rotation};
  if (before.rules().ark != ArkEdition::kNone) {
    const std::vector<Cell> landings = before.ArkLandings(turn->tile, at);
    if (!landings.empty()) {
      const auto ark = SeenNeutral(look, FigureKind::kArk);
      const bool there =
          ark && std::find(landings.begin(), landings.end(), ark->first) != landings.end();
      turn->ark_landing = there ? ark->first : landings.front();
    }
  }
  const std::vector<Place> targets = before.GingerbreadTargets(turn->tile, at);
  if (!targets.empty())
    MoveGingerbreadMan(turn, before, targets, SeenIn(mind, *turn, before, look));
}

std::vector<Turn> WithNobodys(const Mind& mind, int number, const Game& before, const Turn& turn) {
  if (turn.set_aside) return {turn};
  std::vector<Turn> ways = WithArk(mind, number, before, turn);
  if (!turn.gingerbread.empty()) return ways;
  const std::vector<Place> targets =
      before.GingerbreadTargets(turn.tile, {turn.cell, turn.rotation});
  if (targets.empty()) return ways;
  const std::map<int, Place> places = mind.unexpected.PlacesOf(FigureKind::kGingerbreadMan);
  std::vector<Place> seen;
  for (auto at = places.lower_bound(number); at != places.end(); ++at) seen.push_back(at->second);
  for (Turn& way : ways) MoveGingerbreadMan(&way, before, targets, seen);
  return ways;
}

void NoteMovesSeen(Mind& mind) {
  const std::vector<Turn>& turns = mind.game().turns();
  for (const auto& [number, place] : mind.unexpected.PlacesOf(FigureKind::kGingerbreadMan)) {
    if (number < 1 || number > static_cast<int>(turns.size())) continue;
    const Turn& turn = turns[At(number - 1)];
    if (!turn.gingerbread.empty() && turn.gingerbread.back() == place) {
      mind.man_seen_after.insert(turn.cell);
    }
  }
}

bool MayTellMoved(const Mind& mind, FigureKind kind) {
  const std::vector<PlayedWith>& answers = mind.ledger.played_with();
  return mind.seen_in_place.contains(kind) ||
         std::none_of(answers.begin(), answers.end(), [&](const PlayedWith& answer) {
           return OptionOf(answer.kind) == OptionOf(kind);
         });
}

Conclusions ReviewGingerbreadMan(Mind& mind, const Look& look, int amendable_from) {
  if (!mind.game().rules().gingerbread) return {};
  const auto man = SeenNeutral(look, FigureKind::kGingerbreadMan);
  Conclusions concluded;
  if (man) concluded = SeeGingerbreadMan(mind, man->first, *man->second, amendable_from);
  if (!concluded.done) concluded += AskWhereHeWent(mind);
  return concluded;
}

}  // namespace tilewarden::engine
