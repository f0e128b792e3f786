// The game by other rules from its beginning on: people said that it is played with a kind of
// figure, or took that back.
#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/box_rules.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// What a turn may have been in this game, the likeliest first.
using Alternatives = std::function<std::vector<Turn>(const Game& before, int number, const Turn&)>;

// The turns as this game takes them, each as the first of its alternatives that is legal. Nothing:
// one has none.
std::optional<std::vector<Turn>> Fit(Game game, const std::vector<Turn>& turns,
                                     const Alternatives& alternatives) {
  std::vector<Turn> fitted;
  for (const Turn& turn : turns) {
    const std::vector<Turn> ways = alternatives(game, static_cast<int>(fitted.size()) + 1, turn);
    const auto way = std::find_if(ways.begin(), ways.end(),
                                  [&](const Turn& w) { return game.Apply(w).has_value(); });
    if (way == ways.end()) return std::nullopt;
    fitted.push_back(*way);
  }
  return fitted;
}

Turn WithoutFigure(Turn turn) {
  turn.deployment.reset();
  turn.recall.reset();
  return turn;
}

// The turn with the figure that looks saw on its tile, as they saw it.
std::optional<Turn> AsSeen(const Mind& mind, Turn turn, const UnexpectedFigure& figure) {
  const int player = PlayerOf(mind.game(), figure.colour);
  if (player < 0 || turn.set_aside || mind.ledger.FigureByHand(turn.cell)) return std::nullopt;
  turn.player = player;
  turn.deployment = Deployment{figure.kind, figure.segment};
  turn.recall.reset();
  return turn;
}

// The kinds that come into a game with this one.
std::vector<FigureKind> ComingWith(FigureKind kind) {
  std::vector<FigureKind> kinds;
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    if (entry.option == OptionOf(kind)) kinds.push_back(entry.kind);
  }
  return kinds;
}

// Its figure is nobody's, which looks took for a player's.
bool TookNobodys(const Mind& mind, FigureKind kind, const Turn& turn) {
  return turn.deployment && !turn.set_aside && !mind.ledger.FigureByHand(turn.cell) &&
         mind.unexpected.TakenFor(kind, turn.cell) ==
             mind.game().players()[static_cast<std::size_t>(turn.player)].colour;
}

// What the players did in this turn, if they play with these kinds.
std::vector<Turn> Played(const Mind& mind, const std::vector<FigureKind>& kinds, const Turn& turn) {
  std::vector<Turn> ways;
  const UnexpectedFigure* figure = mind.unexpected.Was(turn.cell);
  for (const FigureKind kind : kinds) {
    if (figure != nullptr && figure->kind == kind) {
      if (const auto seen = AsSeen(mind, turn, *figure)) ways.push_back(*seen);
    }
    if (TookNobodys(mind, kind, turn)) {
      ways.push_back(WithoutFigure(turn));
      ways.back().player = -1;  // whoever took the turn, its figure did not tell
    }
  }
  ways.push_back(turn);
  ways.push_back(WithoutFigure(turn));
  return ways;
}

Conclusions Change(Ledger* ledger, RulesChanged change, std::vector<Turn> turns) {
  const std::vector<Turn>& had = ledger->game()->turns();
  const auto first = std::mismatch(had.begin(), had.end(), turns.begin()).first - had.begin();
  if (first < static_cast<std::ptrdiff_t>(had.size())) {
    change.number = static_cast<int>(first) + 1;
    change.turns.assign(turns.begin() + first, turns.end());
  }
  return Conclude(ledger, std::move(change));
}

// What was found on these tiles is of this kind, where a figure was found there.
Conclusions FoundOfKind(Ledger* ledger, const std::vector<Cell>& cells, FigureKind kind) {
  Conclusions concluded;
  for (const Cell cell : cells) {
    Turn tile = FoundOn(*ledger, cell);
    if (tile.tile < 0 || !tile.deployment) continue;
    tile.deployment->kind = kind;
    concluded += SetFound(ledger, tile, "answered by a player");
  }
  return concluded;
}

