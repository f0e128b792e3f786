// The board of a replay, drawn in letters.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/tiles/text.h"
#include "engine/tiles/tile_layout.h"
#include "services/records/replay.h"
#include "services/records/replay_text.h"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::Game;
using engine::SegmentKind;
using engine::Text;

constexpr int kWide = 7, kHigh = 3;  // letters of a tile

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

}  // namespace tilewarden::services
