// The wooden figures of all boxes. Each kind is listed once, in figure_kind.cc:
// its word, who has how many, and what it may claim.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/game/fault.h"

namespace tilewarden::engine {

enum class SegmentKind : std::uint8_t;
struct Rules;

// Expansions that are not in this list number theirs from behind its last kind.
enum class FigureKind : std::uint8_t {
  kFollower,
  kAbbot,
  kProphet,
  kArk,
  kGingerbreadMan,
  kLargeFollower,
  kBuilder,
  kPig
};

// The numbers of all kinds are below this.
inline constexpr int kMostFigureKinds = 12;

struct FigureKindEntry {
  FigureKind kind = FigureKind::kFollower;
  // As sentences call it: "large follower"; the notation writes it without spaces.
  std::string_view word;
  // Belongs to nobody: it is moved, never deployed.
  bool neutral = false;
  // Is used once: it leaves the game instead of coming home.
  bool used_once = false;
  // How many each player begins with.
  int (*supply)(const Rules& rules) = nullptr;
  // The option that it plays by.
  std::string_view option;
  // Why it may not be put on such a segment, whoever stands there.
  Fault (*claims)(SegmentKind segment, const Rules& rules) = nullptr;
  // How many it counts for where the majority decides. 0: it claims nothing, and joins
  // a feature on which a figure of its owner stands that does.
  int strength = 1;
};

// In the order of their numbers.
std::span<const FigureKindEntry> AllFigureKinds();

// The word of a kind; empty: there is no such kind.
std::string_view WordOf(FigureKind kind);

// The option that a kind plays by; empty: there is no such kind.
std::string_view OptionOf(FigureKind kind);

// What a kind of the boxes counts for where the majority decides.
int StrengthOf(FigureKind kind);

// No figure of the boxes stands on the river, and on a temple only where the rules let
// a follower: for the claims of a kind.
Fault NoGround(SegmentKind segment, const Rules& rules);

}  // namespace tilewarden::engine
