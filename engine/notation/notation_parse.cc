#include <charconv>
#include <optional>

#include "engine/game/box_rules.h"
#include "engine/notation/notation.h"
#include "engine/notation/notation_words.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {
namespace {

std::optional<std::string> Unescaped(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (Plain(word[i])) {
      out += word[i];
      continue;
    }
    unsigned byte = 0;
    if (word[i] != '%' || i + 2 >= word.size()) return std::nullopt;
    const auto [end, error] = std::from_chars(&word[i + 1], &word[i + 1] + 2, byte, 16);
    if (error != std::errc() || end != &word[i + 1] + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  // Only as it would be printed.
  if (out.empty() || Escaped(out) != word) return std::nullopt;
  return out;
}

std::optional<int> ParseNumber(std::string_view word) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  if (Text(value) != word) return std::nullopt;
  return value;
}

std::optional<Cell> ParseCell(std::string_view word) {
  const std::size_t comma = word.find(',');
  if (comma == std::string_view::npos) return std::nullopt;
  const auto x = ParseNumber(word.substr(0, comma)), y = ParseNumber(word.substr(comma + 1));
  if (!x || !y) return std::nullopt;
  return Cell{*x, *y};
}

std::optional<Place> ParsePlace(std::string_view word) {
  const std::size_t dot = word.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto cell = ParseCell(word.substr(0, dot));
  const auto segment = ParseNumber(word.substr(dot + 1));
  if (!cell || !segment) return std::nullopt;
  return Place{*cell, *segment};
}

std::optional<PlayingArea> ParseArea(std::string_view word) {
  const std::vector<std::string> parts = SplitText(word, ',');
  if (parts.size() != 4) return std::nullopt;
  const auto west = ParseNumber(parts[0]), north = ParseNumber(parts[1]);
  const auto east = ParseNumber(parts[2]), south = ParseNumber(parts[3]);
  if (!west || !north || !east || !south || *west > *east || *north > *south) return std::nullopt;
  return PlayingArea{*west, *north, *east, *south};
}

class Parser {
 public:
  explicit Parser(const TileSetLoader& load) : load_(load) {}

  absl::StatusOr<GameRecord> Parse(std::string_view text) {
    if (text.empty() || text.back() != '\n') {
      return absl::InvalidArgumentError("the text must end with a line break");
    }
    const std::vector<std::string> lines = SplitText(text.substr(0, text.size() - 1), '\n');
    for (const std::string& line : lines) {
      ++line_;
      if (absl::Status status = ParseLine(line); !status.ok()) return status;
    }
    if (record_.tiles == nullptr || !started_) return Fail("the header ends with \"start\"");
    return std::move(record_);
  }

 private:
  // What was expected on this line, and the word that is there instead.
  absl::Status Fail(std::string_view expected) const {
    return absl::InvalidArgumentError(Text("line ", line_, ": ", expected));
  }
  absl::Status Fail(std::string_view expected, std::string_view found) const {
    return Fail(Text(expected, ", not \"", found, "\""));
  }
  absl::Status FailAt(std::string_view expected, const std::vector<std::string>& words,
                      std::size_t at) const {
    return at < words.size() ? Fail(expected, words[at]) : Fail(Text(expected, " at its end"));
  }

