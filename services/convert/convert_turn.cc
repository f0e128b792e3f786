// Turns, as viewers see them and as the log keeps them.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

using engine::Game;

// Everything but who plays and who sells, which the two messages tell in their own way.
// All members are named here, so that a new one stops the build until it is carried.
template <typename Message>
void WriteTurn(const engine::Turn& turn, const engine::TileSet& set, Message* out) {
  const auto& [player, tile, cell, rotation, deployment, recall, ark_path, ark_landing, gingerbread,
               table, purchase, set_aside] = turn;
  out->set_tile(set.types()[static_cast<std::size_t>(tile)].id);
  *out->mutable_cell() = ToProto(cell);
  out->set_rotation(static_cast<std::uint32_t>(rotation));
  if (deployment) *out->mutable_deployment() = ToProto(*deployment);
  if (recall) *out->mutable_recall() = ToProto(*recall);
  for (const engine::Cell to : ark_path) *out->add_ark_path() = ToProto(to);
  if (ark_landing) *out->mutable_ark_landing() = ToProto(*ark_landing);
  for (const engine::Place& place : gingerbread) {
    auto* to = out->add_gingerbread();
    *to->mutable_cell() = ToProto(place.cell);
    to->set_segment(static_cast<std::uint32_t>(place.segment));
  }
  if (table) *out->mutable_table() = ToProto(*table);
  out->set_set_aside(set_aside);
}

// The same the other way; whether the tile, the rotation and the figure can be is checked
// before. INVALID_ARGUMENT: a figure of no kind.
template <typename Message>
absl::Status ReadTurn(const Message& turn, engine::Turn* out) {
  out->cell = FromProto(turn.cell());
  out->rotation = static_cast<int>(turn.rotation());
  if (turn.has_deployment()) {
    const auto kind = FromProto(turn.deployment().kind());
    if (!kind.ok()) return kind.status();
    out->deployment = engine::Deployment{*kind, static_cast<int>(turn.deployment().segment())};
  }
  if (turn.has_recall()) out->recall = FromProto(turn.recall());
  for (const v1::Cell& cell : turn.ark_path()) out->ark_path.push_back(FromProto(cell));
  if (turn.has_ark_landing()) out->ark_landing = FromProto(turn.ark_landing());
  for (const auto& place : turn.gingerbread()) {
    out->gingerbread.push_back({FromProto(place.cell()), static_cast<int>(place.segment())});
  }
  if (turn.has_table()) out->table = FromProto(turn.table());
  out->set_aside = turn.set_aside();
  return absl::OkStatus();
}

// Empty: nobody.
std::string ColourOf(const Game& game, int player) {
  return player < 0 ? "" : game.players()[static_cast<std::size_t>(player)].colour;
}

// `field` names what is wrong.
absl::StatusOr<int> PlayerNamed(const std::string& colour, std::string_view field,
                                const Game& game) {
  std::vector<std::string> colours;
  for (const engine::PlayerState& player : game.players()) {
    if (player.colour == colour) return static_cast<int>(colours.size());
    colours.push_back(player.colour);
  }
  return absl::InvalidArgumentError(absl::StrCat(std::string(field), ": nobody plays '", colour,
                                                 "'; the players are ",
                                                 absl::StrJoin(colours, ", ")));
}

}  // namespace

absl::Status StartTileNotSeen() {
  return absl::FailedPreconditionError("the start tile has not been seen yet; lay it first");
}

v1::Deployment ToProto(const engine::Deployment& deployment) {
  v1::Deployment out;
  out.set_kind(ToProto(deployment.kind));
  out.set_segment(static_cast<std::uint32_t>(deployment.segment));
  return out;
}

v1::SegmentPlace ToProto(const engine::Place& place) {
  v1::SegmentPlace out;
  *out.mutable_cell() = ToProto(place.cell);
  out.set_segment(static_cast<std::uint32_t>(place.segment));
  return out;
}

v1::Turn ToProto(const engine::Turn& turn, const Game& game) {
  v1::Turn out;
  WriteTurn(turn, game.tile_set(), &out);
  out.set_colour(ColourOf(game, turn.player));
  if (turn.purchase) {
    out.mutable_purchase()->set_seller(ColourOf(game, turn.purchase->seller));
    out.mutable_purchase()->set_points(static_cast<std::uint32_t>(turn.purchase->points));
  }
  return out;
}

absl::StatusOr<engine::Turn> FromProto(const v1::Turn& turn, const engine::Referee& referee) {
  const Game* game = referee.game();
  if (game == nullptr) return StartTileNotSeen();
  engine::Turn out;
  out.player = referee.to_move();
  if (!turn.colour().empty()) {
    const auto player = PlayerNamed(turn.colour(), "turn.colour", *game);
    if (!player.ok()) return player.status();
    out.player = *player;
  } else if (out.player < 0 && turn.has_deployment()) {
    return absl::InvalidArgumentError("turn.colour: say whose turn it is");
  }
  out.tile = game->tile_set().Find(turn.tile());
  if (out.tile < 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "turn.tile: the tile set ", game->tile_set().id(), " has no tile '", turn.tile(), "'"));
  }
  if (turn.rotation() > 3) {
    return absl::InvalidArgumentError("turn.rotation: quarter turns go from 0 to 3");
  }
  if (auto status = ReadTurn(turn, &out); !status.ok()) return status;
  const auto segments =
      game->tile_set().types()[static_cast<std::size_t>(out.tile)].segments.size();
  if (turn.has_deployment() && turn.deployment().segment() >= segments) {
    return absl::InvalidArgumentError(absl::StrCat("turn.deployment.segment: tile ", turn.tile(),
                                                   " has ", segments, " segments"));
  }
  if (turn.has_purchase()) {
    const auto seller = PlayerNamed(turn.purchase().seller(), "turn.purchase.seller", *game);
    if (!seller.ok()) return seller.status();
    out.purchase = engine::Purchase{*seller, static_cast<int>(turn.purchase().points())};
  }
  return out;
}

v1::LoggedMove ToLog(const engine::Turn& turn, const engine::TileSet& set) {
  v1::LoggedMove out;
  WriteTurn(turn, set, &out);
  out.set_player(turn.player);
  if (turn.purchase) {
    out.mutable_purchase()->set_seller(turn.purchase->seller);
    out.mutable_purchase()->set_points(turn.purchase->points);
  }
  return out;
}

absl::StatusOr<engine::Turn> FromLog(const v1::LoggedMove& move, const engine::TileSet& set) {
  engine::Turn out;
  out.player = move.player();
  out.tile = set.Find(move.tile());
  if (out.tile < 0) {
    return absl::DataLossError(
        absl::StrCat("the tile set ", set.id(), " has no tile ", move.tile()));
  }
  if (!ReadTurn(move, &out).ok()) return absl::DataLossError("it has a figure of no kind");
  out.rotation &= 3;
  if (move.has_purchase()) {
    out.purchase = engine::Purchase{move.purchase().seller(), move.purchase().points()};
  }
  return out;
}

}  // namespace tilewarden::services
