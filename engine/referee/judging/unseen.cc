// Claims that no look showed: a hand came back to the tile in its turn, and no figure was seen
// there since. Nothing is asked while the camera may still see it; once points hang on it, or the
// last tiles are drawn, people are asked.
#include <algorithm>
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
  int points = 0;     // that hang on it
  bool home = false;  // it has scored: nobody will see the figure any more
};

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
    const std::vector<PlacedFigure> figures = story->Figures();
    const bool stands =
        std::any_of(figures.begin(), figures.end(),
                    [&](const PlacedFigure& figure) { return figure.cell == had.cell; });
    claims.push_back({instead[At(number - 1)], PointsBetween(mind.game(), *story), !stands});
  }
  std::stable_sort(claims.begin(), claims.end(), [](const Unseen& a, const Unseen& b) {
    return std::pair(a.home, a.points) > std::pair(b.home, b.points);
  });
  return claims;
}

Doubt WhatWasSet(const Mind& mind, const Turn& had, const std::vector<Unseen>& claims) {
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
                             kUnseenClaim / static_cast<double>(most)});
  }
  doubt.answers.push_back({"No", {had.cell}, had, 1 - kUnseenClaim});
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

// Whichever types they were read as; the last ones may fit nowhere.
bool NearlyOver(const Mind& mind) {
  int left = 0;
  for (int tile = 0; tile < static_cast<int>(mind.tiles().types().size()); ++tile) {
    left += mind.game().TilesLeft(tile);
  }
  return left <= kLastTiles;
}

}  // namespace

Conclusions AskUnseen(Mind& mind, bool turn_came) {
  const std::vector<Turn> turns = mind.game().turns();
  const bool last = NearlyOver(mind);
  Conclusions concluded;
  if (!turn_came && !last) return concluded;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    if (turn.deployment || turn.recall || turn.player < 0 || turn.set_aside ||
        !mind.claims.MayHaveSet(turn.cell) || mind.ledger.FigureByHand(turn.cell) ||
        mind.ledger.Asked(turn.cell)) {
      continue;
    }
    if (!last && !OnCompleteFeature(mind.game(), turn)) continue;
    const int number = static_cast<int>(i) + 1;
    const std::vector<Unseen> claims = ClaimsOf(mind, number);
    if (claims.empty() || claims.front().points <= 0) continue;
    if (!last && !claims.front().home) continue;
    concluded += Ask(&mind.ledger, number, WhatWasSet(mind, turn, claims));
  }
  return concluded;
}

}  // namespace tilewarden::engine
