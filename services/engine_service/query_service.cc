#include "services/engine_service/query_service.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/game/box_rules.h"
#include "engine/game/odds.h"
#include "services/base/clock.h"
#include "services/base/paging.h"
#include "services/convert/convert.h"
#include "services/engine_service/export.h"
#include "services/table/by_hand.h"

namespace tilewarden::services {
namespace {

// A box with fewer tiles than this is not a game of its own: the largest river has
// 17, the smallest game 72.
constexpr int kFewestTilesOfAGame = 40;

// Each has two pictures.
constexpr PageSizes kClipPages = {16, 8};

const std::string& TypeId(const engine::Game& game, int tile) {
  return game.tile_set().types()[static_cast<std::size_t>(tile)].id;
}

std::string ColourOf(const engine::Game& game, int player) {
  if (player < 0) return "";
  return game.players()[static_cast<std::size_t>(player)].colour;
}

// Calls `answer` with the game, once there is one.
template <typename Answer>
absl::Status AskGame(Table& table, const Answer& answer) {
  return table.Ask([&](const engine::Referee& referee, const TileArt&) -> absl::Status {
    if (referee.game() == nullptr) return StartTileNotSeen();
    return answer(referee, *referee.game());
  });
}
template <typename Answer>
absl::Status AskGame(Games* games, const std::string& id, const Answer& answer) {
  const auto table = games->Find(id);
  return table.ok() ? AskGame(**table, answer) : table.status();
}

v1::OpenCell Describe(const engine::Game& game, engine::Cell cell) {
  v1::OpenCell out;
  *out.mutable_cell() = ToProto(cell);
  for (const engine::FittingTile& fitting : engine::TilesThatFit(game, cell)) {
    v1::FittingTile* tile = out.add_fitting();
    tile->set_tile(TypeId(game, fitting.tile));
    tile->set_left(static_cast<std::uint32_t>(fitting.left));
    for (const int rotation : fitting.rotations) {
      tile->add_rotations(static_cast<std::uint32_t>(rotation));
    }
  }
  const int players = std::max<int>(1, static_cast<int>(game.players().size()));
  out.set_chance_next(engine::ChanceToFill(game, cell, 1));
  out.set_chance_round(engine::ChanceToFill(game, cell, players));
  return out;
}

// A tile laid so, with what else its turn may do; -1: nobody knows whose.
v1::Choice ChoiceOf(const engine::Game& game, int tile, const engine::Placement& placed,
                    int player) {
  v1::Choice choice;
  choice.set_tile(TypeId(game, tile));
  choice.set_rotation(static_cast<std::uint32_t>(placed.rotation));
  *choice.mutable_cell() = ToProto(placed.cell);
  if (player < 0) return choice;
  for (const engine::Deployment& deployment : game.LegalDeployments(player, tile, placed)) {
    *choice.add_deployments() = ToProto(deployment);
  }
  for (const engine::Cell from : game.LegalRecalls(player, placed)) {
    *choice.add_recalls() = ToProto(from);
  }
  for (const engine::Cell cell : game.ArkLandings(tile, placed)) {
    *choice.add_ark_landings() = ToProto(cell);
  }
  engine::Turn turn;
  turn.player = player;
  turn.tile = tile;
  turn.cell = placed.cell;
  turn.rotation = placed.rotation;
  for (const std::vector<engine::Place>& way : game.GingerbreadWays(turn)) {
    v1::GingerbreadWay* out = choice.add_gingerbread_ways();
    for (const engine::Place& place : way) *out->add_places() = ToProto(place);
  }
  return choice;
}

// What fits on a cell, the likeliest first.
void AddChoices(const engine::Game& game, const engine::Referee& referee, engine::Cell cell,
                int player, v1::ListChoicesResponse* response) {
  const auto readings = referee.Readings(cell);
  std::vector<v1::Choice> choices;
  for (const engine::FittingTile& fitting : engine::TilesThatFit(game, cell)) {
    for (const int rotation : fitting.rotations) {
      v1::Choice choice = ChoiceOf(game, fitting.tile, {cell, rotation}, player);
      for (const engine::TileCandidate& reading : readings) {
        if (reading.tile == choice.tile() && reading.rotation == rotation) {
          choice.set_probability(reading.probability);
        }
      }
      choices.push_back(std::move(choice));
    }
  }
  std::stable_sort(choices.begin(), choices.end(), [](const v1::Choice& a, const v1::Choice& b) {
    return a.probability() > b.probability();
  });
  for (v1::Choice& choice : choices) *response->add_choices() = std::move(choice);
}

}  // namespace

grpc::Status QueryServiceImpl::DescribeFeature(grpc::ServerContext* context,
                                               const v1::DescribeFeatureRequest* request,
                                               v1::DescribeFeatureResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return AskGame(
        games_, request->game_id(),
        [&](const engine::Referee&, const engine::Game& game) -> absl::Status {
          const engine::Cell cell = FromProto(request->cell());
          const int segment = static_cast<int>(std::min<std::uint32_t>(request->segment(), 1000));
          const engine::Game::Feature feature = game.FeatureAt(cell, segment);
          if (feature.places.empty()) {
            return absl::NotFoundError(absl::StrCat("no tile on (", cell.x, ", ", cell.y,
                                                    "), or it has no segment ", segment));
          }
          response->set_kind(ToProto(feature.kind));
          response->set_complete(feature.complete);
          response->set_open_edges(static_cast<std::uint32_t>(feature.open_edges));
          for (const engine::Place& place : feature.places) {
            v1::Place* out = response->add_places();
            *out->mutable_cell() = ToProto(place.cell);
            out->set_segment(static_cast<std::uint32_t>(place.segment));
          }
          for (const int owner : feature.owners) response->add_owners(ColourOf(game, owner));
          response->set_worth_now(feature.worth_now);
          response->set_worth_complete(feature.worth_complete);
          response->set_completed_cities(static_cast<std::uint32_t>(feature.completed_cities));
          for (const engine::Cell open : engine::OpenCellsOf(game, cell, segment)) {
            *response->add_open_cells() = Describe(game, open);
          }
          return absl::OkStatus();
        });
  });
}

