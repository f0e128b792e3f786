// The mistakes that simulated people make: which there are, how they are planted, and
// those about whose turn it is.
#include <utility>

#include "engine/referee/order.h"
#include "engine/tiles/index.h"
#include "tests/engine/referee/evening.h"

namespace tilewarden::engine {
namespace {}  // namespace

const std::vector<Evening::Mistake>& Evening::Mistakes() {
  static const auto* const kMistakes = new std::vector<Mistake>{
      {"edge-mismatch", &Evening::EdgeMismatch},
      {"not-adjacent", &Evening::NotAdjacent},
      {"out-of-area", &Evening::OutOfArea},
      {"river-uturn", &Evening::RiverUturn},
      {"river-must-continue", &Evening::RiverMustContinue},
      {"no-copies-left", &Evening::NoCopiesLeft},
      {"tile-fits", &Evening::SetAside},
      {"tile-taken", &Evening::TileTaken},
      {"tile-turned", &Evening::TileTurned},
      {"tile-moved", &Evening::TileMoved},
      {"two-tiles", &Evening::SecondTile},
      {"out-of-turn", &Evening::OutOfTurn},
      {"feature-occupied", &Evening::OccupiedFeature},
      {"none-in-supply", &Evening::NoneInSupply},
      {"garden-needs-abbot", &Evening::OnGarden},
      {"abbot-wrong-feature", &Evening::AbbotWrong},
      {"prophet-only-in-city", &Evening::ProphetWrong},
      {"no-follower-on-temple", &Evening::OnTemple},
      {"figure-taken-early", &Evening::FigureTaken},
      {"figure-moved", &Evening::FigureMoved},
      {"figure-not-on-last-tile", &Evening::FigureOnOldTile},
      {"two-figures", &Evening::TwoFigures},
      {"figure-not-returned", &Evening::NotReturned},
      {"figure-pose", &Evening::WrongPose},
      {"ark-moved", &Evening::ArkMoved},
      {"gingerbread-moved", &Evening::GingerbreadMoved},
      {"figure-taken-laying", &Evening::FigureTakenWhileLaying},
  };
  return *kMistakes;
}

// Something goes wrong before this turn is taken: one of the kinds that can.
bool Evening::MakeMistake(const Turn& turn) {
  std::vector<Mistake> kinds = Mistakes();
  while (!kinds.empty()) {
    const auto at = kinds.begin() + table_.Pick(static_cast<int>(kinds.size()));
    const Mistake mistake = *at;
    kinds.erase(at);
    if (!options_.kind.empty() && options_.kind != mistake.kind) continue;
    if ((this->*mistake.make)(turn)) {
      return mistake.make == &Evening::NotReturned ||
             mistake.make == &Evening::FigureTakenWhileLaying;
    }
  }
  return false;
}

void Evening::Expect(const std::string& kind, std::set<std::string> codes) {
  ++report_.planted[kind];
  kind_ = kind;
  expected_ = std::move(codes);
  told_.clear();
  if (options_.onlooker != nullptr) options_.onlooker->MistakeMade(kind_, expected_);
}

void Evening::ExpectTold() {
  if (!told_.empty()) return;
  ++report_.missed[kind_];
  Note("missed " + kind_ + " after turn " + std::to_string(truth_.turns().size()));
}

void Evening::ExpectCleared() {
  for (const Finding& open : referee_.findings()) {
    if (!expected_.contains(open.code)) continue;
    ++report_.not_cleared;
    Note("not cleared after turn " + std::to_string(truth_.turns().size()) + ": " + open.text);
  }
  expected_.clear();
  if (options_.onlooker != nullptr) options_.onlooker->MistakeOver();
}

bool Evening::Plant(const std::string& kind, std::set<std::string> codes, Cell hand,
                    const std::function<void()>& wrong, const std::function<void()>& right) {
  Expect(kind, std::move(codes));
  planted_ = hand;
  Hand(hand);
  wrong();
  Settle();
  Settle();
  ExpectTold();
  Hand(hand);
  right();
  Settle();
  Settle();
  ExpectCleared();
  return true;
}

// --- The order of play

// The player before lays another tile, and claims something on it.
bool Evening::SecondTile(const Turn& turn) { return FalseTurn(turn, "two-tiles", turn.player - 1); }

bool Evening::OutOfTurn(const Turn& turn) {
  return options_.players > 2 && FalseTurn(turn, "out-of-turn", turn.player + 1);
}

bool Evening::FalseTurn(const Turn& turn, const std::string& code, int by) {
  // Before every player has had two turns, or enough figures have told it, nobody who
  // looks on can know the order.
  if (static_cast<int>(truth_.turns().size()) < 3 * options_.players) return false;
  std::vector<int> evidence;
  for (const Turn& played : truth_.turns()) {
    evidence.push_back(played.deployment || played.recall ? played.player : -1);
  }
  if (DeduceOrder(evidence, 0, false).next < 0) return false;
  if (!turn.gingerbread.empty() || turn.ark_landing) return false;
  // After an extra turn, whose turn it is, is another matter.
  const Turn& last = truth_.turns().back();
  if ((last.player + 1) % options_.players != turn.player) return false;
  Turn t = turn;
  t.player = (by + options_.players) % options_.players;
  t.recall.reset();
  t.ark_path.clear();
  const auto deployments = truth_.LegalDeployments(t.player, t.tile, {t.cell, t.rotation});
  if (deployments.empty()) return false;
  t.deployment = deployments[At(table_.Pick(static_cast<int>(deployments.size())))];
  // What it completes would go home; keep to turns that complete nothing.
  Game after = truth_;
  const auto outcome = after.Apply(t);
  if (!outcome || !outcome->returned.empty() || outcome->extra_turn) return false;
  return Plant(
      code, {code}, t.cell,
      [&] {
        table_.Lay(t);
        table_.Set(Colour(t.player), t.cell, t.deployment->segment, t.deployment->kind);
      },
      [&] {
        table_.Take(Colour(t.player), t.cell);
        table_.tiles.pop_back();
      });
}

}  // namespace tilewarden::engine
