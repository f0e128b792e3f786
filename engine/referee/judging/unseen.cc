// Claims that no look showed: a hand came back to the tile in its turn, and no figure was seen
// there since. Nothing is asked while the camera may still see it; once points hang on it, or the
// last tiles are drawn, people are asked.
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/index.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

constexpr char kShortSince[] = "the supply is a figure short since then";
constexpr char kWasAway[] = "a figure was away from the supply, and is back";

// What the turn may have done: a claim, or nothing.
struct Story {
  Turn turn;
  double chance = 0;
  int points = 0;                // by which it differs from the game
  bool home = false;             // the claim has scored: nobody will see the figure any more
  bool at_once = false;          // with its own turn: no look could show it
  std::vector<Cell> gave_way{};  // the tiles of later turns that were otherwise then
};

// The turn may have set a figure that no look showed: none, or one that was only concluded.
bool MayHaveClaimed(const Mind& mind, const Turn& turn) {
  return (!turn.deployment || mind.ledger.Concluded(turn.cell)) && !turn.recall &&
         turn.player >= 0 && !turn.set_aside && !mind.ledger.FigureByHand(turn.cell);
}

// A hand came back in this turn, and no look showed what it set.
bool MayHaveUnseen(const Mind& mind, const Turn& turn) {
  return MayHaveClaimed(mind, turn) && !turn.deployment && mind.claims.MayHaveSet(turn.cell);
}

// A hand came back to the turn's tile, as far as looks tell; what was concluded was concluded from
// that.
bool CameBackTo(const Mind& mind, Cell cell) {
  return mind.claims.MayHaveSet(cell) || mind.ledger.Concluded(cell);
}

// What people do in this game, as far as the turns but for this one tell.
struct Customs {
  double claims = 0;        // share of the turns that set a figure
  double idle_returns = 0;  // share of the others in which a hand came back to the tile for nothing
};

Customs CustomsBut(const Mind& mind, Cell cell) {
  double claims = kHalf * kClaimsPrior, of = kClaimsPrior;
  double idle = kIdleReturn * kIdlePrior, without = kIdlePrior;
  for (const Turn& turn : mind.game().turns()) {
    if (turn.cell == cell || turn.set_aside) continue;
    of += 1;
    claims += turn.deployment ? 1 : 0;
    if (turn.deployment || turn.recall) continue;
    without += 1;
    // Of those that nobody has said to be idle some set a figure.
    if (mind.claims.MayHaveSet(turn.cell))
      idle += mind.ledger.FigureByHand(turn.cell) ? 1 : kIdleIfUnexplained;
  }
  return {claims / of, idle / without};
}

// It stands near a side beyond which no tile lies.
bool IsNearCloth(const Mind& mind, const Turn& claim, const OpenSides& open) {
  return std::any_of(kSides.begin(), kSides.end(), [&](Side side) {
    return open[static_cast<std::size_t>(side)] && IsNear(mind, claim, side);
  });
}

// How likely no look showed the figure that this turn set, while it stood there: until the turn
// with the number `home`. `before`: the game without the turn.
double ChanceUnseen(const Mind& mind, const Turn& claim, const Game& before, int home) {
  const std::string& colour = mind.game().players()[At(claim.player)].colour;
  const double usual = mind.habits.ShareSeenLater(colour);
  const bool own_cloth = mind.habits.IsOfTheCloth(colour);
  const double on_own = mind.habits.ShareSeenLater(colour, Backdrop::kOwnCloth);
  double chance =
      own_cloth && IsNearCloth(mind, claim, SidesOpen(before, claim.cell)) ? on_own : usual;
  bool first = true;
  for (const auto& [open, turns] : mind.claims.ChancesMissed(claim.cell)) {
    if (turns >= home) break;
    const bool near_cloth = IsNearCloth(mind, claim, open);
    if (near_cloth && own_cloth) {
      chance = first ? on_own : chance * kMissedAnewOnOwnCloth;
    } else if (first) {
      chance = std::min(usual * (near_cloth ? kMoreAtEdge : kLessInView), kMostUnseen);
    } else {
      chance *= near_cloth ? kMissedAnewAtEdge : kMissedAnewInView;
    }
    first = false;
  }
  return chance;
}

