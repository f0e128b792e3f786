#include "services/photo/board_worth.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "engine/game/game.h"
#include "services/convert/kinds.h"

namespace tilewarden::services {
namespace {

bool Counts(const ReadFigure& read) {
  return read.segment >= 0 && !read.colour.empty() && IsAPlayers(read.figure->kind);
}

// The colours on the board, those with most figures first.
std::vector<std::string> ColoursOf(const Reading& reading) {
  std::map<std::string, int> figures;
  for (const ReadFigure& read : reading.figures) {
    if (Counts(read)) ++figures[read.colour];
  }
  std::vector<std::string> colours;
  for (const auto& [colour, count] : figures) colours.push_back(colour);
  std::stable_sort(colours.begin(), colours.end(),
                   [&](const auto& a, const auto& b) { return figures.at(a) > figures.at(b); });
  if (colours.size() > engine::kMaxPlayers) colours.resize(engine::kMaxPlayers);
  return colours;
}

}  // namespace

std::vector<ColourWorth> WorthNow(const Reading& reading,
                                  const std::shared_ptr<const engine::TileSet>& tiles,
                                  const engine::Rules& rules) {
  std::vector<engine::PlacedTile> board;
  for (const ReadTile& tile : reading.tiles) {
    if (tile.type >= 0) board.push_back({tile.type, {tile.cell.x, tile.cell.y}, tile.rotation});
  }
  const std::vector<std::string> colours = ColoursOf(reading);
  std::vector<engine::PlacedFigure> figures;
  for (const ReadFigure& read : reading.figures) {
    const auto colour = std::find(colours.begin(), colours.end(), read.colour);
    if (!Counts(read) || colour == colours.end()) continue;
    figures.push_back({static_cast<int>(colour - colours.begin()),
                       ToEngine(read.figure->kind),
                       {read.figure->cell->x, read.figure->cell->y},
                       read.segment});
  }
  const engine::Game game = engine::Game::AsFound(tiles, rules, colours, board, figures);
  std::vector<ColourWorth> worth;
  for (const engine::PlayerState& player : game.players()) worth.push_back({player.colour, 0, {}});
  for (engine::ScoreItem& item : game.ScoreIfEndedNow()) {
    ColourWorth& of = worth[static_cast<std::size_t>(item.player)];
    of.points += item.points;
    of.items.push_back(std::move(item));
  }
  const auto most = [](const auto& a, const auto& b) { return a.points > b.points; };
  for (ColourWorth& of : worth) std::stable_sort(of.items.begin(), of.items.end(), most);
  std::stable_sort(worth.begin(), worth.end(), most);
  return worth;
}

}  // namespace tilewarden::services
