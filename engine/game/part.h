// A part of the rules that only some games are played with: an expansion or a house
// rule. It has its own state, checks, plays, takes back and scores by itself; the
// game asks its parts in the order of the rules. engine/game/README.md tells how to
// add one. Every question has an answer for parts that it does not concern.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "engine/game/fault.h"
#include "engine/game/position.h"
#include "engine/game/turn.h"

namespace tilewarden::engine {

class Parts;

// What a part may look at.
struct GameView {
  const Position& position;
  const Parts& parts;
};

// A turn that is being played: what a part may change.
struct Playing {
  Position& position;
  const Parts& parts;
  const Turn& turn;
  GameView view() const { return {position, parts}; }
};

// What a feature is worth and how that came about.
struct Worth {
  int points = 0, tiles = 0, extras = 0;
  bool doubled = false;
};

// The calls of Part that a game makes every turn or oftener. A part that does not override
// one is not asked: most parts say something about a few of them.
enum class Hook : std::uint8_t {
  kCheckBefore,
  kCheckActions,
  kRefusesLater,
  kBegin,
  kLaid,
  kAct,
  kBeforeScoring,
  kAfterScoring,
  kGivesExtraTurn,
  kUndo,
  kLimits,
  kDeployingFault,
  kMayMove,
  kValues,
  kAdjust,
  kMoreForCity,
  kTilesNotCounted,
  kClaimants,
  kDoubles,
  kRound
};
inline constexpr std::size_t kHooks = static_cast<std::size_t>(Hook::kRound) + 1;

// A bit for each hook.
using Hooks = std::uint32_t;
constexpr Hooks Bit(Hook hook) { return Hooks{1} << static_cast<unsigned>(hook); }

class Part {
 public:
  virtual ~Part() = default;
  virtual std::unique_ptr<Part> Clone() const = 0;
  // Bytes beyond the part itself.
  virtual std::size_t MemoryUsed() const { return 0; }

  // Before the first tile lies, and once those lie that do so from the start.
  virtual void SetTable(Position&) {}
  virtual void SetUp(const Position&) {}

  // Whether a turn that does more than lay a tile and deploy a follower is legal:
  // before its tile is looked at, and for what it does besides.
  virtual std::optional<Refusal> CheckBefore(const GameView&, const Turn&) const { return {}; }
  virtual std::optional<Refusal> CheckActions(const GameView&, const Turn&) const { return {}; }
  // Whether it may still refuse this turn once the tile lies.
  virtual bool RefusesLater(const Turn&) const { return false; }

  // A turn, in this order; a tile that is set aside only begins and is taken back.
  virtual void Begin(Position&, const Turn&) {}
  // A tile lies, also one of the start.
  virtual void Laid(Position&) {}
  virtual std::optional<Refusal> Act(const Playing&) { return {}; }
  virtual std::optional<Refusal> BeforeScoring(const Playing&, const Position::Completed&) {
    return {};
  }
  virtual std::optional<Refusal> AfterScoring(const Playing&, const Position::Completed&) {
    return {};
  }
  virtual bool GivesExtraTurn(const Position&, const Turn&) const { return false; }
  // The own state back to what it was before this turn, whose points and figures are
  // taken back already while its tile still lies.
  virtual void Undo(Position&, const Turn&) {}

  // Where tiles of a type may lie. LayingFault and DeployingFault are asked only for types
  // that some part limits, which is the same for the whole game.
  virtual bool Limits(const CompiledTile&) const { return false; }
  virtual Fault LayingFault(const Position&, int /*tile*/, const Placement&) const { return {}; }
  // The same for people: with the cells and places that show why.
  virtual Refusal Explain(const Position&, const Turn& turn, const Fault& fault) const {
    return {fault.code, fault.text, {turn.cell}};
  }
  // Why nobody may be deployed on a tile that is laid there.
  virtual Fault DeployingFault(const Position&, int /*tile*/, const Placement&) const { return {}; }

  // Its neutral figure: where it stands (an Ark on segment 0), and whether a turn with
  // this tile may have to say where it goes.
  virtual std::optional<Place> Standing(const Position&, FigureKind) const { return {}; }
  virtual bool MayMove(const Position&, FigureKind, int /*tile*/) const { return false; }
  // Where it must go, the tile just laid having completed these; empty: it stays.
  virtual std::vector<Place> Targets(const Position&, const Position::Completed&) const {
    return {};
  }