// Questions about ways of nobody's figures, of which there are none any more.
Conclusions CloseQuestionsOfWays(Ledger* ledger) {
  const std::vector<Question> open = ledger->questions();
  Conclusions concluded;
  for (const Question& question : open) {
    if (!question.OfATurn()) continue;
    const Turn& first = question.answers.front().turn;
    const bool differ = std::any_of(
        question.answers.begin(), question.answers.end(), [&](const Question::Answer& answer) {
          return answer.turn.cell == first.cell && (answer.turn.gingerbread != first.gingerbread ||
                                                    answer.turn.ark_path != first.ark_path);
        });
    if (differ) concluded += Conclude(ledger, QuestionClosed{question.id, -1});
  }
  return concluded;
}

}  // namespace

Conclusions PlayWith(Mind& mind, FigureKind kind, const RuleOption& option) {
  Rules rules = mind.ledger.rules();
  if (!rules.Set(option.name, option.value).ok()) return {};
  mind.figures.ForgetKinds();
  const std::vector<FigureKind> kinds = ComingWith(kind);
  const auto fitted = Fit(mind.ledger.BeginBy(rules), mind.game().turns(),
                          [&](const Game& before, int number, const Turn& turn) {
                            std::vector<Turn> ways;
                            for (const Turn& played : Played(mind, kinds, turn)) {
                              const auto with = WithNobodys(mind, number, before, played);
                              ways.insert(ways.end(), with.begin(), with.end());
                            }
                            return ways;
                          });
  if (!fitted) return {};
  Conclusions concluded =
      Change(&mind.ledger,
             RulesChanged{kind, OptionsToSet(mind.ledger.rules(), rules),
                          Text("the game is played with the ", std::string(WordOf(kind)))},
             *fitted);
  if (!concluded.done) return concluded;
  mind.seen_in_place.clear();
  NoteMovesSeen(mind);
  concluded += FoundOfKind(&mind.ledger, mind.unexpected.Sure(kind), kind);
  return concluded;
}

Conclusions TakeBackPlayedWith(Mind& mind) {
  const PlayedWith last = *mind.ledger.LastPlayedWith();
  Rules before = mind.ledger.rules();
  for (const auto& [name, value] : last.before) {
    if (!before.Set(name, value).ok()) return {};
  }
  const auto fitted = Fit(mind.ledger.BeginBy(before), mind.game().turns(),
                          [&](const Game& game, int, const Turn& had) {
                            Turn turn = had;
                            if (!HasKind(game.rules(), FigureKind::kGingerbreadMan)) {
                              turn.gingerbread.clear();
                            }
                            if (!HasKind(game.rules(), FigureKind::kArk)) {
                              turn.ark_path.clear();
                              turn.ark_landing.reset();
                            }
                            Turn as_follower = turn;
                            if (turn.deployment)
                              as_follower.deployment->kind = FigureKind::kFollower;
                            return std::vector<Turn>{turn, as_follower, WithoutFigure(turn)};
                          });
  if (!fitted) return {};
  std::vector<Cell> of_kind;
  for (const FigureKind kind : ComingWith(last.kind)) {
    for (const PlacedFigure& figure : mind.game().Figures()) {
      if (figure.kind == kind) of_kind.push_back(figure.cell);
    }
    if (const auto stands = mind.game().Standing(kind)) of_kind.push_back(stands->cell);
  }
  Conclusions concluded = CloseQuestionsOfWays(&mind.ledger);
  concluded += FoundOfKind(&mind.ledger, of_kind, FigureKind::kFollower);
  Conclusions changed =
      Change(&mind.ledger, RulesChanged{last.kind, last.before, "an answer was taken back", true},
             *fitted);
  const bool done = changed.done;
  concluded += std::move(changed);
  if (!done) return concluded;
  mind.figures.ForgetKinds();
  mind.man_seen_after.clear();
  concluded += AskIfPlayingWith(mind, last.kind, std::move(of_kind));
  return concluded;
}

}  // namespace tilewarden::engine
