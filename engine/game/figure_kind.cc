#include "engine/game/figure_kind.h"

#include <array>

#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::engine {
namespace {

int None(const Rules&) { return 0; }
int Followers(const Rules& rules) { return rules.followers; }
int Abbots(const Rules& rules) { return rules.abbot ? 1 : 0; }
int LargeFollowers(const Rules& rules) { return rules.large_followers; }
int Builders(const Rules& rules) { return rules.builders; }
int Pigs(const Rules& rules) { return rules.pigs; }
int Prophets(const Rules& rules) { return rules.ark == ArkEdition::kNone ? 0 : 1; }

Fault NoFarmers() {
  return {"farmers-off", "This game is played without farmers (option farmers)."};
}

Fault FollowerClaims(SegmentKind segment, const Rules& rules) {
  if (const Fault fault = NoGround(segment, rules)) return fault;
  if (segment == SegmentKind::kGarden) {
    return {"garden-needs-abbot", "Only an abbot may stand in a garden (The Abbot)."};
  }
  if (segment == SegmentKind::kField && !rules.farmers) {
    return NoFarmers();
  }
  return {};
}

Fault BuilderClaims(SegmentKind segment, const Rules& rules) {
  if (const Fault fault = NoGround(segment, rules)) return fault;
  if (segment == SegmentKind::kCity || segment == SegmentKind::kRoad) return {};
  return {"builder-wrong-feature",
          "A builder may only stand on a road or in a city (The builder)."};
}

Fault PigClaims(SegmentKind segment, const Rules& rules) {
  if (const Fault fault = NoGround(segment, rules)) return fault;
  if (segment != SegmentKind::kField) {
    return {"pig-wrong-feature", "A pig may only stand in a field (The pig)."};
  }
  return rules.farmers ? Fault{} : NoFarmers();
}

Fault AbbotClaims(SegmentKind segment, const Rules& rules) {
  if (const Fault fault = NoGround(segment, rules)) return fault;
  if (segment == SegmentKind::kMonastery || segment == SegmentKind::kGarden) return {};
  return {"abbot-wrong-feature", "An abbot may only stand in a monastery or a garden (The Abbot)."};
}

Fault ProphetClaims(SegmentKind segment, const Rules& rules) {
  if (const Fault fault = NoGround(segment, rules)) return fault;
  if (segment == SegmentKind::kCity) return {};
  return {"prophet-only-in-city", "A prophet may only stand in a city (Prophets)."};
}

Fault NobodysClaims(SegmentKind segment, const Rules& rules) {
  if (const Fault fault = NoGround(segment, rules)) return fault;
  return {"no-such-figure", "That figure belongs to nobody, so nobody can deploy it."};
}

constexpr std::array<FigureKindEntry, 8> kKinds = {{
    {FigureKind::kFollower, "follower", false, false, Followers, "followers", FollowerClaims},
    {FigureKind::kAbbot, "abbot", false, false, Abbots, "abbot", AbbotClaims},
    {FigureKind::kProphet, "prophet", false, true, Prophets, "ark", ProphetClaims},
    {FigureKind::kArk, "Ark", true, false, None, "ark", NobodysClaims},
    {FigureKind::kGingerbreadMan, "Gingerbread Man", true, false, None, "gingerbread",
     NobodysClaims},
    {FigureKind::kLargeFollower, "large follower", false, false, LargeFollowers, "large_followers",
     FollowerClaims, 2},
    {FigureKind::kBuilder, "builder", false, false, Builders, "builders", BuilderClaims, 0},
    {FigureKind::kPig, "pig", false, false, Pigs, "pigs", PigClaims, 0},
}};

}  // namespace

std::span<const FigureKindEntry> AllFigureKinds() { return kKinds; }

std::string_view WordOf(FigureKind kind) {
  for (const FigureKindEntry& entry : kKinds) {
    if (entry.kind == kind) return entry.word;
  }
  return "";
}

std::string_view OptionOf(FigureKind kind) {
  for (const FigureKindEntry& entry : kKinds) {
    if (entry.kind == kind) return entry.option;
  }
  return "";
}

int StrengthOf(FigureKind kind) {
  for (const FigureKindEntry& entry : kKinds) {
    if (entry.kind == kind) return entry.strength;
  }
  return 0;
}

Fault NoGround(SegmentKind segment, const Rules& rules) {
  if (segment == SegmentKind::kRiver) {
    return {"not-a-segment", "No figure may stand on the river (The River, placing a meeple)."};
  }
  if (segment == SegmentKind::kTemple && !rules.ark_to_temples) {
    return {"no-follower-on-temple",
            "A follower may not be placed on a temple (Placing followers)."};
  }
  return {};
}

}  // namespace tilewarden::engine
