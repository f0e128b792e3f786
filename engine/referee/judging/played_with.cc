// Figures of kinds that the rules do not have: whether the game is played with them, which only
// people know, and what follows from their answer.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/game/box_rules.h"
#include "engine/referee/codes.h"
#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

const FigureKindEntry& EntryOf(FigureKind kind) {
  const auto all = AllFigureKinds();
  return *std::find_if(all.begin(), all.end(),
                       [&](const FigureKindEntry& entry) { return entry.kind == kind; });
}

bool Has(const Rules& rules, FigureKind kind) { return EntryOf(kind).supply(rules) > 0; }

// Not in these rules, and people may play with it all the same.
bool MayJoin(const Mind& mind, FigureKind kind) {
  return !Has(mind.ledger.rules(), kind) && OptionThatBrings(kind, mind.tiles());
}

const Question* Open(const Ledger& ledger, FigureKind kind) {
  const std::vector<Question>& open = ledger.questions();
  const auto found = std::find_if(open.begin(), open.end(),
                                  [&](const Question& q) { return q.playing_with == kind; });
  return found == open.end() ? nullptr : &*found;
}

// People said that the game is not played with it.
bool Refused(const Ledger& ledger, FigureKind kind) {
  return ledger.AskedIfPlayedWith(kind) && Open(ledger, kind) == nullptr &&
         !Has(ledger.rules(), kind);
}

// What the look takes this figure for; nothing: for one that the game has, or one that may not
// stand there by any rules.
std::optional<UnexpectedFigure> Unexpected(const Mind& mind, Cell cell, const FigureView& figure) {
  const PlacedTile* laid = mind.game().TileAt(cell);
  const auto& told = figure.seen.unexpected;
  if (laid == nullptr || !told || told->probability < kSureUnexpected ||
      figure.seen.probability < mind.options.figure_certainty || figure.seen.colours.empty() ||
      !MayJoin(mind, told->kind)) {
    return std::nullopt;
  }
  const std::vector<double> shares = mind.segments.Likelihoods(figure, laid->tile, laid->rotation);
  const auto segment =
      static_cast<int>(std::max_element(shares.begin(), shares.end()) - shares.begin());
  const SegmentKind ground = mind.tiles().types()[At(laid->tile)].segments[At(segment)].kind;
  if (EntryOf(told->kind).claims(ground, mind.ledger.rules())) return std::nullopt;
  return UnexpectedFigure{told->kind, figure.seen.colours.front().colour, segment};
}

void Remember(Mind& mind, const Look& look) {
  const int turn = static_cast<int>(mind.game().turns().size());
  std::set<Cell> in_game;
  for (const PlacedFigure& figure : mind.game().Figures()) in_game.insert(figure.cell);
  for (const auto& [cell, view] : look.cells) {
    if (view.hidden || !view.tile) continue;
    std::optional<UnexpectedFigure> unexpected;
    for (const FigureView& figure : view.figures) {
      if (!unexpected) unexpected = Unexpected(mind, cell, figure);
    }
    if (unexpected) {
      mind.unexpected.Saw(cell, *unexpected, turn);
    } else if (!view.figures.empty()) {
      mind.unexpected.SawOther(cell);
    } else if (!in_game.contains(cell)) {
      mind.unexpected.Gone(cell);
    }
  }
}

Conclusions AskAbout(Ledger* ledger, FigureKind kind, std::vector<Cell> cells) {
  const std::string word(WordOf(kind));
  const bool vowel = std::string("aeiou").find(word.front()) != std::string::npos;
  Question question;
  question.id = ledger->next_question_id();
  question.text =
      Text("I see ", vowel ? "an " : "a ", word, ". Are you playing with the ", word, "?");
  question.cells = std::move(cells);
  question.playing_with = kind;
  Turn nobodys;
  nobodys.player = -1;
  question.answers = {{Text("Yes, we play with the ", word), {}, nobodys, kHalf},
                      {"No", {}, nobodys, kHalf}};
  return Conclude(ledger, QuestionAsked{std::move(question)});
}

// The turns as this game takes them, each as the first of its alternatives that is legal. Nothing:
// one has none.
using Alternatives = std::function<std::vector<Turn>(const Turn&)>;
std::optional<std::vector<Turn>> Fit(Game game, const std::vector<Turn>& turns,
                                     const Alternatives& alternatives) {
  std::vector<Turn> fitted;
  for (const Turn& turn : turns) {
    const std::vector<Turn> ways = alternatives(turn);
    const auto way = std::find_if(ways.begin(), ways.end(),
                                  [&](const Turn& w) { return game.Apply(w).has_value(); });
    if (way == ways.end()) return std::nullopt;
    fitted.push_back(*way);
  }
  return fitted;
}

Conclusions Revise(Ledger* ledger, std::vector<Turn> turns, std::string reason) {
  const std::vector<Turn>& had = ledger->game()->turns();
  const auto first = std::mismatch(had.begin(), had.end(), turns.begin()).first - had.begin();
  if (first == static_cast<std::ptrdiff_t>(had.size())) return {};
  turns.erase(turns.begin(), turns.begin() + first);
  return Conclude(ledger, TurnsRevised{static_cast<int>(first) + 1, std::move(turns),
                                       std::move(reason), RevisionCause::kAnswered});
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

}  // namespace

