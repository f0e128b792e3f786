// Turns of a legal game, for tests that need some.
#pragma once

#include <string>
#include <vector>

#include "engine/game/game.h"
#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"
#include "gtest/gtest.h"
#include "services/convert/convert.h"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// The first turns of a game of red and blue: each takes the first tile type
// that fits, and deploys a follower every other turn where it may.
inline std::vector<v1::Turn> SomeTurns(int count) {
  const auto tiles = engine::TileSet::Load("base.c1");
  EXPECT_TRUE(tiles.ok()) << tiles.status();
  engine::Game game(*tiles, *engine::Rules::Preset("c1"), {"red", "blue"});
  std::vector<v1::Turn> turns;
  for (int i = 0; static_cast<int>(turns.size()) < count && i < 1000; ++i) {
    engine::Turn turn;
    turn.player = static_cast<int>(turns.size()) % 2;
    turn.tile = i % static_cast<int>((*tiles)->types().size());
    const auto places = game.LegalPlacements(turn.tile);
    if (places.empty() || game.TilesLeft(turn.tile) == 0) continue;
    const auto& place = places[static_cast<std::size_t>(i) % places.size()];
    turn.cell = place.cell;
    turn.rotation = place.rotation;
    const auto deployments = game.LegalDeployments(turn.player, turn.tile, place);
    if (i % 2 == 0 && !deployments.empty()) turn.deployment = deployments.front();
    if (!game.Apply(turn)) continue;
    v1::Turn& out = turns.emplace_back();
    out.set_colour(turn.player == 0 ? "red" : "blue");
    out.set_tile((*tiles)->types()[static_cast<std::size_t>(turn.tile)].id);
    *out.mutable_cell() = ToProto(turn.cell);
    out.set_rotation(static_cast<std::uint32_t>(turn.rotation));
    if (turn.deployment) {
      out.mutable_deployment()->set_kind(ToProto(turn.deployment->kind));
      out.mutable_deployment()->set_segment(static_cast<std::uint32_t>(turn.deployment->segment));
    }
  }
  EXPECT_EQ(static_cast<int>(turns.size()), count);
  return turns;
}

}  // namespace tilewarden::services
