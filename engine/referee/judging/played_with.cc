// Figures of kinds that the rules do not have: whether the game is played with them, which only
// people know. What follows from their answer: other_rules.cc.
#include <algorithm>
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

// Not in these rules, and people may play with it all the same. What takes part in turns of which
// nobody saw any comes into no game that was joined.
bool MayJoin(const Mind& mind, FigureKind kind) {
  return !HasKind(mind.ledger.rules(), kind) && !OptionsThatBring(kind, mind.tiles()).empty() &&
         !(mind.ledger.joined() && OptionOf(kind) != OptionOf(FigureKind::kAbbot));
}

const Question* Open(const Ledger& ledger, FigureKind kind) {
  const std::vector<Question>& open = ledger.questions();
  const auto found = std::find_if(open.begin(), open.end(), [&](const Question& q) {
    return q.playing_with && OptionOf(*q.playing_with) == OptionOf(kind);
  });
  return found == open.end() ? nullptr : &*found;
}

// People were asked about it, or about another kind that comes with it: the Ark and its prophets.
bool Asked(const Ledger& ledger, FigureKind kind) {
  const auto all = AllFigureKinds();
  return std::any_of(all.begin(), all.end(), [&](const FigureKindEntry& entry) {
    return entry.option == OptionOf(kind) && ledger.AskedIfPlayedWith(entry.kind);
  });
}

// People said that the game is not played with it.
bool Refused(const Ledger& ledger, FigureKind kind) {
  return Asked(ledger, kind) && Open(ledger, kind) == nullptr && !HasKind(ledger.rules(), kind);
}

// Whether people play with it is open.
bool Undecided(const Mind& mind, FigureKind kind) {
  return MayJoin(mind, kind) && !Refused(mind.ledger, kind);
}

std::vector<FigureKind> NobodysUndecided(const Mind& mind) {
  std::vector<FigureKind> kinds;
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    if (entry.neutral && Undecided(mind, entry.kind)) kinds.push_back(entry.kind);
  }
  return kinds;
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

// Where nobody's figure stands on a tile of the game; nothing: it does not stand there by any
// rules.
std::optional<Place> PlaceOf(const Mind& mind, FigureKind kind, Cell cell,
                             const FigureView& figure) {
  const PlacedTile* laid = mind.game().TileAt(cell);
  if (laid == nullptr) return std::nullopt;
  if (kind != FigureKind::kGingerbreadMan) return Place{cell, 0};
  const std::vector<Place> cities = CitiesUnder(mind, figure, cell, laid->tile, laid->rotation);
  return cities.empty() ? std::nullopt : std::optional(cities.front());
}

bool ToldAs(FigureKind kind, const SightedFigure& seen) {
  return seen.unexpected && seen.unexpected->kind == kind &&
         seen.unexpected->probability >= kSureUnexpected;
}

// Those that the look shows clearly.
std::set<FigureKind> KindsTold(const Mind& mind, const Look& look) {
  std::set<FigureKind> kinds;
  for (const auto& [cell, view] : look.cells) {
    for (const FigureView& figure : view.figures) {
      const bool clear = figure.seen.probability >= mind.options.figure_certainty;
      if (clear && figure.seen.unexpected && ToldAs(figure.seen.unexpected->kind, figure.seen)) {
        kinds.insert(figure.seen.unexpected->kind);
      }
    }
  }
  return kinds;
}

// The kind of nobody's that this figure is; or that it was in looks before, where this one does not
// tell any of the kind.
std::optional<FigureKind> NobodysKind(const Mind& mind, Cell cell, const FigureView& figure,
                                      const std::set<FigureKind>& told) {
  const SightedFigure& seen = figure.seen;
  if (seen.probability < mind.options.figure_certainty) return std::nullopt;
  for (const FigureKind kind : NobodysUndecided(mind)) {
    const std::optional<Place> stands = mind.unexpected.StandsOn(kind);
    const bool still = !told.contains(kind) && stands && stands->cell == cell &&
                       ProbabilityOfColour(seen, mind.unexpected.TakenFor(kind, cell)) > kHalf;
    const bool may_stand =
        mind.game().TileAt(cell) == nullptr || PlaceOf(mind, kind, cell, figure).has_value();
    if ((ToldAs(kind, seen) || still) && may_stand) return kind;
  }
  return std::nullopt;
}