// By segment of this turn's tile: the number of the turn that completed what it is part of, or one
// that was not played yet. `before`: the game without the turn.
std::vector<int> CompletedBy(const Mind& mind, const Turn& turn, const Game& before) {
  const std::vector<Turn>& turns = mind.game().turns();
  const int never = static_cast<int>(turns.size()) + 1;
  const auto segments = mind.tiles().types()[At(turn.tile)].segments.size();
  std::vector<int> by(segments, never);
  if (!OnCompleteFeature(mind.game(), turn)) return by;
  Game game = before;
  for (int number = static_cast<int>(before.turns().size()) + 1; number < never; ++number) {
    if (!game.Apply(turns[At(number - 1)])) break;
    for (std::size_t s = 0; s < segments; ++s) {
      if (by[s] == never && game.FeatureAt(turn.cell, static_cast<int>(s)).complete) by[s] = number;
    }
  }
  return by;
}

bool StandsOn(const Game& game, Cell cell) {
  const std::vector<PlacedFigure> figures = game.Figures();
  return std::any_of(figures.begin(), figures.end(),
                     [&](const PlacedFigure& figure) { return figure.cell == cell; });
}

// What supplies say, each asked once.
class SpeakingSupplies {
 public:
  // `mind` outlives this.
  explicit SpeakingSupplies(const Mind& mind) : mind_(mind) {}

  // How much that of the turn's player speaks for a figure that it set, that no look shows, and
  // that stood until after the turn `to`. `number`: of the turn.
  double For(const Turn& turn, int number, int to) {
    // One that the game has already is in none of them.
    if (turn.deployment && StandsOn(mind_.game(), turn.cell)) {
      return SupplySpeaksForAnother(mind_, turn.player, to, number)[At(number)];
    }
    const auto [said, first] = said_.try_emplace({turn.player, to});
    if (first) said->second = SupplySpeaksForAnother(mind_, turn.player, to);
    return said->second[At(number)];
  }

 private:
  const Mind& mind_;
  std::map<std::pair<int, int>, std::vector<double>> said_;  // by player and `to`
};

// What the turn with this number may have done, and how likely: first that it did nothing.
// `supply`: how much it speaks for such a figure.
std::vector<Story> StoriesOf(const Mind& mind, int number, const Game& before, double supply) {
  const Turn& had = mind.game().turns()[At(number - 1)];
  Turn nothing = had;
  nothing.deployment.reset();
  std::vector<Story> stories;
  stories.push_back({nothing});
  const std::vector<Deployment> ways =
      before.LegalDeployments(had.player, had.tile, {had.cell, had.rotation});
  for (const Deployment& deployment : ways) {
    Story story{had};
    story.turn.deployment = deployment;
    Game then = before;
    const std::optional<Outcome> outcome = then.Apply(story.turn);
    if (!outcome) continue;
    story.at_once = WentHomeAtOnce(story.turn, *outcome);
    stories.push_back(std::move(story));
  }
  const Customs customs = CustomsBut(mind, had.cell);
  const bool concluded = mind.ledger.Concluded(had.cell);
  const bool came_back = CameBackTo(mind, had.cell);
  // It was concluded because who comes back to a tile that completed something nearly always claims
  // that.
  const auto completed = std::count_if(stories.begin(), stories.end(),
                                       [](const Story& story) { return story.at_once; });
  const double own = concluded && completed > 0 ? kClaimsOwn : 0;
  const double at_once = SupplySpeaksForOneAtOnce(mind, had);
  const std::vector<int> home = CompletedBy(mind, had, before);
  for (Story& story : stories) {
    const double one = customs.claims / static_cast<double>(ways.size());
    if (!story.turn.deployment) {
      story.chance = (1 - own) * (1 - customs.claims) *
                     (came_back ? customs.idle_returns : 1 - customs.idle_returns);
    } else if (story.at_once) {
      story.chance = (own > 0 ? own / static_cast<double>(completed) : one) * kUnseenAtOnce *
                     at_once * (came_back ? 1 : kReturnUnseen);
    } else {
      story.chance =
          (1 - own) * one *
          ChanceUnseen(mind, story.turn, before, home[At(story.turn.deployment->segment)]) *
          supply * (came_back ? 1 : kReturnUnseen);
    }
  }
  double total = 0;
  for (const Story& story : stories) total += story.chance;
  for (Story& story : stories) story.chance /= total;
  return stories;
}