Look WithKindsOf(const Mind& mind, Look look) {
  const auto put_right = [&](SightedFigure& seen) {
    if (seen.unexpected && Has(mind.ledger.rules(), seen.unexpected->kind)) {
      seen.kind = seen.unexpected->kind;
      seen.unexpected.reset();
    } else if (MayJoin(mind, seen.kind)) {
      // The camera still expects what people took back.
      seen.unexpected = KindProbability{seen.kind, kSureUnexpected};
      seen.kind = FigureKind::kFollower;
    }
  };
  for (auto& [cell, view] : look.cells) {
    for (FigureView& figure : view.figures) put_right(figure.seen);
  }
  for (SightedFigure& figure : look.beside) put_right(figure);
  return look;
}

Conclusions AskIfPlayedWith(Mind& mind, const Look& look) {
  Remember(mind, look);
  Conclusions concluded;
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    if (!MayJoin(mind, entry.kind) || mind.ledger.AskedIfPlayedWith(entry.kind)) continue;
    std::vector<Cell> sure = mind.unexpected.Sure(entry.kind);
    if (!sure.empty()) concluded += AskAbout(&mind.ledger, entry.kind, std::move(sure));
  }
  return concluded;
}

bool MayBeOfUnexpected(const Mind& mind, const Finding& finding) {
  const auto unexpected = [&](Cell cell) {
    const UnexpectedFigure* figure = mind.unexpected.On(cell);
    return figure != nullptr && MayJoin(mind, figure->kind) && !Refused(mind.ledger, figure->kind);
  };
  // People are asked already: the camera may have missed that this is another abbot.
  if (finding.code == "garden-needs-abbot" && Open(mind.ledger, FigureKind::kAbbot) != nullptr) {
    return true;
  }
  // Its player has one figure more than the game knows.
  if (finding.code == "none-in-supply") {
    const std::vector<PlacedFigure> figures = mind.game().Figures();
    return std::any_of(figures.begin(), figures.end(),
                       [&](const PlacedFigure& figure) { return unexpected(figure.cell); });
  }
  return (FamilyOf(finding.code).figure_where_none_may || finding.code == "figure-taken-early") &&
         unexpected(finding.cells.front());
}

Conclusions PlayWith(Mind& mind, FigureKind kind) {
  const std::optional<RuleOption> option = OptionThatBrings(kind, mind.tiles());
  if (!option) return {};
  Conclusions concluded = Conclude(
      &mind.ledger, RulesChanged{kind,
                                 {{option->name, option->value}},
                                 Text("the game is played with the ", std::string(WordOf(kind)))});
  if (concluded.events.empty()) return concluded;
  mind.figures.ForgetKinds();
  const std::vector<Cell> sure = mind.unexpected.Sure(kind);
  const auto fitted = Fit(mind.ledger.BeginBy(mind.ledger.rules()), mind.game().turns(),
                          [&](const Turn& turn) -> std::vector<Turn> {
                            if (std::find(sure.begin(), sure.end(), turn.cell) == sure.end()) {
                              return {turn};
                            }
                            const auto seen = AsSeen(mind, turn, *mind.unexpected.On(turn.cell));
                            return {seen.value_or(turn), turn};
                          });
  if (fitted) concluded += Revise(&mind.ledger, *fitted, "answered by a player");
  concluded += FoundOfKind(&mind.ledger, sure, kind);
  return concluded;
}

Conclusions TakeBackPlayedWith(Mind& mind) {
  const PlayedWith last = *mind.ledger.LastPlayedWith();
  Rules before = mind.ledger.rules();
  for (const auto& [name, value] : last.before) {
    if (!before.Set(name, value).ok()) return {};
  }
  const auto fitted = Fit(mind.ledger.BeginBy(before), mind.game().turns(), [&](const Turn& turn) {
    Turn as_follower = turn, bare = turn;
    if (turn.deployment) as_follower.deployment->kind = FigureKind::kFollower;
    bare.deployment.reset();
    bare.recall.reset();
    return std::vector<Turn>{turn, as_follower, bare};
  });
  if (!fitted) return {};
  std::vector<Cell> of_kind;
  for (const PlacedFigure& figure : mind.game().Figures()) {
    if (figure.kind == last.kind) of_kind.push_back(figure.cell);
  }
  Conclusions concluded = Revise(&mind.ledger, *fitted, "an answer was taken back");
  concluded += FoundOfKind(&mind.ledger, of_kind, FigureKind::kFollower);
  concluded += Conclude(&mind.ledger,
                        RulesChanged{last.kind, last.before, "an answer was taken back", true});
  mind.figures.ForgetKinds();
  concluded += AskAbout(&mind.ledger, last.kind, std::move(of_kind));
  return concluded;
}

}  // namespace tilewarden::engine
