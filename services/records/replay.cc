#include "services/records/replay.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdio>
#include <map>
#include <set>

#include "engine/game/odds.h"
#include "engine/tiles/text.h"
#include "engine/tiles/tile_layout.h"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::Game;
using engine::SegmentKind;
using engine::Text;

constexpr int kWide = 7, kHigh = 3;  // letters of a tile

std::string Where(Cell cell) { return Text("(", cell.x, ", ", cell.y, ")"); }

std::string WhereAll(const std::vector<Cell>& cells) {
  std::string out;
  for (const Cell& cell : cells) {
    if (!out.empty()) out += ' ';
    out += Where(cell);
  }
  return out;
}

std::string Padded(std::string text, std::size_t width) {
  if (text.size() < width) text.append(width - text.size(), ' ');
  return text;
}

std::string Percent(double chance) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * chance);
  return text.data();
}

std::string Signed(int points) { return Text(points < 0 ? "" : "+", points); }

const engine::TileType& TypeOf(const Game& game, int tile) {
  return game.tile_set().types()[static_cast<std::size_t>(tile)];
}

const engine::Segment& SegmentAt(const Game& game, Cell cell, int segment) {
  return TypeOf(game, game.TileAt(cell)->tile).segments[static_cast<std::size_t>(segment)];
}

std::string Colour(const Game& game, int player) {
  return player < 0 ? "somebody" : game.players()[static_cast<std::size_t>(player)].colour;
}

std::string ItemLine(const Game& game, const engine::ScoreItem& item) {
  return Text(Padded(Signed(item.points), 4), " ", Padded(Colour(game, item.player), 8),
              item.reason, "  [", WhereAll(item.cells), "]");
}

// A letter for each player, the first of the colour that nobody has yet.
std::vector<char> Letters(const Game& game) {
  std::vector<char> letters;
  std::set<char> taken;
  for (const engine::PlayerState& player : game.players()) {
    for (const char c : player.colour + "abcdefghijklmnopqrstuvwxyz") {
      const auto upper = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
      if (std::isalpha(static_cast<unsigned char>(c)) == 0 || !taken.insert(upper).second) continue;
      letters.push_back(upper);
      break;
    }
  }
  return letters;
}

char Mark(SegmentKind kind) {
  switch (kind) {
    case SegmentKind::kCity:
      return '#';
    case SegmentKind::kRoad:
      return '=';
    case SegmentKind::kField:
      return '.';
    case SegmentKind::kRiver:
      return '~';
    case SegmentKind::kMonastery:
      return '+';
    case SegmentKind::kGarden:
      return '*';
    case SegmentKind::kTemple:
      return '^';
  }
  return ' ';
}