// Whatever it may have claimed, it is too unlikely to be asked about: no hand came back. Spares
// the stories.
bool HardlyClaimed(const Mind& mind, const Turn& turn, double supply) {
  if (CameBackTo(mind, turn.cell)) return false;
  const std::string& colour = mind.game().players()[At(turn.player)].colour;
  const Customs customs = CustomsBut(mind, turn.cell);
  const double missed = mind.habits.IsOfTheCloth(colour)
                            ? mind.habits.ShareSeenLater(colour, Backdrop::kOwnCloth)
                            : mind.habits.ShareSeenLater(colour);
  const double unseen = missed * supply;
  const double at_once = kUnseenAtOnce * SupplySpeaksForOneAtOnce(mind, turn);
  const double most = customs.claims * kReturnUnseen * std::max(unseen, at_once);
  const double none = (1 - customs.claims) * (1 - customs.idle_returns);
  return most < kLeastDoubt * (none + most);
}

// What hangs on each of them, and how likely they are beside what came later. Those that cannot be
// are left out.
void Weigh(const Mind& mind, int number, std::vector<Story>* stories) {
  const std::vector<Turn>& turns = mind.game().turns();
  double total = 0;
  std::erase_if(*stories, [&](Story& story) {
    if (story.turn == turns[At(number - 1)]) return false;
    const auto instead = TurnsIf(mind.ledger, number, story.turn);
    if (!instead) return true;
    const std::optional<Game> game = mind.ledger.Replay(*instead);
    if (!game) return true;
    for (std::size_t i = At(number); i < turns.size(); ++i) {
      if ((*instead)[i] == turns[i]) continue;
      if (mind.ledger.Asked(turns[i].cell)) return true;  // the answer to that comes first
      story.gave_way.push_back(turns[i].cell);
      story.chance *= mind.ledger.Concluded(turns[i].cell) ? 1 - kSureStory : kOtherKindRate;
    }
    story.points = PointsBetween(mind.game(), *game);
    story.home = story.turn.deployment && !StandsOn(*game, story.turn.cell);
    return false;
  });
  for (const Story& story : *stories) total += story.chance;
  for (Story& story : *stories) story.chance /= total;
}

// The points that hang on a story, on the average. One that stands is one less in the supply,
// whatever it is worth by now.
double WorthOf(const Story& story) {
  return story.chance * std::max(story.points, story.home ? 0 : kFigureWorth);
}

// `others`: the stories but for the one that the game tells, what hangs on most first.
Doubt WhatWasSet(const Mind& mind, const Turn& had, const std::vector<Story>& others) {
  Doubt doubt;
  doubt.text = Text("Did ", mind.game().players()[At(had.player)].colour,
                    " set a figure on the tile ", Where(had.cell), "?");
  const auto add = [&](const Story& story, double chance) {
    std::vector<Cell> cells = {had.cell};
    for (const Cell cell : story.gave_way) {
      cells.push_back(cell);
      if (std::find(doubt.besides.begin(), doubt.besides.end(), cell) == doubt.besides.end()) {
        doubt.besides.push_back(cell);
      }
    }
    std::string text = "No";
    if (story.turn.deployment) {
      const TileType& type = mind.tiles().types()[At(story.turn.tile)];
      text = Text("Yes, on the ", ToString(type.segments[At(story.turn.deployment->segment)].kind));
    }
    doubt.answers.push_back({std::move(text), std::move(cells), story.turn, chance});
  };
  const std::size_t most = std::min(others.size(), kMostAnswers - 1);
  double all = 0, told = 0;
  for (std::size_t i = 0; i < others.size(); ++i) {
    all += others[i].chance;
    told += i < most ? others[i].chance : 0;
  }
  for (std::size_t i = 0; i < most; ++i) add(others[i], all * others[i].chance / told);
  add({had}, 1 - all);
  std::stable_sort(doubt.answers.begin(), doubt.answers.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return doubt;
}

// The next look may show what was set on it.
bool LaidInThisLook(const Mind& mind, const Turn& turn) {
  const CellMemory* seen = mind.cells.Find(turn.cell);
  return seen != nullptr && seen->FirstSettled() == mind.sightings;
}

}  // namespace

bool OnCompleteFeature(const Game& game, const Turn& turn) {
  const auto segments = static_cast<int>(game.tile_set().types()[At(turn.tile)].segments.size());
  for (int s = 0; s < segments; ++s) {
    if (game.FeatureAt(turn.cell, s).complete) return true;
  }
  return false;
}

bool NearlyOver(const Mind& mind) {
  int left = 0;
  for (int tile = 0; tile < static_cast<int>(mind.tiles().types().size()); ++tile) {
    left += mind.game().TilesLeft(tile);
  }
  return left <= kLastTiles;
}

