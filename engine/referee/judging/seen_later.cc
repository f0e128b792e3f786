// Figures on older tiles that no look showed until now: set in their tile's turn and missed since,
// or set just now against the rules. Which of the two is weighed, not assumed: nobody is accused
// of what a camera may have missed.
#include <algorithm>
#include <cstdint>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// How likely a figure of this player stands on the turn's tile since that turn, if somebody may
// have set it since a look showed the tile without it.
double ChanceThatItWasThere(const Mind& mind, const Turn& turn, int player) {
  const std::uint64_t since = mind.cells.Find(turn.cell)->LastBare();
  double missed = mind.claims.ShareSeenLater();
  if (!mind.claims.MayHaveSet(turn.cell)) missed *= kReturnUnseen;
  double set_now = kOnOlderTile;
  // What else the hand may have come for: turns that were laid since.
  bool laid = false, may_be_theirs = false;
  for (const Turn& later : mind.game().turns()) {
    const CellMemory* seen = mind.cells.Find(later.cell);
    if (seen == nullptr || seen->FirstSettled() <= since) continue;
    laid = true;
    may_be_theirs |= (later.player < 0 || later.player == player) && !later.deployment;
  }
  if (!laid) missed *= kIdleHand;
  if (laid && !may_be_theirs) set_now *= kNotTheirTurn;
  return missed / (missed + set_now);
}

// What the figure is called there.
const char* WordFor(const Mind& mind, const Turn& turn) {
  const TileType& type = mind.tiles().types()[At(turn.tile)];
  const bool field = type.segments[At(turn.deployment->segment)].kind == SegmentKind::kField;
  return field ? " farmer" : " figure";
}

Doubt WasItThere(const Mind& mind, int number, const Turn& had, const Turn& with, double chance) {
  const std::string& colour = mind.game().players()[At(with.player)].colour;
  Doubt doubt;
  doubt.text = Text("Was the ", colour, WordFor(mind, with), " ", Where(had.cell),
                    " set there in turn ", number, "?");
  doubt.answers = {{Text("Yes, in turn ", number), {had.cell}, with, chance},
                   {"No, it was set now", {had.cell}, had, 1 - chance}};
  std::stable_sort(doubt.answers.begin(), doubt.answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return doubt;
}

}  // namespace

Conclusions SeenLater(Mind& mind, int number, const FigureView& figure, bool may_have_come) {
  Conclusions concluded;
  const std::vector<Turn> turns = mind.game().turns();
  const Turn had = turns[At(number - 1)];
  if (mind.ledger.FigureByHand(had.cell)) return concluded;
  TrackUnplaced(mind, had, figure);
  std::optional<Turn> with;
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (before && !had.deployment && !had.recall && had.ark_path.empty()) {
    const auto choice = ReadFigure(mind, figure, *before, had, had.player);
    const bool theirs = choice && choice->player >= 0 &&
                        (had.player < 0 || had.player == choice->player) && !choice->refusal;
    if (theirs) {
      with = had;
      with->player = choice->player;
      with->deployment = choice->deployment;
    }
  }
  std::vector<Turn> instead = turns;
  if (with) instead[At(number - 1)] = *with;
  const std::optional<Game> story = with ? mind.ledger.Replay(instead) : std::nullopt;
  if (!story) return concluded;
  const double chance = may_have_come ? ChanceThatItWasThere(mind, had, with->player) : 1;
  if (chance <= 1 - kSureStory) return concluded;
  concluded.done = true;
  if (mind.figures.FindUnplaced(had.cell)->looks() < kLaterLooks) return concluded;
  const bool pays = PointsBetween(mind.game(), *story) > 0;
  if (chance < kSureStory && pays) {
    concluded += Ask(&mind.ledger, number, WasItThere(mind, number, had, *with, chance));
    return concluded;
  }
  if (chance < kHalf) return concluded;
  const std::string& colour = mind.game().players()[At(with->player)].colour;
  Conclusions set = SetTurn(&mind.ledger, number, *with,
                            Text("turn ", number, ": ", colour, " has a", WordFor(mind, *with), " ",
                                 Where(had.cell), ", seen later"));
  if (set.done) {
    mind.figures.Place(had.cell);
    mind.claims.CountFigure(true);
  }
  concluded += std::move(set);
  return concluded;
}

}  // namespace tilewarden::engine