  // Scoring. Whether it says what such features are worth, and what.
  virtual bool Values(SegmentKind) const { return false; }
  virtual Worth WorthOf(const GameView&, int /*root*/, bool /*complete*/) const { return {}; }
  // Changes what a feature is worth by all else.
  virtual void Adjust(const Position&, int /*root*/, bool /*complete*/, Worth*) const {}
  // What a farm pays this player more for each completed city.
  virtual int MoreForCity(const Position&, int /*field*/, int /*player*/) const { return 0; }
  // Tiles of a feature that count for nothing.
  virtual int TilesNotCounted(const Position&, int /*root*/) const { return 0; }
  // Figures by player, one byte each, that decide who scores; empty: those on it.
  virtual std::optional<std::uint64_t> Claimants(const Position&, int /*root*/) const { return {}; }
  // Whether a completed feature pays this player twice.
  virtual bool Doubles(const Position&, int /*root*/, int /*player*/) const { return false; }
  // Completed features score in rounds 0 to 2: this kind's.
  virtual int Round(const Rules&, SegmentKind) const { return 0; }
  // Features that score at the end whoever stands on them, before all others.
  virtual std::vector<int> UnfinishedAtTheEnd(const Position&) const { return {}; }
  // What else pays at the end, after all features.
  virtual void AddFinal(const Position&, std::vector<Position::Item>*) const {}
  // Tokens that this player has taken.
  virtual void CountTokens(const Position&, int /*player*/, GoodsTokens*) const {}
  // Puts the own items into words (kind, reason, cells); may reword others.
  virtual void Describe(const Position&, const Position::Item&, ScoreItem*) const {}

  // From 1, in the order of the rules; told by Parts.
  int number() const { return number_; }

 protected:
  Part() = default;
  Part(const Part&) = default;
  Part& operator=(const Part&) = default;

  // An item for a reason of its own, which Describe knows by the cause.
  template <typename Cause>
  Position::Item For(Cause cause, int node, int player, int points, int tiles,
                     int extras = 0) const {
    Position::Item item;
    item.node = node;
    item.points = static_cast<std::int16_t>(points);
    item.player = static_cast<std::int8_t>(player);
    item.cause = static_cast<std::uint8_t>(cause);
    item.part = number_;
    item.tiles = static_cast<std::uint16_t>(tiles);
    item.extras = static_cast<std::uint16_t>(extras);
    return item;
  }

 private:
  friend class Parts;
  template <typename Own>
  friend std::unique_ptr<Part> MakePart();

  std::uint8_t number_ = 0;
  Hooks hooks_ = 0;
};

// A part whose state is one small value, remembered before each turn.
template <typename Own, typename State>
class PartWithState : public Part {
 public:
  std::unique_ptr<Part> Clone() const override {
    return std::make_unique<Own>(static_cast<const Own&>(*this));
  }
  std::size_t MemoryUsed() const override { return before_.capacity() * sizeof(State); }
  void Begin(Position&, const Turn&) override { before_.push_back(state_); }
  void Undo(Position&, const Turn&) override {
    state_ = before_.back();
    before_.pop_back();
  }

 protected:
  State state_{};

 private:
  std::vector<State> before_;
};

// A part that remembers nothing.
template <typename Own>
class PartWithoutState : public Part {
 public:
  std::unique_ptr<Part> Clone() const override {
    return std::make_unique<Own>(static_cast<const Own&>(*this));
  }
};

// An entry of the list of parts.
struct PartEntry {
  std::string_view name;  // as people call it: "The River"
  // Whether these rules play with it. `found`: the board was found as it lies, and so
  // may hold what the rules do not allow.
  bool (*plays)(const TileSet& tiles, const Rules& rules, bool found) = nullptr;
  std::unique_ptr<Part> (*make)() = nullptr;
  // Why a turn is refused that asks for it in a game without it; null: no turn can.
  std::optional<Refusal> (*missing)(const Turn& turn) = nullptr;
};

template <typename Class, typename Member>
constexpr bool Overrides(Member Class::*) {
  return !std::is_same_v<Class, Part>;
}

// The hooks that a part overrides.
template <typename Own>
constexpr Hooks HooksOf() {
  constexpr std::pair<Hook, bool> kOverrides[] = {
      {Hook::kCheckBefore, Overrides(&Own::CheckBefore)},
      {Hook::kCheckActions, Overrides(&Own::CheckActions)},
      {Hook::kRefusesLater, Overrides(&Own::RefusesLater)},
      {Hook::kBegin, Overrides(&Own::Begin)},
      {Hook::kLaid, Overrides(&Own::Laid)},
      {Hook::kAct, Overrides(&Own::Act)},
      {Hook::kBeforeScoring, Overrides(&Own::BeforeScoring)},
      {Hook::kAfterScoring, Overrides(&Own::AfterScoring)},
      {Hook::kGivesExtraTurn, Overrides(&Own::GivesExtraTurn)},
      {Hook::kUndo, Overrides(&Own::Undo)},
      {Hook::kLimits, Overrides(&Own::Limits)},
      {Hook::kDeployingFault, Overrides(&Own::DeployingFault)},
      {Hook::kMayMove, Overrides(&Own::MayMove)},
      {Hook::kValues, Overrides(&Own::Values)},
      {Hook::kAdjust, Overrides(&Own::Adjust)},
      {Hook::kMoreForCity, Overrides(&Own::MoreForCity)},
      {Hook::kTilesNotCounted, Overrides(&Own::TilesNotCounted)},
      {Hook::kClaimants, Overrides(&Own::Claimants)},
      {Hook::kDoubles, Overrides(&Own::Doubles)},
      {Hook::kRound, Overrides(&Own::Round)},
  };
  Hooks known = 0, overridden = 0;
  for (const auto& [hook, own] : kOverrides) {
    known |= Bit(hook);
    if (own) overridden |= Bit(hook);
  }
  // A constant expression cannot throw: a hook without its line does not compile.
  if (known != (Hooks{1} << kHooks) - 1) throw "a hook has no line here";
  return overridden;
}

template <typename Own>
std::unique_ptr<Part> MakePart() {
  auto part = std::make_unique<Own>();
  constexpr Hooks kHooksOfPart = HooksOf<Own>();
  part->hooks_ = kHooksOfPart;
  return part;
}

// The parts that a game is played with, in the order of the rules. A value.
class Parts {
 public:
  Parts() = default;
  Parts(const Parts& other) { *this = other; }
  Parts& operator=(const Parts& other);
  Parts(Parts&&) = default;
  Parts& operator=(Parts&&) = default;