double ChanceOfEarlierClaim(const Mind& mind, const Turn& turn, const Game& before) {
  std::vector<Turn> turns = before.turns();
  const int now = static_cast<int>(turns.size());
  SpeakingSupplies supplies(mind);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (!MayHaveUnseen(mind, turns[i])) continue;
    const std::optional<Game> then =
        mind.ledger.Replay({turns.begin(), turns.begin() + static_cast<std::ptrdiff_t>(i)});
    if (!then) continue;
    const Turn had = turns[i];
    double chance = 0;
    const int number = static_cast<int>(i) + 1;
    const double supply = supplies.For(had, number, now);
    for (const Story& claim : StoriesOf(mind, number, *then, supply)) {
      if (!claim.turn.deployment) continue;
      turns[i] = claim.turn;
      std::optional<Game> story = mind.ledger.Replay(turns);
      turns[i] = had;
      const std::optional<Outcome> outcome = story ? story->Apply(turn) : std::nullopt;
      if (outcome && std::any_of(outcome->returned.begin(), outcome->returned.end(),
                                 [&](const PlacedFigure& f) { return f.cell == had.cell; })) {
        chance += claim.chance;
      }
    }
    if (chance > 0) return chance;
  }
  return 0;
}

Conclusions AskIfSet(Mind& mind, int number) {
  const Turn with = mind.game().turns()[At(number - 1)];
  Story not_set{with, kHalf};
  not_set.turn.deployment.reset();
  return Ask(&mind.ledger, number, WhatWasSet(mind, with, {not_set}));
}

Conclusions AskUnseen(Mind& mind, bool turn_came) {
  const std::vector<Turn> turns = mind.game().turns();
  const int now = static_cast<int>(turns.size());
  const bool last = NearlyOver(mind);
  Conclusions concluded;
  if (!turn_came && !last) return concluded;
  SpeakingSupplies supplies(mind);
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const Turn& turn = turns[i];
    const int number = static_cast<int>(i) + 1;
    if (!MayHaveClaimed(mind, turn) || mind.ledger.Asked(turn.cell)) continue;
    // What was concluded may have been another claim, which still stands.
    if (!last && (turn.deployment || !OnCompleteFeature(mind.game(), turn))) continue;
    // A hand may come back to it yet, and looks at the supply may show what for.
    if (number == now && mind.supplies.Any() && (!last || LaidInThisLook(mind, turn))) continue;
    const int until = last ? now : now - 1;
    const double supply = supplies.For(turn, number, until);
    if (HardlyClaimed(mind, turn, supply)) continue;
    const std::optional<Game> before =
        mind.ledger.Replay({turns.begin(), turns.begin() + number - 1});
    if (!before) continue;
    std::vector<Story> stories = StoriesOf(mind, number, *before, supply);
    const auto chance_of_others = [&] {
      double chance = 0;
      for (const Story& story : stories) chance += story.turn == turn ? 0 : story.chance;
      return chance;
    };
    if (chance_of_others() < kLeastDoubt) continue;
    Weigh(mind, number, &stories);
    std::erase_if(stories,
                  [&](const Story& story) { return story.turn == turn || (!last && !story.home); });
    if (stories.empty()) continue;
    const Story& likeliest =
        *std::max_element(stories.begin(), stories.end(),
                          [](const Story& a, const Story& b) { return a.chance < b.chance; });
    const double shown = likeliest.at_once ? SupplySpeaksForOneAtOnce(mind, turn) : supply;
    if (shown > 1 && likeliest.chance >= kSureOfSupply && likeliest.gave_way.empty() &&
        !LaidInThisLook(mind, turn)) {
      concluded +=
          SetTurn(&mind.ledger, number, likeliest.turn, likeliest.at_once ? kWasAway : kShortSince,
                  RevisionCause::kClaimConcluded);
      continue;
    }
    const bool some_home =
        std::any_of(stories.begin(), stories.end(), [](const Story& story) { return story.home; });
    if (!some_home && LaidInThisLook(mind, turn)) continue;
    double worth = 0;
    for (const Story& story : stories) worth += WorthOf(story);
    if (worth < kWorthAsking) continue;
    std::stable_sort(stories.begin(), stories.end(),
                     [](const Story& a, const Story& b) { return WorthOf(a) > WorthOf(b); });
    concluded += Ask(&mind.ledger, number, WhatWasSet(mind, turn, stories));
  }
  if (last) concluded += AskCoats(mind);
  return concluded;
}

}  // namespace tilewarden::engine
