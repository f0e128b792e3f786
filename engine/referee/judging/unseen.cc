// Claims that no look showed: a hand came back to the tile in its turn, and no figure was seen
// there since. Nothing is asked while the camera may still see it; once points hang on it, or the
// last tiles are drawn, people are asked.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// A claim that the turn may have made.
struct Unseen {
  Turn turn;
  int points = 0;        // that hang on it
  bool home = false;     // it has scored: nobody will see the figure any more
  bool at_once = false;  // with its own turn: no look could show it
};

bool MayHaveClaimed(const Mind& mind, const Turn& turn) {
  return !turn.deployment && !turn.recall && turn.player >= 0 && !turn.set_aside &&
         !mind.ledger.FigureByHand(turn.cell);
}

// A hand came back in this turn, and no look showed what it set.
bool MayHaveUnseen(const Mind& mind, const Turn& turn) {
  return MayHaveClaimed(mind, turn) && mind.claims.MayHaveSet(turn.cell);
}

// How likely this turn set a figure that no look showed since. `until`: the last turn after which
// it stood on the board; before its own: it went home at once.
double ChanceOfUnseen(const Mind& mind, int number, const Turn& turn, int until) {
  const std::string& colour = mind.game().players()[At(turn.player)].colour;
  double odds = mind.claims.MayHaveSet(turn.cell)
                    ? kUnseenClaim / (1 - kUnseenClaim)
                    : mind.habits.ShareSeenLater(colour) * kReturnUnseen;
  if (until >= number) {
    odds *= std::pow(kMissedAnew, mind.claims.ChancesMissed(turn.cell));
    odds *= mind.supplies.SpeakForAnother(colour, number, until);
  }
  return odds / (1 + odds);
}

bool StandsOn(const Game& game, Cell cell) {
  const std::vector<PlacedFigure> figures = game.Figures();
  return std::any_of(figures.begin(), figures.end(),
                     [&](const PlacedFigure& figure) { return figure.cell == cell; });
}

std::vector<Unseen> ClaimsOf(const Mind& mind, int number) {
  const std::vector<Turn>& turns = mind.game().turns();
  const Turn& had = turns[At(number - 1)];
  std::vector<Unseen> claims;
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return claims;
  for (const Deployment& deployment :
       before->LegalDeployments(had.player, had.tile, {had.cell, had.rotation})) {
    std::vector<Turn> instead = turns;
    instead[At(number - 1)].deployment = deployment;
    const std::optional<Game> story = mind.ledger.Replay(instead);
    if (!story) continue;
    const Turn& claim = instead[At(number - 1)];
    Game then = *before;
    const std::optional<Outcome> outcome = then.Apply(claim);
    claims.push_back({claim, PointsBetween(mind.game(), *story), !StandsOn(*story, had.cell),
                      outcome && WentHomeAtOnce(claim, *outcome)});
  }
  std::stable_sort(claims.begin(), claims.end(), [](const Unseen& a, const Unseen& b) {
    return std::pair(a.home, a.points) > std::pair(b.home, b.points);
  });
  return claims;
}

Doubt WhatWasSet(const Mind& mind, const Turn& had, const std::vector<Unseen>& claims,
                 double chance) {
  Doubt doubt;
  doubt.text = Text("Did ", mind.game().players()[At(had.player)].colour,
                    " set a figure on the tile ", Where(had.cell), "?");
  const std::size_t most = std::min(claims.size(), kMostAnswers - 1);
  for (std::size_t i = 0; i < most; ++i) {
    const Turn& turn = claims[i].turn;
    const SegmentKind kind =
        mind.tiles().types()[At(turn.tile)].segments[At(turn.deployment->segment)].kind;
    doubt.answers.push_back({Text("Yes, on the ", ToString(kind)),
                             {had.cell},
                             turn,
                             chance / static_cast<double>(most)});
  }
  doubt.answers.push_back({"No", {had.cell}, had, 1 - chance});
  std::stable_sort(doubt.answers.begin(), doubt.answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return doubt;
}

bool OnCompleteFeature(const Game& game, const Turn& turn) {
  const auto segments = static_cast<int>(game.tile_set().types()[At(turn.tile)].segments.size());
  for (int s = 0; s < segments; ++s) {
    if (game.FeatureAt(turn.cell, s).complete) return true;
  }
  return false;
}

// The next look may show what was set on it.
bool LaidInThisLook(const Mind& mind, const Turn& turn) {
  const CellMemory* seen = mind.cells.Find(turn.cell);
  return seen != nullptr && seen->FirstSettled() == mind.sightings;
}

// Whichever types they were read as. Some of the last fit nowhere, and people set them aside.
bool NearlyOver(const Mind& mind) {
  int left = 0;
  for (int tile = 0; tile < static_cast<int>(mind.tiles().types().size()); ++tile) {
    left += mind.game().TilesLeft(tile);
  }
  return left <= kLastTiles;
}

}  // namespace

double ChanceOfEarlierClaim(const Mind& mind, const Turn& turn, const Game& before) {
  std::vector<Turn> turns = before.turns();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!MayHaveUnseen(mind, turns[i])) continue;
    const std::optional<Game> then =
        mind.ledger.Replay({turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(i)});
    if (!then) continue;
    const Turn had = turns[i];
    for (const Deployment& deployment :
         then->LegalDeployments(had.player, had.tile, {had.cell, had.rotation})) {
      turns[i].deployment = deployment;
      std::optional<Game> story = mind.ledger.Replay(turns);
      turns[i] = had;
      const std::optional<Outcome> outcome = story ? story->Apply(turn) : std::nullopt;
      if (outcome && std::any_of(outcome->returned.begin(), outcome->returned.end(),
                                 [&](const PlacedFigure& f) { return f.cell == had.cell; })) {
        return ChanceOfUnseen(mind, static_cast<int>(i) + 1, had, static_cast<int>(turns.size()));
      }
    }
  }
  return 0;
}

Conclusions AskUnseen(Mind& mind, bool turn_came) {
  const std::vector<Turn> turns = mind.game().turns();
  const int now = static_cast<int>(turns.size());
  const bool last = NearlyOver(mind);
  Conclusions concluded;
  if (!turn_came && !last) return concluded;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    const int number = static_cast<int>(i) + 1;
    if (!MayHaveClaimed(mind, turn) || mind.ledger.Asked(turn.cell)) continue;
    if (!last && !OnCompleteFeature(mind.game(), turn)) continue;
    const double stood = ChanceOfUnseen(mind, number, turn, now);
    const double went_home = ChanceOfUnseen(mind, number, turn, now - 1);
    const double at_once = ChanceOfUnseen(mind, number, turn, number - 1);
    if (std::max({stood, went_home, at_once}) < kLeastDoubt) continue;
    const std::vector<Unseen> claims = ClaimsOf(mind, number);
    if (claims.empty() || (!last && !claims.front().home)) continue;
    if (!claims.front().home && LaidInThisLook(mind, turn)) continue;
    const Unseen& best = claims.front();
    const double chance = best.at_once ? at_once : best.home ? went_home : stood;
    // One that stands is one less in the supply, whatever it is worth by now.
    const int points = std::max(best.points, best.home ? 0 : kFigureWorth);
    if (chance < kLeastDoubt || chance * points < kWorthAsking) continue;
    concluded += Ask(&mind.ledger, number, WhatWasSet(mind, turn, claims, chance));
  }
  if (last) concluded += AskCoats(mind);
  return concluded;
}

}  // namespace tilewarden::engine
