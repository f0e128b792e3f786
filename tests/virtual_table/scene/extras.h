// What a board may carry besides its game: special figures of any game, and
// small things that are no figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/tiles/tile_set.h"
#include "tests/virtual_table/picture/camera.h"
#include "tests/virtual_table/scene/board.h"
#include "tests/virtual_table/scene/scene.h"

namespace tilewarden::virtual_table {

// Abbot, prophet, the Ark of cardboard and of wood, and the Gingerbread Man in turn, so many of
// them in all, on tiles where no figure stands: fewer where there are fewer. Whether the rules
// let them stand there is not asked. Abbots and prophets take turns in the colours.
std::vector<FigureOnBoard> SetSpecialFigures(int count, const std::vector<std::string>& colours,
                                             const engine::TileSet& tiles, const HandLaid& hand,
                                             const std::vector<TileOnBoard>& laid,
                                             const std::vector<FigureOnBoard>& figures,
                                             std::uint64_t seed);

// Die, coin, finger, pen and glass bead in turn, so many of them in all, on the board where they
// touch no figure. Every other finger comes in at the picture's border.
std::vector<Prop> LayClutter(int count, const TableCamera& camera,
                             const std::vector<TileOnBoard>& laid,
                             const std::vector<FigureOnBoard>& figures, std::uint64_t seed);

}  // namespace tilewarden::virtual_table
