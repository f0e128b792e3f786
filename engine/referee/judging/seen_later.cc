// Figures on older tiles that no look showed until now: set in their tile's turn and missed since,
// or set just now against the rules. Which of the two is weighed, not assumed: nobody is accused
// of what a camera may have missed.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

// What else hands may have come for since a look: turns were laid since, and one of them may be
// this player's, who has set no figure in it.
struct Laid {
  bool any = false, theirs = false;
};

Laid LaidSince(const Mind& mind, std::uint64_t since, int player) {
  Laid laid;
  for (const Turn& turn : mind.game().turns()) {
    const CellMemory* seen = mind.cells.Find(turn.cell);
    if (seen == nullptr || seen->FirstSettled() <= since) continue;
    laid.any = true;
    laid.theirs |= (turn.player < 0 || turn.player == player) && !turn.deployment;
  }
  return laid;
}

// How likely a figure of this player stands on the turn's tile since that turn, if somebody may
// have set it since a look showed the tile without it.
double ChanceThatItWasThere(const Mind& mind, int number, const Turn& turn,
                            const FigureChoice& choice) {
  const std::uint64_t since = mind.cells.Find(turn.cell)->LastWithoutOthers();
  Turn with = turn;
  with.deployment = choice.deployment;
  double missed = mind.habits.ShareSeenLater(choice.colour, BackdropOf(mind, with, choice.colour));
  if (!mind.claims.MayHaveSet(turn.cell)) missed *= kReturnUnseen;
  // His supply has been one short since then, or only since now.
  const int now = static_cast<int>(mind.game().turns().size());
  if (choice.player >= 0) {
    const std::vector<double> supply = SupplySpeaksForAnother(mind, choice.player, now);
    missed *= supply[At(number)] / supply[At(now)];
  }
  double set_now = kOnOlderTile;
  const auto [laid, theirs] = LaidSince(mind, since, choice.player);
  if (!laid) missed *= kIdleHand;
  if (laid && !theirs) set_now *= kNotTheirTurn;
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

// The figure as one that was set in the turn with this number. Nothing: it cannot have been.
std::optional<FigureChoice> ReadInTurn(const Mind& mind, int number, const FigureView& figure) {
  const std::vector<Turn>& turns = mind.game().turns();
  Turn had = turns[At(number - 1)];
  // What was concluded from hands alone gives way to what is seen.
  if (mind.ledger.Concluded(had.cell)) had.deployment.reset();
  if (had.deployment || had.recall || !had.ark_path.empty()) return std::nullopt;
  const std::optional<Game> before =
      mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
  if (!before) return std::nullopt;
  std::optional<FigureChoice> choice = ReadFigure(mind, figure, *before, had, had.player);
  if (!choice || choice->refusal) return std::nullopt;
  if (had.player >= 0 && choice->player != had.player) return std::nullopt;
  return choice;
}

}  // namespace

bool NobodysTurn(const Mind& mind, Cell cell, const FigureView& figure) {
  const int player = PlayerOf(mind.game(), figure.seen.colours.front().colour);
  const auto [laid, theirs] = LaidSince(mind, mind.cells.Find(cell)->LastWithoutOthers(), player);
  return laid && !theirs;
}

Conclusions SeenLater(Mind& mind, int number, const FigureView& figure, bool may_have_come) {
  Conclusions concluded;
  const Turn had = mind.game().turns()[At(number - 1)];
  if (mind.ledger.FigureByHand(had.cell)) return concluded;
  TrackUnplaced(mind, had, figure);
  std::optional<FigureChoice> choice = ReadInTurn(mind, number, figure);
  if (!choice) return concluded;
  const double chance = may_have_come ? ChanceThatItWasThere(mind, number, had, *choice) : 1;
  if (chance <= 1 - kSureStory) return concluded;
  concluded.done = true;
  if (mind.figures.FindUnplaced(had.cell)->looks() < kLaterLooks) return concluded;
  if (choice->player < 0) {
    Joined joined = Join(&mind.ledger, choice->colour, number);
    concluded += std::move(joined.concluded);
    choice->player = joined.player;
    if (joined.player < 0) return concluded;
  }
  const Turn without = mind.game().turns()[At(number - 1)];  // a join may have moved its player
  Turn with = without;
  with.player = choice->player;
  with.deployment = choice->deployment;
  concluded.done = TurnsIf(mind.ledger, number, with).has_value();
  if (!concluded.done) return concluded;
  if (chance < kSureStory) {
    concluded += Ask(&mind.ledger, number, WasItThere(mind, number, without, with, chance));
    return concluded;
  }
  Conclusions set = SetTurn(&mind.ledger, number, with,
                            Text("turn ", number, ": ", choice->colour, " has a",
                                 WordFor(mind, with), " ", Where(had.cell), ", seen later"));
  if (set.done) {
    mind.figures.Place(had.cell);
    if (may_have_come) mind.figures.Track(had.cell).CameLate();
    mind.cells[had.cell].HadFigure();
    mind.habits.Set(choice->colour, BackdropOf(mind, TurnAt(mind.ledger, had.cell), choice->colour),
                    true);
  }
  concluded += std::move(set);
  return concluded;
}

Conclusions AskIfSetInTurn(Mind& mind, int number) {
  const Turn with = mind.game().turns()[At(number - 1)];
  Turn without = with;
  without.deployment.reset();
  return Ask(&mind.ledger, number, WasItThere(mind, number, without, with, kHalf));
}

}  // namespace tilewarden::engine
