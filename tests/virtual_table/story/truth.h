// Truth files of the virtual table: JSON that says what is in a picture (the
// format is in README.md beside this file).
#pragma once

#include <vector>

#include "nlohmann/json.hpp"
#include "tests/virtual_table/scene/board.h"
#include "tests/virtual_table/scene/scene.h"

namespace tilewarden::virtual_table {

nlohmann::json CameraTruth(const TableCamera& camera);
nlohmann::json TileTruth(const TableCamera& camera, const engine::TileSet& tiles,
                         const TileOnBoard& tile);
nlohmann::json FigureTruth(const TableCamera& camera, const engine::TileSet& tiles,
                           const TileOnBoard& on, const FigureOnBoard& figure);
// A figure that is not on the board.
nlohmann::json LooseFigureTruth(const TableCamera& camera, const Figure& figure);
nlohmann::json PropTruth(const TableCamera& camera, const Prop& prop);

// How many corners the usual lettered pictures of a base tile are turned
// against the engine's canonical one; 0 for other types.
int LetterTurn(const engine::TileType& type);

}  // namespace tilewarden::virtual_table
