#include "services/commands/terminal_view.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "services/client/game_view.h"
#include "services/convert/words.h"

namespace tilewarden::services {
namespace {

struct Colour {
  int r = 0, g = 0, b = 0;
};

constexpr int kColumns = 8, kPixelRows = 8;  // pixels of a tile; two rows make a line
constexpr std::size_t kLinesKept = 8;
constexpr Colour kTable = {46, 40, 36};

const std::map<std::string_view, Colour> kPlayers = {
    {"red", {214, 48, 49}},     {"blue", {36, 100, 220}},   {"green", {20, 140, 60}},
    {"yellow", {250, 210, 20}}, {"black", {20, 20, 20}},    {"pink", {240, 110, 180}},
    {"grey", {150, 150, 150}},  {"white", {245, 245, 245}}, {"orange", {240, 130, 30}}};

std::string AtStake(std::uint32_t points) {
  if (points == 0) return "";
  return absl::StrCat(" ", points, points == 1 ? " point hangs" : " points hang", " on it.");
}

Colour OfPlayer(std::string_view name) {
  const auto found = kPlayers.find(name);
  return found == kPlayers.end() ? Colour{200, 200, 200} : found->second;
}

Colour OfSegment(engine::SegmentKind kind) {
  switch (kind) {
    case engine::SegmentKind::kCity:
      return {190, 130, 80};
    case engine::SegmentKind::kRoad:
      return {232, 224, 200};
    case engine::SegmentKind::kField:
      return {120, 168, 84};
    case engine::SegmentKind::kRiver:
      return {80, 140, 200};
    case engine::SegmentKind::kMonastery:
    case engine::SegmentKind::kTemple:
      return {150, 60, 60};
    case engine::SegmentKind::kGarden:
      return {200, 120, 170};
  }
  return {};
}

std::string Painted(std::string_view text, std::string_view colour, bool colours) {
  if (!colours) return std::string(text);
  const Colour c = OfPlayer(colour);
  return absl::StrFormat("\x1b[1;38;2;%d;%d;%dm%s\x1b[0m", c.r, c.g, c.b, std::string(text));
}

std::string Bold(std::string_view text, bool colours) {
  return colours ? absl::StrCat("\x1b[1m", std::string(text), "\x1b[0m") : std::string(text);
}

std::string ItemLine(const v1::ScoreItem& item, bool colours) {
  return absl::StrFormat("    %+3d %s  %s", item.points(),
                         Painted(item.colour(), item.colour(), colours), item.reason());
}

// The segment kind of each pixel of a tile as it lies.
engine::SegmentKind KindAt(const TileArt& art, int type, int rotation, int column, int row) {
  const engine::Point lying = {(column + 0.5) / kColumns, (row + 0.5) / kPixelRows};
  const engine::Point canonical = engine::RotatedPoint(lying, 4 - rotation);
  const auto index = static_cast<std::size_t>(type);
  const int segment = art.layouts[index].SegmentAt(canonical);
  return art.set->types()[index].segments[static_cast<std::size_t>(segment)].kind;
}

}  // namespace

std::vector<std::string> Describe(const v1::GameEvent& event,
                                  const std::vector<v1::Finding>& before, bool colours) {
  std::vector<std::string> lines;
  switch (event.what_case()) {
    case v1::GameEvent::kCreated:
      lines.push_back("A new game: waiting for the start tile.");
      break;
    case v1::GameEvent::kPlayerJoined: {
      const std::string& colour = event.player_joined().player().colour();
      lines.push_back(absl::StrCat(Painted(colour, colour, colours), " joins the game."));
      break;
    }
    case v1::GameEvent::kTurnPlayed: {
      const v1::TurnPlayed& turn = event.turn_played();
      const v1::PlacedTile& tile = turn.tile();
      std::string line = absl::StrFormat("%3d ", turn.turn());
      absl::StrAppend(
          &line,
          tile.colour().empty() ? "somebody" : Painted(tile.colour(), tile.colour(), colours),
          " lays ", tile.tile(), " at (", tile.cell().x(), ", ", tile.cell().y(), ")");
      if (turn.has_deployed()) {
        absl::StrAppend(&line, ", follower on its ", FeatureWord(turn.deployed().feature()));
      }
      lines.push_back(std::move(line));
      for (const auto& item : turn.score_items()) lines.push_back(ItemLine(item, colours));
      for (const auto& home : turn.returned()) {
        lines.push_back(absl::StrCat("        ", Painted(home.colour(), home.colour(), colours),
                                     " takes a follower home from the ",
                                     FeatureWord(home.feature())));
      }
      break;
    }
    case v1::GameEvent::kRevised:
      // None: nothing of play was.
      if (!event.revised().reason().empty()) {
        lines.push_back(absl::StrCat("    changed: ", event.revised().reason()));
      }
      break;
    case v1::GameEvent::kFindingRaised: {
      const v1::Finding& finding = event.finding_raised();
      const bool illegal = finding.severity() == v1::SEVERITY_ILLEGAL;
      lines.push_back(absl::StrCat(colours ? (illegal ? "\x1b[1;37;41m" : "\x1b[1;30;43m") : "",
                                   illegal ? " ILLEGAL " : " LOOK ", colours ? "\x1b[0m " : "",
                                   finding.text(), " [", finding.code(), "]"));
      break;
    }
    case v1::GameEvent::kFindingCleared: {
      const auto finding = std::find_if(before.begin(), before.end(), [&](const v1::Finding& open) {
        return open.id() == event.finding_cleared().id();
      });
      if (finding == before.end()) break;
      lines.push_back(absl::StrCat(colours ? "\x1b[1;30;42m" : "", " PUT RIGHT ",
                                   colours ? "\x1b[0m " : "", "[", finding->code(), "]"));
      break;
    }
    case v1::GameEvent::kQuestionAsked: {
      std::vector<std::string> answers;
      for (const v1::Answer& answer : event.question_asked().answers()) {
        answers.push_back(answer.text());
      }
      lines.push_back(absl::StrCat(colours ? "\x1b[1;30;46m" : "", " ASKS ",
                                   colours ? "\x1b[0m " : "", event.question_asked().text(), " (",
                                   absl::StrJoin(answers, " / "), ")",
                                   AtStake(event.question_asked().points_at_stake())));
      break;
    }
    case v1::GameEvent::kQuestionClosed:
      break;
    case v1::GameEvent::kEnded:
      lines.push_back(Bold("The game has ended.", colours));
      for (const auto& item : event.ended().final_items()) lines.push_back(ItemLine(item, colours));
      break;
    case v1::GameEvent::WHAT_NOT_SET:
      break;
  }
  return lines;
}

std::string DescribeResult(const v1::GameState& state, bool colours) {
  std::string out = Bold("Final scores", colours) + "\n";
  for (const v1::Player& player : state.players()) {
    absl::StrAppend(&out, absl::StrFormat("%5d  %s\n", player.score(),
                                          Painted(player.colour(), player.colour(), colours)));
    for (const v1::ScoreItem& item : state.score_items()) {
      if (item.colour() != player.colour()) continue;
      const std::string when = item.turn() == 0 ? "at the end" : absl::StrCat("turn ", item.turn());
      absl::StrAppend(
          &out, absl::StrFormat("       %+4d  %-10s  %s\n", item.points(), when, item.reason()));
    }
  }
  return out;
}

std::vector<std::string> DrawBoard(const v1::GameState& state, const TileArt& art) {
  int left = 0, right = 0, top = 0, bottom = 0;
  for (const v1::PlacedTile& tile : state.tiles()) {
    left = std::min(left, tile.cell().x());
    right = std::max(right, tile.cell().x());
    top = std::min(top, tile.cell().y());
    bottom = std::max(bottom, tile.cell().y());
  }
  const int columns = (right - left + 1) * kColumns, rows = (bottom - top + 1) * kPixelRows;
  std::vector<Colour> pixels(static_cast<std::size_t>(columns * rows), kTable);
  const auto pixel = [&](int x, int y) -> Colour& {
    return pixels[static_cast<std::size_t>(std::clamp(y, 0, rows - 1) * columns +
                                           std::clamp(x, 0, columns - 1))];
  };
  const auto paint = [&](const v1::PlacedTile& tile, bool refused) {
    const int type = art.set->Find(tile.tile());
    if (type < 0) return;
    const int x0 = (tile.cell().x() - left) * kColumns, y0 = (tile.cell().y() - top) * kPixelRows;
    if (x0 < 0 || y0 < 0 || x0 >= columns || y0 >= rows) return;
    for (int y = 0; y < kPixelRows; ++y) {
      for (int x = 0; x < kColumns; ++x) {
        Colour colour = OfSegment(KindAt(art, type, static_cast<int>(tile.rotation()), x, y));
        const bool rim = x == 0 || y == 0;
        if (rim) colour = {colour.r * 4 / 5, colour.g * 4 / 5, colour.b * 4 / 5};
        if (refused && (rim || x == kColumns - 1 || y == kPixelRows - 1)) colour = {255, 0, 0};
        pixel(x0 + x, y0 + y) = colour;
      }
    }
  };
  for (const v1::PlacedTile& tile : state.tiles()) paint(tile, false);
  for (const v1::Finding& finding : state.findings()) {
    if (finding.has_tile() && finding.tile().has_cell()) paint(finding.tile(), true);
  }
  for (const v1::PlacedFigure& figure : state.figures()) {
    const int x = (figure.cell().x() - left) * kColumns +
                  std::clamp(static_cast<int>(figure.spot().x() * kColumns), 0, kColumns - 2);
    const int y = (figure.cell().y() - top) * kPixelRows +
                  std::clamp(static_cast<int>(figure.spot().y() * kPixelRows), 0, kPixelRows - 2);
    for (const auto& [dx, dy] : {std::pair(0, 0), {1, 0}, {0, 1}, {1, 1}}) {
      pixel(x + dx, y + dy) = OfPlayer(figure.colour());
    }
  }
  std::vector<std::string> lines;
  for (int y = 0; y < rows; y += 2) {
    std::string line;
    for (int x = 0; x < columns; ++x) {
      const Colour a = pixel(x, y), b = pixel(x, y + 1);
      absl::StrAppendFormat(&line, "\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm\u2580", a.r, a.g, a.b, b.r,
                            b.g, b.b);
    }
    lines.push_back(line + "\x1b[0m");
  }
  return lines;
}

TerminalView::TerminalView(TileSets* tile_sets, std::string headline)
    : tile_sets_(tile_sets), screen_(isatty(STDOUT_FILENO) == 1), headline_(std::move(headline)) {}

void TerminalView::SetHeadline(std::string headline) {
  const std::lock_guard lock(mutex_);
  headline_ = std::move(headline);
  if (screen_) Redraw();
}

void TerminalView::Show(const v1::WatchGameResponse& message) {
  const std::lock_guard lock(mutex_);
  const std::vector<v1::Finding> before(state_.findings().begin(), state_.findings().end());
  if (!Update(message, &state_)) return;
  std::vector<std::string> told;
  if (message.has_event()) told = Describe(message.event(), before, screen_);
  if (!screen_) {
    for (const std::string& line : told) std::printf("%s\n", line.c_str());
    std::fflush(stdout);
    return;
  }
  lines_.insert(lines_.end(), told.begin(), told.end());
  if (lines_.size() > kLinesKept) {
    lines_.erase(lines_.begin(), lines_.end() - static_cast<std::ptrdiff_t>(kLinesKept));
  }
  Redraw();
}

void TerminalView::Redraw() const {
  std::string out = absl::StrCat("\x1b[H\x1b[2J", headline_, "\n\n");
  winsize size{};
  ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
  if (const auto art = tile_sets_->Get(state_.tile_set()); art.ok()) {
    const auto board = DrawBoard(state_, **art);
    // A board that does not fit is left out; the page shows it.
    const auto top = std::count(headline_.begin(), headline_.end(), '\n');
    if (board.size() + kLinesKept + 8 + static_cast<std::size_t>(top) <= size.ws_row) {
      for (const std::string& line : board) absl::StrAppend(&out, "  ", line, "\n");
    }
  }
  absl::StrAppend(&out, "\n  turn ", state_.turn(), "   ");
  for (const v1::Player& player : state_.players()) {
    const bool moves = player.colour() == state_.to_move();
    absl::StrAppend(&out, moves ? "> " : "  ", Painted(player.colour(), player.colour(), true), " ",
                    player.score(), " (", player.live_score(), " now, ", player.supply(),
                    " at home)  ");
  }
  absl::StrAppend(&out, "\n\n");
  for (const std::string& line : lines_) absl::StrAppend(&out, "  ", line, "\n");
  std::fputs(out.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace tilewarden::services
