#include "engine/notation/notation.h"

#include <algorithm>

#include "engine/game/box_rules.h"
#include "engine/notation/notation_words.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

bool Plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+';
}

std::string Escaped(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (Plain(c)) {
      out += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out += '%';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

std::string FigureWord(FigureKind kind) {
  std::string word(WordOf(kind));
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

namespace {

std::string Print(Cell cell) { return Text(cell.x, ",", cell.y); }

std::string PrintLaid(const GameRecord& record, const Turn& turn) {
  return Text(record.tiles->types()[static_cast<std::size_t>(turn.tile)].id, " ", Print(turn.cell),
              " r", turn.rotation);
}

std::string PrintFigure(const Turn& turn) {
  if (!turn.deployment) return "";
  return Text(" ", FigureWord(turn.deployment->kind), " ", turn.deployment->segment);
}

std::string PrintFound(const GameRecord& record, const Turn& found) {
  std::string out = Text("found ", PrintLaid(record, found));
  if (!found.deployment) return out;
  const std::string& colour = record.colours[static_cast<std::size_t>(found.player)];
  return out + Text(" ", Escaped(colour), PrintFigure(found));
}

std::string PrintTurn(const GameRecord& record, const Turn& turn, std::size_t number) {
  const std::string player =
      turn.player < 0 ? "-" : Escaped(record.colours[static_cast<std::size_t>(turn.player)]);
  std::string out = Text(number, " ", player, " ");
  if (turn.set_aside) {
    return out + Text(record.tiles->types()[static_cast<std::size_t>(turn.tile)].id, " aside");
  }
  out += PrintLaid(record, turn);
  if (turn.table) {
    out += Text(" table ", turn.table->west, ",", turn.table->north, ",", turn.table->east, ",",
                turn.table->south);
  }
  if (turn.purchase) {
    const auto seller = static_cast<std::size_t>(turn.purchase->seller);
    out += Text(" bought ", Escaped(record.colours[seller]), " ", turn.purchase->points);
  }
  out += PrintFigure(turn);
  if (turn.recall) out += Text(" recall ", Print(*turn.recall));
  if (!turn.ark_path.empty()) out += " ark";
  for (const Cell& cell : turn.ark_path) out += Text(" ", Print(cell));
  if (turn.ark_landing) out += Text(" lands ", Print(*turn.ark_landing));
  if (!turn.gingerbread.empty()) out += " gingerbread";
  for (const Place& place : turn.gingerbread) {
    out += Text(" ", Print(place.cell), ".", place.segment);
  }
  return out;
}

}  // namespace

std::string PrintNotation(const GameRecord& record) {
  std::string out = Text(kFirstLine, "\nset ", record.tiles->id(), "\n");
  // Only what differs from the defaults; "ark" sets others, so those follow it.
  Rules rules = WithFiguresOfBox(Rules{}, *record.tiles);
  const std::map<std::string, std::string> wanted = record.rules.ToMap();
  for (const auto& [name, value] : wanted) {
    if (rules.ToMap()[name] == value || !rules.Set(name, value).ok()) continue;
    out += Text("option ", name, " ", value, "\n");
  }
  for (const std::string& colour : record.colours) out += Text("player ", Escaped(colour), "\n");
  if (record.found.empty()) out += Text("start ", record.start_rotation, "\n");
  for (const Turn& found : record.found) out += PrintFound(record, found) + "\n";
  std::size_t comment = 0;
  const auto print_comments = [&](std::size_t turns) {
    for (; comment < record.comments.size() && record.comments[comment].first == turns; ++comment) {
      for (const std::string& text : SplitText(record.comments[comment].second, '\n')) {
        out += text.empty() ? "#\n" : Text("# ", text, "\n");
      }
    }
  };
  print_comments(0);
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    out += PrintTurn(record, record.turns[i], i + 1) + "\n";
    print_comments(i + 1);
  }
  return out;
}

Game Begin(const GameRecord& record) {
  if (record.found.empty()) {
    return Game(record.tiles, record.rules, record.colours, record.start_rotation);
  }
  return Game::AsFound(record.tiles, record.rules, record.colours, record.found);
}

absl::StatusOr<Game> Replay(const GameRecord& record) {
  Game game = Begin(record);
  for (std::size_t i = 0; i < record.turns.size(); ++i) {
    Refusal refusal;
    if (!game.Apply(record.turns[i], &refusal)) {
      return absl::InvalidArgumentError(
          Text("turn ", i + 1, " is not legal: ", refusal.code, ": ", refusal.text));
    }
  }
  return game;
}

GameRecord RecordOf(const Game& game) {
  GameRecord record;
  record.tiles = game.shared_tile_set();
  record.rules = game.rules();
  for (const PlayerState& player : game.players()) record.colours.push_back(player.colour);
  record.found = game.Found();
  const std::vector<PlacedTile>& laid = game.PlacedTiles();
  record.start_rotation =
      !record.found.empty() || laid.empty() || laid[0].turn > 0 ? 0 : laid[0].rotation;
  record.turns = game.turns();
  return record;
}

}  // namespace tilewarden::engine