// What a letter's part of a tile shows: a narrow road or river that crosses it,
// else what covers most of it.
char LetterOf(const engine::TileType& type, const engine::TileLayout& layout, int rotation,
              int column, int row) {
  constexpr int kSamples = 6;
  std::map<char, int> counts;
  for (int i = 0; i < kSamples * kSamples; ++i) {
    const engine::Point lying = {(column + (i % kSamples + 0.5) / kSamples) / kWide,
                                 (row + (i / kSamples + 0.5) / kSamples) / kHigh};
    const int segment = layout.SegmentAt(engine::RotatedPoint(lying, 4 - rotation));
    ++counts[Mark(type.segments[static_cast<std::size_t>(segment)].kind)];
  }
  for (const char narrow : {'+', '^', '*', '=', '~'}) {
    if (counts[narrow] >= kSamples) return narrow;
  }
  return std::max_element(counts.begin(), counts.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace

std::vector<std::string> DescribeTurn(const Game& after, const engine::Turn& turn,
                                      const engine::Outcome& outcome) {
  std::vector<std::string> lines;
  std::string line =
      Text(Padded(Text(after.turns().size()), 3), " ", Padded(Colour(after, turn.player), 8));
  if (turn.set_aside) {
    return {line + Text(TypeOf(after, turn.tile).id, " fits nowhere and is set aside")};
  }
  if (turn.table) {
    line += Text("moves the table to ", turn.table->west, ",", turn.table->north, ",",
                 turn.table->east, ",", turn.table->south, "; ");
  }
  line += Text(TypeOf(after, turn.tile).id, " at ", Where(turn.cell), " r", turn.rotation);
  if (turn.deployment) {
    const int segment = turn.deployment->segment;
    line += Text(", ", engine::WordOf(turn.deployment->kind), " on the ",
                 engine::ToString(SegmentAt(after, turn.cell, segment).kind), " ", segment);
  }
  if (turn.recall) line += Text(", abbot home from ", Where(*turn.recall));
  if (!turn.ark_path.empty()) line += Text(", Ark over ", WhereAll(turn.ark_path));
  if (turn.ark_landing) line += Text(", the Ark enters at ", Where(*turn.ark_landing));
  for (const engine::Place& place : turn.gingerbread) {
    line += Text(", the Gingerbread Man goes to ", Where(place.cell));
  }
  lines.push_back(line);
  for (const engine::ScoreItem& item : outcome.items) {
    lines.push_back(Text("      ", ItemLine(after, item)));
  }
  for (const engine::PlacedFigure& figure : outcome.returned) {
    lines.push_back(Text("           ", Padded(Colour(after, figure.player), 8), "takes a ",
                         engine::WordOf(figure.kind), " home from ", Where(figure.cell)));
  }
  if (outcome.extra_turn) lines.push_back("           and has another turn");
  return lines;
}

std::vector<std::string> DrawBoard(const Game& game) {
  if (game.PlacedTiles().empty()) return {"no tile lies yet"};
  Cell low = game.PlacedTiles()[0].cell, high = low;
  for (const engine::PlacedTile& tile : game.PlacedTiles()) {
    low = {std::min(low.x, tile.cell.x), std::min(low.y, tile.cell.y)};
    high = {std::max(high.x, tile.cell.x), std::max(high.y, tile.cell.y)};
  }
  const auto line_of = [&](Cell cell, int row) {
    return static_cast<std::size_t>((cell.y - low.y) * kHigh + row);
  };
  const auto column_of = [&](Cell cell, int column) {
    return static_cast<std::size_t>((cell.x - low.x) * kWide + column);
  };
  std::vector<std::string> board(static_cast<std::size_t>((high.y - low.y + 1) * kHigh),
                                 std::string(column_of(high, kWide), ' '));
  std::map<int, engine::TileLayout> layouts;
  for (const engine::PlacedTile& tile : game.PlacedTiles()) {
    const engine::TileType& type = TypeOf(game, tile.tile);
    if (!layouts.count(tile.tile)) layouts.emplace(tile.tile, engine::LayOut(type));
    for (int row = 0; row < kHigh; ++row) {
      for (int column = 0; column < kWide; ++column) {
        board[line_of(tile.cell, row)][column_of(tile.cell, column)] =
            LetterOf(type, layouts.at(tile.tile), tile.rotation, column, row);
      }
    }
  }
  const std::vector<char> letters = Letters(game);
  const auto put = [&](Cell cell, int segment, char letter) {
    const engine::PlacedTile& tile = *game.TileAt(cell);
    const engine::Point spot = engine::RotatedPoint(
        layouts.at(tile.tile).segments[static_cast<std::size_t>(segment)].spot, tile.rotation);
    const int row = std::clamp(static_cast<int>(spot.y * kHigh), 0, kHigh - 1);
    const int column = std::clamp(static_cast<int>(spot.x * kWide), 0, kWide - 1);
    board[line_of(cell, row)][column_of(cell, column)] = letter;
  };
  for (const engine::PlacedFigure& figure : game.Figures()) {
    const char letter = letters[static_cast<std::size_t>(figure.player)];
    const bool lies = SegmentAt(game, figure.cell, figure.segment).kind == SegmentKind::kField;
    put(figure.cell, figure.segment, lies ? static_cast<char>(std::tolower(letter)) : letter);
  }
  if (const auto he = game.gingerbread_man()) put(he->cell, he->segment, '!');
  if (game.ark()) put(*game.ark(), 0, '&');

  std::vector<std::string> out = {"     "};
  for (int x = low.x; x <= high.x; ++x) {
    const std::string name = Text(x);
    out[0] += Padded(std::string((kWide - name.size()) / 2, ' ') + name, kWide);
  }
  for (std::size_t i = 0; i < board.size(); ++i) {
    const bool middle = i % kHigh == 1;
    const std::string name = middle ? Text(low.y + static_cast<int>(i) / kHigh) : "";
    out.push_back(Padded(std::string(4 - std::min<std::size_t>(4, name.size()), ' ') + name, 5) +
                  board[i]);
  }
  std::string legend = "# city  = road  . field  + monastery";
  if (std::any_of(board.begin(), board.end(),
                  [](const std::string& line) { return line.find('~') != std::string::npos; })) {
    legend += "  ~ river";
  }
  if (game.rules().abbot) legend += "  * garden";
  if (game.rules().ark != engine::ArkEdition::kNone) legend += "  ^ temple  & Ark";
  if (game.rules().gingerbread) legend += "  ! Gingerbread Man";
  for (std::size_t i = 0; i < letters.size(); ++i) {
    legend += Text("  ", std::string(1, letters[i]), " ", game.players()[i].colour);
  }
  out.push_back(legend + " (small letters lie)");
  return out;
}

std::vector<std::string> ScoreSheet(const Game& game) {
  std::vector<std::string> out;
  const std::vector<engine::ScoreItem> scored = game.score_items(), live = game.ScoreIfEndedNow();
  for (std::size_t i = 0; i < game.players().size(); ++i) {
    const engine::PlayerState& player = game.players()[i];
    const auto own = [&](const engine::ScoreItem& item) {
      return static_cast<std::size_t>(item.player) == i;
    };
    int total = player.score;
    for (const engine::ScoreItem& item : live) total += own(item) ? item.points : 0;
    out.push_back(Text(Padded(player.colour, 9), player.score, " points, ", total,
                       " if the game ended now; at home: ", player.followers(), " followers",
                       player.abbots() > 0 ? ", the abbot" : "",
                       player.prophets() > 0 ? ", the prophet" : ""));
    for (const engine::ScoreItem& item : scored) {
      if (!own(item)) continue;
      out.push_back(Text("  ", Padded(Signed(item.points), 4), " ",
                         Padded(Text("turn ", item.turn), 9), item.reason, "  [",
                         WhereAll(item.cells), "]"));
    }
    for (const engine::ScoreItem& item : live) {
      if (!own(item)) continue;
      out.push_back(Text("  ", Padded(Signed(item.points), 4), " at the end ", item.reason, "  [",
                         WhereAll(item.cells), "]"));
    }
  }
  return out;
}

std::vector<std::string> DescribeFeatures(const Game& game) {
  std::vector<std::string> out;
  const int players = std::max<int>(1, static_cast<int>(game.players().size()));
  for (const auto& [cell, segment] : game.AllFeatures()) {
    const Game::Feature feature = game.FeatureAt(cell, segment);
    const bool field = feature.kind == SegmentKind::kField;
    if (feature.complete || feature.kind == SegmentKind::kRiver) continue;
    if (field && feature.figures.empty()) continue;
    std::string owners;
    for (const int player : feature.owners) {
      owners += Text(owners.empty() ? "" : " and ", Colour(game, player));
    }
    out.push_back(Text(engine::ToString(feature.kind), " at ", Where(cell), " segment ", segment,
                       ": ", feature.cells.size(), " tiles, ", feature.open_edges, " open, worth ",
                       feature.worth_now, " now and ", field ? "" : "at least ",
                       feature.worth_complete, field ? "" : " when complete", ", ",
                       owners.empty() ? "nobody's" : owners + "'s"));
    if (field) continue;
    for (const Cell& open : engine::OpenCellsOf(game, cell, segment)) {
      std::string tiles;
      for (const engine::FittingTile& fitting : engine::TilesThatFit(game, open)) {
        tiles += Text(tiles.empty() ? "" : ", ", TypeOf(game, fitting.tile).id, " x", fitting.left);
      }
      if (tiles.empty()) {
        out.push_back(Text("    ", Where(open), " no tile left fits"));
        continue;
      }
      out.push_back(Text("    ", Where(open), " next draw ",
                         Percent(engine::ChanceToFill(game, open, 1)), ", in ", players, " draws ",
                         Percent(engine::ChanceToFill(game, open, players)), ": ", tiles));
    }
  }
  return out;
}

std::vector<std::string> DescribeTilesLeft(const Game& game) {
  int total = 0;
  std::string list, nowhere;
  for (int tile = 0; tile < static_cast<int>(game.tile_set().types().size()); ++tile) {
    const int left = game.TilesLeft(tile);
    if (left <= 0) continue;
    total += left;
    list += Text(list.empty() ? "" : ", ", TypeOf(game, tile).id, " x", left);
    if (game.LegalPlacements(tile).empty()) {
      nowhere += Text(nowhere.empty() ? "" : ", ", TypeOf(game, tile).id);
    }
  }
  std::vector<std::string> out = {Text(total, " tiles left", list.empty() ? "" : ": ", list)};
  if (!nowhere.empty()) out.push_back("of these, nowhere fit: " + nowhere);
  if (game.IsOver()) out.push_back("the game is over");
  return out;
}

std::vector<std::string> DescribeFit(const Game& game, int tile) {
  const std::string& id = TypeOf(game, tile).id;
  const std::vector<engine::Placement> legal = game.LegalPlacements(tile);
  std::vector<std::string> out;
  if (!legal.empty()) {
    out.push_back(Text(id, " can be laid in ", legal.size(), " ways:"));
    for (const engine::Placement& at : legal) {
      out.push_back(Text("    ", Where(at.cell), " r", at.rotation));
    }
    return out;
  }
  const std::vector<engine::Misfit> proof = engine::ProofThatNothingFits(game, tile);
  out.push_back(Text(id, " fits nowhere; every cell and turn, and what is in the way:"));
  for (const engine::Misfit& misfit : proof) {
    out.push_back(Text("    ", Where(misfit.at.cell), " r", misfit.at.rotation, " ",
                       misfit.why.code, ": ", misfit.why.text));
  }
  return out;
}

std::string DescribeRefusal(const engine::Refusal& refusal) {
  std::string out = Text(refusal.code, ": ", refusal.text);
  if (!refusal.cells.empty()) out += Text(" Cells: ", WhereAll(refusal.cells), ".");
  if (!refusal.places.empty()) {
    out += " Segments:";
    for (const engine::Place& place : refusal.places) {
      out += Text(" ", Where(place.cell), ".", place.segment);
    }
    out += ".";
  }
  return out;
}

std::vector<std::string> DescribeRules(const engine::Rules& rules) {
  std::vector<std::string> out;
  const auto values = rules.ToMap(), defaults = engine::Rules().ToMap();
  for (const engine::Rules::Option& option : engine::Rules::Options()) {
    const std::string& value = values.at(option.name);
    out.push_back(Text(value == defaults.at(option.name) ? "  " : "* ",
                       Padded(Text(option.name, " = ", value), 36), option.text, " (",
                       option.values, ")"));
  }
  return out;
}

}  // namespace tilewarden::services