void RememberNobodys(Mind& mind, const Look& look, int turn) {
  for (const FigureKind kind : NobodysUndecided(mind)) {
    const auto seen = SeenNeutral(look, kind);
    if (!seen || look.At(seen->first).hidden) continue;
    const SightedFigure& figure = seen->second->seen;
    const auto place = PlaceOf(mind, kind, seen->first, *seen->second);
    if (!ToldAs(kind, figure)) {
      mind.unexpected.SawOther(kind);
      continue;
    }
    if (!place) continue;
    const std::string colour = figure.colours.empty() ? "" : figure.colours.front().colour;
    mind.unexpected.SawNobodys(kind, *place, colour, turn);
    // What looks like it beside it is a player's.
    for (const auto& [cell, view] : look.cells) {
      for (const FigureView& other : view.figures) {
        if (!other.seen.colours.empty()) {
          mind.unexpected.SawPlayers(kind, cell, other.seen.colours.front().colour);
        }
      }
    }
  }
}

void Remember(Mind& mind, const Look& look) {
  const int turn = static_cast<int>(mind.game().turns().size());
  RememberNobodys(mind, look, turn);
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

// A figure of the game that looks took nobody's for, wherever it was seen.
bool TakenForPlayers(const Mind& mind, const PlacedFigure& figure) {
  const std::vector<FigureKind> undecided = NobodysUndecided(mind);
  const std::string& colour = mind.game().players()[At(figure.player)].colour;
  return std::any_of(undecided.begin(), undecided.end(), [&](FigureKind kind) {
    return mind.unexpected.TakenFor(kind, figure.cell) == colour;
  });
}

std::string YesText(FigureKind kind, const RuleOption& way) {
  if (way.name == OptionOf(FigureKind::kArk)) {
    const std::string edition = way.value == "german" ? "German" : way.value;
    return Text("Yes, by the ", edition, " edition");
  }
  return Text("Yes, we play with the ", std::string(WordOf(kind)));
}

// Of some kinds there is only one, and everybody knows which.
std::string AskedText(FigureKind kind) {
  const std::string word(WordOf(kind));
  switch (kind) {
    case FigureKind::kGingerbreadMan:
      return Text("I see the ", word, ". Are you playing with him?");
    case FigureKind::kArk:
      return Text("I see the ", word, ". Are you playing with it?");
    case FigureKind::kProphet:
      return Text("I see a ", word, ". Are you playing with the ",
                  std::string(WordOf(FigureKind::kArk)), "?");
    default: {
      const bool vowel = std::string("aeiou").find(word.front()) != std::string::npos;
      return Text("I see ", vowel ? "an " : "a ", word, ". Are you playing with the ", word, "?");
    }
  }
}

}  // namespace

Look WithKindsOf(const Mind& mind, Look look) {
  const auto put_right = [&](SightedFigure& seen) {
    if (seen.unexpected && HasKind(mind.ledger.rules(), seen.unexpected->kind)) {
      seen.kind = seen.unexpected->kind;
      seen.kinds.clear();
      seen.unexpected.reset();
    } else if (MayJoin(mind, seen.kind)) {
      // The camera still expects what people took back.
      seen.unexpected = KindProbability{seen.kind, kSureUnexpected};
      seen.kind = FigureKind::kFollower;
      seen.kinds.clear();
    }
  };
  for (auto& [cell, figure] : std::exchange(look.neutral, {})) {
    if (!figure.seen.colours.empty()) {
      look.cells[cell].figures.push_back(std::move(figure));
      continue;
    }
    // Nobody can say whose it would be.
    const FigureKind kind = figure.seen.kind;
    if (MayJoin(mind, kind)) figure.seen.unexpected = KindProbability{kind, kSureUnexpected};
    look.neutral.emplace_back(cell, std::move(figure));
  }
  for (auto& [cell, view] : look.cells) {
    for (FigureView& figure : view.figures) put_right(figure.seen);
  }
  const std::set<FigureKind> told = KindsTold(mind, look);
  for (auto& [cell, view] : look.cells) {
    for (FigureView& figure : view.figures) {
      if (const auto nobodys = NobodysKind(mind, cell, figure, told)) figure.seen.kind = *nobodys;
      if (EntryOf(figure.seen.kind).neutral) look.neutral.emplace_back(cell, figure);
    }
    std::erase_if(view.figures,
                  [](const FigureView& figure) { return EntryOf(figure.seen.kind).neutral; });
  }
  for (SightedFigure& figure : look.beside) put_right(figure);
  return look;
}