  absl::Status ParseLine(const std::string& line) {
    if (line_ == 1) {
      return line == kFirstLine ? absl::OkStatus() : Fail("expected \"tilewarden 1\"", line);
    }
    if (line == "#" || line.rfind("# ", 0) == 0) {
      if (!started_) return Fail("comments come after \"start\"");
      record_.comments.emplace_back(record_.turns.size(), line.size() > 2 ? line.substr(2) : "");
      return absl::OkStatus();
    }
    const std::vector<std::string> words = SplitText(line, ' ');
    const bool may_be_found =
        !started_ || (!record_.found.empty() && record_.turns.empty() && record_.comments.empty());
    if (words[0] == "found" && line_ > 2 && may_be_found) return ParseFound(words);
    if (started_) return ParseTurn(words);
    if (line_ == 2) {
      if (words.size() != 2 || words[0] != "set") {
        return Fail("expected \"set\" and its id", line);
      }
      absl::StatusOr<std::shared_ptr<const TileSet>> tiles = load_(words[1]);
      if (!tiles.ok()) return tiles.status();
      record_.tiles = *tiles;
      record_.rules = WithFiguresOfBox(record_.rules, **tiles);
      return absl::OkStatus();
    }
    if (words[0] == "option" && words.size() == 3 && record_.colours.empty()) {
      if (words[1] <= last_option_) {
        return Fail("options come once each, in order of their names", words[1]);
      }
      last_option_ = words[1];
      absl::Status status = record_.rules.Set(words[1], words[2]);
      return status.ok() ? status : Fail(std::string(status.message()));
    }
    if (words[0] == "player" && words.size() == 2) {
      const auto colour = Unescaped(words[1]);
      if (!colour) return Fail("expected a player's colour as one word", words[1]);
      for (const std::string& other : record_.colours) {
        if (other == *colour) return Fail("every player needs a colour of their own", words[1]);
      }
      if (record_.colours.size() == Game::kMaxPlayers) return Fail("at most six players can play");
      record_.colours.push_back(*colour);
      return absl::OkStatus();
    }
    if (words[0] == "start" && words.size() == 2) {
      const auto rotation = ParseNumber(words[1]);
      if (!rotation || *rotation < 0 || *rotation > 3) {
        return Fail("\"start\" takes 0 to 3", words[1]);
      }
      record_.start_rotation = *rotation;
      started_ = true;
      return absl::OkStatus();
    }
    return Fail("expected an option, a player or the start", line);
  }

  // Where and how a tile lies: the word at `at`, its cell and its rotation.
  absl::Status ParseLaid(const std::vector<std::string>& words, std::size_t at, Turn* turn) {
    const auto cell = at + 1 < words.size() ? ParseCell(words[at + 1]) : std::nullopt;
    if (!cell) return FailAt("expected the cell, as in 1,-2", words, at + 1);
    turn->cell = *cell;
    if (at + 2 >= words.size() || words[at + 2].size() != 2 || words[at + 2][0] != 'r' ||
        words[at + 2][1] < '0' || words[at + 2][1] > '3') {
      return FailAt("expected the rotation, r0 to r3", words, at + 2);
    }
    turn->rotation = words[at + 2][1] - '0';
    return absl::OkStatus();
  }

  absl::Status ParseFound(const std::vector<std::string>& words) {
    Turn turn;
    turn.player = -1;
    turn.tile = words.size() > 1 ? record_.tiles->Find(words[1]) : -1;
    if (turn.tile < 0) return FailAt("expected a tile of the set", words, 1);
    if (absl::Status status = ParseLaid(words, 1, &turn); !status.ok()) return status;
    if (words.size() > 4) {
      turn.player = PlayerNamed(words[4]);
      if (turn.player < 0) return Fail(Text("no player \"", words[4], "\""));
      at_ = 5;
      if (absl::Status status = ParseFigure(words, &turn); !status.ok()) return status;
      if (!turn.deployment) return FailAt("expected the figure", words, 5);
      if (at_ != words.size()) return Fail(Text("did not expect \"", words[at_], "\" here"));
    }
    record_.found.push_back(std::move(turn));
    const std::string fault = FaultInFound(*record_.tiles, record_.colours.size(), record_.found);
    started_ = true;
    return fault.empty() ? absl::OkStatus() : Fail(fault);
  }

  absl::Status ParseTurn(const std::vector<std::string>& words) {
    Turn turn;
    const std::size_t number = record_.turns.size() + 1;
    if (words[0] != Text(number)) return Fail(Text("expected turn number ", number), words[0]);
    if (words.size() < 4) {
      return Fail("expected a turn: number, player, tile, cell and rotation", JoinText(words, " "));
    }
    turn.player = -1;
    if (words[1] != "-") {
      turn.player = PlayerNamed(words[1]);
      if (turn.player < 0) return Fail(Text("no player \"", words[1], "\""));
    }
    turn.tile = record_.tiles->Find(words[2]);
    if (turn.tile < 0) return Fail(Text("the set has no tile \"", words[2], "\""));
    if (words[3] == "aside" && words.size() == 4) {
      turn.set_aside = true;
      record_.turns.push_back(turn);
      return absl::OkStatus();
    }
    if (absl::Status status = ParseLaid(words, 2, &turn); !status.ok()) return status;
    at_ = 5;
    if (absl::Status status = ParseActions(words, &turn); !status.ok()) return status;
    if (at_ != words.size()) return Fail(Text("did not expect \"", words[at_], "\" here"));
    record_.turns.push_back(std::move(turn));
    return absl::OkStatus();
  }

