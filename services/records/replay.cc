#include "services/records/replay.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "engine/game/odds.h"
#include "engine/game/remarks.h"
#include "engine/tiles/text.h"
#include "services/records/replay_text.h"

namespace tilewarden::services {
namespace {

using engine::Cell;
using engine::Game;
using engine::SegmentKind;
using engine::Text;

std::string Where(Cell cell) { return Text("(", cell.x, ", ", cell.y, ")"); }

std::string WhereAll(const std::vector<Cell>& cells) {
  std::string out;
  for (const Cell& cell : cells) {
    if (!out.empty()) out += ' ';
    out += Where(cell);
  }
  return out;
}

std::string Percent(double chance) {
  std::array<char, 16> text{};
  std::snprintf(text.data(), text.size(), "%.1f %%", 100 * chance);
  return text.data();
}

std::string Signed(int points) { return Text(points < 0 ? "" : "+", points); }

std::string Colour(const Game& game, int player) {
  return player < 0 ? "somebody" : game.players()[static_cast<std::size_t>(player)].colour;
}

std::string ItemLine(const Game& game, const engine::ScoreItem& item) {
  return Text(Padded(Signed(item.points), 4), " ", Padded(Colour(game, item.player), 8),
              item.reason, "  [", WhereAll(item.cells), "]");
}

// ", the abbot, 2 pigs": the special figures.
std::string AtHomeBesides(const Game& game, const engine::PlayerState& player) {
  std::string out;
  for (const engine::FigureKindEntry& entry : engine::AllFigureKinds()) {
    const int home = player.Supply(entry.kind);
    if (entry.kind == engine::FigureKind::kFollower || home <= 0) continue;
    const bool one = entry.supply(game.rules()) == 1;
    out += one ? Text(", the ", entry.word) : Text(", ", home, " ", entry.word, "s");
  }
  return out;
}

// "; goods: 2 wine, 1 cloth"
std::string Tokens(const Game& game, int player) {
  std::string out;
  for (const auto& [goods, count] : game.TokensOf(player)) {
    out += Text(out.empty() ? "; goods: " : ", ", count, " ", engine::ToString(goods));
  }
  return out;
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
  if (outcome.extra_turn) lines.push_back("           and may take another turn");
  return lines;
}

int TurnWatch::NextAfter(const Game& game, int player) {
  return (player + 1) % static_cast<int>(game.players().size());
}

std::vector<std::string> TurnWatch::Next(const Game& after, bool was_over, bool extra_turn) {
  std::vector<std::string> lines;
  const auto warn = [&](const std::string& text) { lines.push_back("      ! " + text); };
  const engine::Turn& turn = after.turns().back();
  if (was_over) {
    warn(turn.set_aside ? "set aside after the end: no tile was to be drawn any more"
                        : "played after the end of the game");
  }
  const bool passed_on = may_pass_on_ && turn.player == NextAfter(after, due_);
  if (due_ >= 0 && turn.player >= 0 && turn.player != due_ && !passed_on) {
    warn(Text("out of turn: the next to play was ", Colour(after, due_)));
  }
  for (const engine::Refusal& remark : engine::RemarksOn(after)) {
    warn(Text(remark.code, ": ", remark.text));
  }
  if (turn.player < 0) {
    due_ = -1;
  } else if (turn.set_aside) {
    due_ = turn.player;
  } else {
    may_pass_on_ = extra_turn;
    due_ = extra_turn ? turn.player : NextAfter(after, turn.player);
  }
  return lines;
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
                       AtHomeBesides(game, player), Tokens(game, static_cast<int>(i))));
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