bool MayBeNobodys(const Mind& mind, Cell cell, const Look& look) {
  const std::vector<FigureKind> undecided = NobodysUndecided(mind);
  return std::any_of(look.neutral.begin(), look.neutral.end(), [&](const auto& seen) {
    return seen.first == cell &&
           std::find(undecided.begin(), undecided.end(), seen.second.seen.kind) != undecided.end();
  });
}

Conclusions AskIfPlayingWith(Mind& mind, FigureKind kind, std::vector<Cell> cells) {
  Question question;
  question.id = mind.ledger.next_question_id();
  question.text = AskedText(kind);
  question.cells = std::move(cells);
  question.playing_with = kind;
  Turn nobodys;
  nobodys.player = -1;
  const std::vector<RuleOption> ways = OptionsThatBring(kind, mind.tiles());
  const double share = 1.0 / static_cast<double>(ways.size() + 1);
  for (const RuleOption& way : ways) {
    question.answers.push_back({YesText(kind, way), {}, nobodys, share});
  }
  question.answers.push_back({"No", {}, nobodys, share});
  return Conclude(&mind.ledger, QuestionAsked{std::move(question)});
}

Conclusions AskIfPlayedWith(Mind& mind, const Look& look) {
  Remember(mind, look);
  Conclusions concluded;
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    if (!MayJoin(mind, entry.kind) || Asked(mind.ledger, entry.kind)) continue;
    std::vector<Cell> sure = mind.unexpected.Sure(entry.kind);
    if (!sure.empty()) concluded += AskIfPlayingWith(mind, entry.kind, std::move(sure));
  }
  return concluded;
}

bool MayBeOfUnexpected(const Mind& mind, const Finding& finding) {
  const std::vector<FigureKind> undecided = NobodysUndecided(mind);
  const auto of_nobodys = [&](Cell cell) {
    return std::any_of(undecided.begin(), undecided.end(), [&](FigureKind kind) {
      return !mind.unexpected.TakenFor(kind, cell).empty();
    });
  };
  const auto unexpected = [&](Cell cell) {
    const UnexpectedFigure* figure = mind.unexpected.On(cell);
    return figure != nullptr && Undecided(mind, figure->kind);
  };
  // People are asked already: the camera may have missed that this is another abbot.
  if (finding.code == "garden-needs-abbot" && Open(mind.ledger, FigureKind::kAbbot) != nullptr) {
    return true;
  }
  const CodeFamily family = FamilyOf(finding.code);
  const std::vector<PlacedFigure> figures = mind.game().Figures();
  if (family.order) {
    return std::any_of(figures.begin(), figures.end(),
                       [&](const PlacedFigure& figure) { return TakenForPlayers(mind, figure); });
  }
  // Its player has one figure more than the game knows, or what occupies the feature is none of
  // those that it may.
  if (finding.code == "none-in-supply" || finding.code == "feature-occupied") {
    return unexpected(finding.cells.front()) || of_nobodys(finding.cells.front()) ||
           std::any_of(figures.begin(), figures.end(), [&](const PlacedFigure& figure) {
             return unexpected(figure.cell) || TakenForPlayers(mind, figure);
           });
  }
  const bool of_a_figure =
      family.figure_where_none_may || family.clears_by_absence || family.matter == Matter::kFigure;
  if (of_a_figure && of_nobodys(finding.cells.front())) return true;
  return (family.figure_where_none_may || finding.code == "figure-taken-early") &&
         unexpected(finding.cells.front());
}

}  // namespace tilewarden::engine