  int PlayerNamed(std::string_view word) const {
    const auto colour = Unescaped(word);
    for (std::size_t i = 0; i < record_.colours.size(); ++i) {
      if (colour == record_.colours[i]) return static_cast<int>(i);
    }
    return -1;
  }

  bool Take(const std::vector<std::string>& words, std::string_view word) {
    if (at_ >= words.size() || words[at_] != word) return false;
    ++at_;
    return true;
  }

  // The figure, if one follows.
  absl::Status ParseFigure(const std::vector<std::string>& words, Turn* turn) {
    for (const FigureKindEntry& entry : AllFigureKinds()) {
      if (entry.neutral || !Take(words, FigureWord(entry.kind))) continue;
      const auto segment = at_ < words.size() ? ParseNumber(words[at_]) : std::optional<int>();
      if (!segment) return FailAt("expected the segment's number", words, at_);
      ++at_;
      turn->deployment = {entry.kind, *segment};
      break;
    }
    return absl::OkStatus();
  }

  // The table and the price, one action, the Ark's landing and the Gingerbread Man's moves, in this
  // order.
  absl::Status ParseActions(const std::vector<std::string>& words, Turn* turn) {
    const auto take = [&](std::string_view word) { return Take(words, word); };
    const auto next_cell = [&]() -> std::optional<Cell> {
      if (at_ >= words.size()) return std::nullopt;
      const auto cell = ParseCell(words[at_]);
      if (cell) ++at_;
      return cell;
    };
    if (take("table")) {
      turn->table = at_ < words.size() ? ParseArea(words[at_]) : std::nullopt;
      if (!turn->table) return Fail("expected the table's cells, as in -3,-2,5,4");
      ++at_;
    }
    if (take("bought")) {
      const int seller = at_ < words.size() ? PlayerNamed(words[at_]) : -1;
      const auto points = at_ + 1 < words.size() ? ParseNumber(words[at_ + 1]) : std::nullopt;
      if (seller < 0 || !points) return Fail("expected the seller and the points");
      turn->purchase = {seller, *points};
      at_ += 2;
    }
    if (absl::Status status = ParseFigure(words, turn); !status.ok()) return status;
    if (!turn->deployment && take("recall")) {
      turn->recall = next_cell();
      if (!turn->recall) return FailAt("expected the abbot's cell", words, at_);
    } else if (!turn->deployment && take("ark")) {
      while (const auto cell = next_cell()) turn->ark_path.push_back(*cell);
      if (turn->ark_path.empty()) {
        return FailAt("expected the cells that the Ark moves to", words, at_);
      }
    }
    if (take("lands")) {
      turn->ark_landing = next_cell();
      if (!turn->ark_landing) {
        return FailAt("expected the cell on which the Ark enters", words, at_);
      }
    }
    if (take("gingerbread")) {
      while (at_ < words.size()) {
        const auto place = ParsePlace(words[at_]);
        if (!place) break;
        turn->gingerbread.push_back(*place);
        ++at_;
      }
      if (turn->gingerbread.empty()) {
        return FailAt("expected his city, as in 1,-2.0", words, at_);
      }
    }
    return absl::OkStatus();
  }

  const TileSetLoader& load_;
  GameRecord record_;
  std::string last_option_;
  bool started_ = false;
  int line_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

absl::StatusOr<std::shared_ptr<const TileSet>> LoadTileSet(std::string_view id) {
  return TileSet::Load(id);
}

absl::StatusOr<GameRecord> ParseNotation(std::string_view text, const TileSetLoader& load) {
  return Parser(load).Parse(text);
}

}  // namespace tilewarden::engine
