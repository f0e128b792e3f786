// A turn with something in every field: legal nowhere, but nothing of it may get lost.
#pragma once

#include "engine/game/turn.h"
#include "engine/tiles/tile_set.h"

namespace tilewarden::services {

// Of a game of three players. No field has its default, and no two the same place.
inline engine::Turn FullTurn(const engine::TileSet& set) {
  engine::Turn turn;
  // Every member by name: a new one stops the build until it gets a value here.
  auto& [player, tile, cell, rotation, deployment, recall, ark_path, ark_landing, gingerbread,
         table, purchase, set_aside] = turn;
  player = 1;
  tile = set.Find("B.V");
  cell = {-3, 4};
  rotation = 3;
  deployment = engine::Deployment{engine::FigureKind::kAbbot, 1};
  recall = engine::Cell{1, -1};
  ark_path = {{7, 1}, {7, 2}};
  ark_landing = engine::Cell{5, 6};
  gingerbread = {{{2, 3}, 1}, {{-2, 3}, 0}};
  table = engine::PlayingArea{-3, -2, 4, 5};
  purchase = engine::Purchase{2, 6};
  set_aside = true;
  return turn;
}

}  // namespace tilewarden::services