grpc::Status QueryServiceImpl::ListTurns(grpc::ServerContext* context,
                                         const v1::ListTurnsRequest* request,
                                         v1::ListTurnsResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return AskGame(games_, request->game_id(),
                   [&](const engine::Referee&, const engine::Game& game) -> absl::Status {
                     const auto page = PageOf(*request, game.turns().size(), response);
                     if (!page.ok()) return page.status();
                     for (std::size_t i = page->from; i < page->to; ++i) {
                       *response->add_turns() = ToProto(game.turns()[i], game);
                     }
                     return absl::OkStatus();
                   });
  });
}

grpc::Status QueryServiceImpl::ListChoices(grpc::ServerContext* context,
                                           const v1::ListChoicesRequest* request,
                                           v1::ListChoicesResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    return AskGame(
        games_, request->game_id(),
        [&](const engine::Referee& referee, const engine::Game& now) -> absl::Status {
          const std::uint32_t number = request->turn_number();
          if (number > now.turns().size()) {
            return absl::OutOfRangeError(absl::StrCat("turn_number: there is no turn ", number));
          }
          int player = referee.to_move();
          engine::Cell cell = FromProto(request->cell());
          engine::Game game = now;
          if (number > 0) {
            const engine::Turn& turn = now.turns()[number - 1];
            player = turn.player;
            if (!request->has_cell()) cell = turn.cell;
            while (game.turns().size() >= number) game.Undo();
          }
          if (!request->colour().empty()) {
            const auto& players = now.players();
            const auto found = std::find_if(
                players.begin(), players.end(),
                [&](const engine::PlayerState& p) { return p.colour == request->colour(); });
            if (found == players.end()) {
              return absl::InvalidArgumentError(
                  absl::StrCat("colour: nobody plays '", request->colour(), "'"));
            }
            player = static_cast<int>(found - players.begin());
          }
          const std::string& id = request->tile();
          const int tile = id.empty() ? -1 : game.tile_set().Find(id);
          if (!id.empty() && tile < 0) {
            return absl::InvalidArgumentError(absl::StrCat("tile: the box has no '", id, "'"));
          }
          if (game.ark()) *response->mutable_ark() = ToProto(*game.ark());
          if (tile >= 0 && number == 0 && !request->has_cell()) {
            for (const engine::Placement& placed : game.LegalPlacements(tile)) {
              *response->add_choices() = ChoiceOf(game, tile, placed, player);
            }
            return absl::OkStatus();
          }
          AddChoices(game, referee, cell, player, response);
          if (tile >= 0) {
            auto* choices = response->mutable_choices();
            choices->erase(std::remove_if(choices->begin(), choices->end(),
                                          [&](const auto& choice) { return choice.tile() != id; }),
                           choices->end());
          }
          return absl::OkStatus();
        });
  });
}

grpc::Status QueryServiceImpl::PreviewChange(grpc::ServerContext* context,
                                             const v1::PreviewChangeRequest* request,
                                             v1::PreviewChangeResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    const auto judge = [&](engine::Referee& referee) -> absl::StatusOr<Table::Judgement> {
      switch (request->change_case()) {
        case v1::PreviewChangeRequest::kPlay:
          return PlayByHand(request->play(), referee);
        case v1::PreviewChangeRequest::kCorrect:
          return CorrectByHand(request->correct().turn_number(), request->correct().turn(),
                               referee);
        case v1::PreviewChangeRequest::kUndo:
          return UndoByHand(referee);
        case v1::PreviewChangeRequest::kPoints:
          return PointsByHand(request->points(), referee);
        case v1::PreviewChangeRequest::CHANGE_NOT_SET:
          break;
      }
      return absl::InvalidArgumentError("change: say what to preview: play, correct or undo");
    };
    auto outcome = (*table)->Preview(judge);
    if (!outcome.ok()) return outcome.status();
    if (const auto* refusal = std::get_if<engine::Refusal>(&*outcome)) {
      *response->mutable_refusal() = ToProto(*refusal);
    } else {
      *response->mutable_state() = std::get<v1::GameState>(*std::move(outcome));
    }
    return absl::OkStatus();
  });
}