  void Add(std::unique_ptr<Part> part);
  // Once all are there: which types of these tiles any of them limits.
  void Learn(const TileSet& tiles);
  bool Limited(int tile) const {
    return limited_ != nullptr && (*limited_)[static_cast<std::size_t>(tile)];
  }
  bool empty() const { return parts_.empty(); }

  // Calls visit(part) for each, in the order of the rules.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const std::unique_ptr<Part>& part : parts_) visit(std::as_const(*part));
  }
  template <typename Visit>
  void Change(Visit visit) {
    for (const std::unique_ptr<Part>& part : parts_) visit(*part);
  }
  // The same for those that override the hook.
  template <Hook hook, typename Visit>
  void ForEach(Visit visit) const {
    if ((hooks_ & Bit(hook)) == 0) return;
    for (const std::unique_ptr<Part>& part : parts_) {
      if (part->hooks_ & Bit(hook)) visit(std::as_const(*part));
    }
  }
  template <Hook hook, typename Visit>
  void Change(Visit visit) {
    if ((hooks_ & Bit(hook)) == 0) return;
    for (const std::unique_ptr<Part>& part : parts_) {
      if (part->hooks_ & Bit(hook)) visit(*part);
    }
  }
  // The last part first.
  void Undo(Position& position, const Turn& turn) {
    if ((hooks_ & Bit(Hook::kUndo)) == 0) return;
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) (*part)->Undo(position, turn);
  }
  // What ask(part) gives for the first part with that hook that gives anything but nothing.
  template <Hook hook, typename Ask>
  auto First(Ask ask) const -> decltype(ask(std::declval<const Part&>())) {
    if ((hooks_ & Bit(hook)) == 0) return {};
    for (const std::unique_ptr<Part>& part : parts_) {
      if ((part->hooks_ & Bit(hook)) == 0) continue;
      if (auto answer = ask(std::as_const(*part))) return answer;
    }
    return {};
  }
  template <Hook hook, typename Ask>
  auto FirstChange(Ask ask) -> decltype(ask(std::declval<Part&>())) {
    if ((hooks_ & Bit(hook)) == 0) return {};
    for (const std::unique_ptr<Part>& part : parts_) {
      if ((part->hooks_ & Bit(hook)) == 0) continue;
      if (auto answer = ask(*part)) return answer;
    }
    return {};
  }
  // Why a tile of a type that they limit may not be laid there; `who`: which part says so.
  Fault LayingFault(const Position& position, int tile, const Placement& at,
                    const Part** who = nullptr) const {
    return First<Hook::kLimits>([&](const Part& part) {
      const Fault fault = part.LayingFault(position, tile, at);
      if (fault && who != nullptr) *who = &part;
      return fault;
    });
  }
  std::optional<Place> Standing(const Position& position, FigureKind kind) const {
    for (const std::unique_ptr<Part>& part : parts_) {
      if (auto place = part->Standing(position, kind)) return place;
    }
    return {};
  }
  std::size_t MemoryUsed() const;

 private:
  std::vector<std::unique_ptr<Part>> parts_;
  Hooks hooks_ = 0;  // of any of them
  // By type; null: they limit none.
  std::shared_ptr<const std::vector<bool>> limited_;
};

}  // namespace tilewarden::engine
