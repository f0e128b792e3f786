// What people do before the first turn, in words.
#include "engine/game/figure_kind.h"
#include "engine/game/stack.h"
#include "engine/game/turn.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::string WhoBegins(FirstPlayer who) {
  switch (who) {
    case FirstPlayer::kYoungest:
      return "The youngest player begins.";
    case FirstPlayer::kYoungestDecides:
      return "The youngest player decides who begins.";
    case FirstPlayer::kLastRead:
      return "The player who last read a portion of the Bible begins.";
    case FirstPlayer::kFree:
      break;
  }
  return "Agree in any way on who begins; whoever lays the first tile does.";
}

void AddRiver(const TileSet& tiles, const Rules& rules, std::vector<std::string>* steps) {
  const int start = StartTile(tiles, rules);
  if (start < 0) {
    steps->push_back("All of the river's tiles are shuffled; the first one drawn begins.");
  } else if (start != tiles.start_tile()) {
    steps->push_back(
        rules.river_start == RiverStart::kLake ? "The lake begins, and the source is laid last."
        : rules.lakes_mixed                    ? "The fork begins, and the source is laid last."
                            : "The fork begins, and the source and the lakes are laid last.");
  } else {
    std::string step = tiles.more_start_tiles().empty() ? "The source" : "The double-sized source";
    step += " replaces the start tile";
    if (!rules.lakes_mixed) {
      step += tiles.last().size() > 1 && !rules.one_lake
                  ? "; the lakes are laid last, in random order"
                  : "; the lake is laid last";
    }
    steps->push_back(step + ".");
  }
  if (rules.one_lake) steps->push_back("Only one lake is in play.");
  if (rules.lakes_mixed) steps->push_back("The lakes are shuffled in with the river's tiles.");
  if (rules.river_in_two_stacks) {
    steps->push_back(
        "The river's tiles are two stacks: shuffle the fork into one and a second source into the "
        "other, and draw the one with the fork first.");
  } else if (tiles.second() >= 0 && start != tiles.second() && !rules.river_shuffled) {
    steps->push_back(rules.fork_by_youngest ? "The youngest player lays the fork first."
                                            : "The first player lays the fork first.");
  }
  if (rules.start_tile_mixed && tiles.replaced_start() >= 0) {
    steps->push_back("The start tile is shuffled in with the river's tiles.");
  }
  if (rules.several_sources && tiles.spare_source() >= 0) {
    steps->push_back("Both sources are in play; the second one is laid among the last tiles.");
  }
  if (!rules.river_meeples) steps->push_back("No meeples before the river is complete.");
  if (rules.river_to_middle) {
    steps->push_back("Once it is complete the river may be moved to the middle of the table.");
  }
}

// "a, b and c"
std::string ListInWords(const std::vector<std::string>& parts) {
  std::string out;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    out += i == 0 ? parts[i] : Text(i + 1 == parts.size() ? " and " : ", ", parts[i]);
  }
  return out;
}

// "7 followers, an abbot and a builder"
std::string FiguresToTake(const Rules& rules) {
  constexpr std::string_view kVowels = "aeiou";
  std::vector<std::string> figures;
  for (const FigureKindEntry& entry : AllFigureKinds()) {
    const int count = entry.supply(rules);
    if (count == 0) continue;
    if (count > 1) {
      figures.push_back(Text(count, " ", entry.word, "s"));
    } else {
      const bool vowel = kVowels.find(entry.word[0]) != std::string_view::npos;
      figures.push_back(Text(vowel ? "an " : "a ", entry.word));
    }
  }
  return ListInWords(figures);
}

// "9 wine, 6 grain and 5 cloth", a token for each that the tiles show; empty: they show none.
std::string TokensToLay(const TileSet& tiles) {
  GoodsTokens shown;
  for (std::size_t type = 0; type < tiles.types().size(); ++type) {
    for (const Segment& segment : tiles.types()[type].segments) {
      if (segment.goods != Goods::kNone) shown[segment.goods] += tiles.counts()[type];
    }
  }
  std::vector<std::string> kinds;
  for (const auto& [goods, count] : shown) kinds.push_back(Text(count, " ", ToString(goods)));
  return ListInWords(kinds);
}

}  // namespace

std::vector<std::string> SetUpSteps(const TileSet& tiles, const Rules& rules) {
  std::vector<std::string> steps = {WhoBegins(rules.first_player)};
  steps.push_back(Text("Each player takes ", FiguresToTake(rules), "."));
  if (tiles.types()[static_cast<std::size_t>(tiles.start_tile())].HasRiver()) {
    AddRiver(tiles, rules, &steps);
  } else if (StartTile(tiles, rules) < 0) {
    steps.push_back("The start tile goes into the bag; the first tile drawn begins.");
  } else {
    steps.push_back("The start tile lies in the middle of the table.");
  }
  if (rules.gingerbread) steps.push_back("The Gingerbread Man stands in the start tile's city.");
  if (const std::string tokens = TokensToLay(tiles); rules.goods && !tokens.empty()) {
    steps.push_back(Text("The goods tokens lie beside the board: ", tokens, "."));
  }
  if (rules.hand > 1) {
    steps.push_back(Text("Each player draws ", rules.hand,
                         " tiles, plays one of them and draws again at the end of the turn."));
  } else if (rules.draw_at_end) {
    steps.push_back("Each player draws a tile, and the next one at the end of the turn.");
  }
  if (rules.area) {
    const PlayingArea& area = *rules.area;
    steps.push_back(Text("The table ends ", -area.west, " tiles west, ", -area.north, " north, ",
                         area.east, " east and ", area.south, " south of the first tile",
                         rules.table_edge_completes ? "; its edge completes features." : "."));
    if (rules.board_shift == BoardShift::kAllowed) {
      steps.push_back("All tiles may be shifted together when the board reaches the edge.");
    } else if (rules.board_shift == BoardShift::kSecondTable) {
      steps.push_back("A second table may be put beside the first.");
    }
  }
  if (rules.tile_buying) {
    steps.push_back("The one tile that can complete a feature may be bought for points.");
  }
  if (rules.hole_extra_turn) steps.push_back("Whoever fills a hole takes another turn.");
  return steps;
}

}  // namespace tilewarden::engine