grpc::Status QueryServiceImpl::ExportGame(grpc::ServerContext* context,
                                          const v1::ExportGameRequest* request,
                                          v1::ExportGameResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    const auto answer = [&](const engine::Referee& referee,
                            const engine::Game& game) -> absl::Status {
      if (request->format() == v1::EXPORT_FORMAT_JCZ && !referee.points_by_hand().empty()) {
        return absl::FailedPreconditionError(
            "points were changed by hand, which a saved game of JCloisterZone cannot hold");
      }
      auto exported = Export(request->format(), game, (*table)->StateWhileAnswering());
      if (!exported.ok()) return exported.status();
      *response = *std::move(exported);
      return absl::OkStatus();
    };
    return AskGame(**table, answer);
  });
}

grpc::Status QueryServiceImpl::GetCameraView(grpc::ServerContext* context,
                                             const v1::GetCameraViewRequest* request,
                                             v1::GetCameraViewResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    *response = (*table)->camera().Tell(request->picture(), NowMs());
    return absl::OkStatus();
  });
}

grpc::Status QueryServiceImpl::GetFindingEvidence(grpc::ServerContext* context,
                                                  const v1::GetFindingEvidenceRequest* request,
                                                  v1::GetFindingEvidenceResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    const bool question = request->question_id() != 0;
    const Matter matter = question ? Matter{Matter::Kind::kQuestion, request->question_id()}
                                   : Matter{Matter::Kind::kFinding, request->finding_id()};
    const auto is_open = [&](const engine::Referee& referee, const TileArt&) -> absl::Status {
      const auto among = [&](const auto& open) {
        return std::any_of(open.begin(), open.end(),
                           [&](const auto& one) { return one.id == matter.id; });
      };
      if (question ? among(referee.questions()) : among(referee.findings())) {
        return absl::OkStatus();
      }
      return absl::NotFoundError(
          absl::StrCat(question ? "question_id: no question " : "finding_id: no finding ",
                       matter.id, " is open"));
    };
    if (absl::Status status = (*table)->Ask(is_open); !status.ok()) return status;
    *response = (*table)->evidence().Tell(matter);
    return absl::OkStatus();
  });
}

grpc::Status QueryServiceImpl::ListClips(grpc::ServerContext* context,
                                         const v1::ListClipsRequest* request,
                                         v1::ListClipsResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto table = games_->Find(request->game_id());
    if (!table.ok()) return table.status();
    const Clips& clips = games_->clips();
    std::vector<v1::Clip> all = clips.List((*table)->id());
    const auto page = PageOf(*request, all.size(), response, kClipPages);
    if (!page.ok()) return page.status();
    for (std::size_t i = page->from; i < page->to; ++i) {
      clips.AddPictures(&all[i]);
      *response->add_clips() = std::move(all[i]);
    }
    return absl::OkStatus();
  });
}

grpc::Status QueryServiceImpl::ListTileSets(grpc::ServerContext* context,
                                            const v1::ListTileSetsRequest* request,
                                            v1::ListTileSetsResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto owners = games_->tile_sets().own().Read();
    if (!owners.ok()) return owners.status();
    const auto all = AllTileSets(&owners->file);
    if (!all.ok()) return all.status();
    for (const std::string& id : all->SetIds()) {
      const engine::TileSetFile::Set& box = *all->Find(id);
      const auto set = engine::TileSet::Load(id, engine::TileSet::DefaultFolder(), &owners->file);
      v1::TileSetSummary* out = response->add_tile_sets();
      out->set_id(id);
      out->set_name(box.name);
      out->set_tiles(static_cast<std::uint32_t>(box.Total()));
      out->set_addition(!set.ok() || box.Total() < kFewestTilesOfAGame);
      if (!set.ok()) continue;
      const std::vector<std::string> presets = engine::PresetsOfBox(id);
      if (!presets.empty()) out->set_preset(presets.front());
    }
    for (const std::string& name : engine::Rules::PresetNames()) {
      v1::RulesPreset* preset = response->add_presets();
      preset->set_name(name);
      const auto rules = engine::Rules::Preset(name)->ToMap();
      preset->mutable_rules()->insert(rules.begin(), rules.end());
    }
    if (auto box = games_->RecognisedBox()) *response->mutable_recognised() = *std::move(box);
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
