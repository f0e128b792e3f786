#include "services/engine_service/sighting_service.h"

#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/access/bounds.h"
#include "services/base/check_text.h"
#include "services/base/clock.h"
#include "services/base/request_key.h"
#include "services/boxes/edition.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

absl::Status AnotherTable(const Caller& caller) {
  return absl::PermissionDeniedError(absl::StrCat("this camera was let in for the table '",
                                                  caller.grant.table,
                                                  "' alone; pair it again for another"));
}

constexpr int kMostStreams = 8;

void AddSpecialFigures(const v1::GameState& game, google::protobuf::RepeatedField<int>* out) {
  for (const vision::FigureKind kind :
       SpecialFiguresOf({game.rules().begin(), game.rules().end()})) {
    out->Add(ToProto(kind));
  }
}

// What a camera is told about the game that it joins.
absl::Status Joined(const absl::StatusOr<v1::GameState>& game, v1::JoinGameResponse* response) {
  if (!game.ok()) return game.status();
  response->set_game_id(game->game_id());
  response->set_tile_set(game->tile_set());
  AddSpecialFigures(*game, response->mutable_special_figures());
  return absl::OkStatus();
}

// To a camera that stays with its table.
absl::Status Deleted() { return absl::OutOfRangeError("the game was deleted; join another one"); }

}  // namespace

SightingServiceImpl::OpenStream::OpenStream(SightingServiceImpl* service, const Caller& caller)
    : service_(service), whose_(caller.token_id) {
  if (whose_.empty()) return;
  const std::lock_guard lock(service_->mutex_);
  allowed_ = ++service_->streams_[whose_] <= kMostStreams;
}

SightingServiceImpl::OpenStream::~OpenStream() {
  if (whose_.empty()) return;
  const std::lock_guard lock(service_->mutex_);
  if (--service_->streams_[whose_] == 0) service_->streams_.erase(whose_);
}

absl::StatusOr<std::shared_ptr<Table>> SightingServiceImpl::TableFor(const Caller& caller,
                                                                     const std::string& game_id,
                                                                     const std::string& tile_set) {
  if (game_id.empty()) return games_->FindOpenOrCreate(tile_set, caller.grant.table);
  auto table = games_->Find(game_id);
  if (table.ok() && !caller.grant.table.empty() && (*table)->table_name() != caller.grant.table) {
    return AnotherTable(caller);
  }
  return table;
}

grpc::Status SightingServiceImpl::JoinGame(grpc::ServerContext* context,
                                           const v1::JoinGameRequest* request,
                                           v1::JoinGameResponse* response) {
  return Guarded(guard_, context, *request, [&](const Caller& caller) -> absl::Status {
    absl::StatusOr<std::shared_ptr<Table>> found = absl::NotFoundError("");
    if (!request->new_game() && !request->game_id().empty()) {
      found = TableFor(caller, request->game_id(), "");
      if (!found.ok()) return found.status();
      return Joined((*found)->State(), response);
    }
    const std::string& bound = caller.grant.table;
    if (!bound.empty() && !request->name().empty() && request->name() != bound) {
      return AnotherTable(caller);
    }
    const std::string offered = games_->TakeOffer(bound);
    if (!request->new_game() && !offered.empty()) {
      found = games_->Find(offered);
      if (!found.ok()) return found.status();
      return Joined((*found)->State(), response);
    }
    if (!request->new_game()) {
      const auto open = games_->FindOpen(bound);
      if (!open.ok()) return open.status();
      if (*open != nullptr) {
        return Joined((*open)->State(), response);
      }
    }
    if (request->only_join()) {
      return absl::NotFoundError("no game is under way; start one on the page");
    }
    v1::CreateGameRequest create;
    create.set_request_id(request->request_id());
    create.set_tile_set(request->tile_set());
    create.set_name(bound.empty() ? request->name() : bound);
    create.set_preset(request->preset());
    *create.mutable_rules() = request->rules();
    v1::CreateGameResponse created;
    if (absl::Status status = games_->CreateOnce(create, &created); !status.ok()) return status;
    return Joined(created.state(), response);
  });
}

grpc::Status SightingServiceImpl::ReportSightings(
    grpc::ServerContext* context, grpc::ServerReader<v1::ReportSightingsRequest>* reader,
    v1::ReportSightingsResponse* response) {
  v1::ReportSightingsRequest request;
  return Guarded(guard_, context, request, [&](const Caller& caller) -> absl::Status {
    const OpenStream one(this, caller);
    if (!one.allowed()) {
      return absl::ResourceExhaustedError(
          absl::StrCat("this camera has ", kMostStreams, " streams open already; close one"));
    }
    std::shared_ptr<Table> table;
    std::optional<CameraView::Stream> stream;
    std::string session;
    std::optional<std::uint64_t> seen;  // the last one's number
    bool follows = false;
    while (reader->Read(&request)) {
      if (auto status = guard_->StillAdmitted(caller, MethodOf<v1::ReportSightingsRequest>());
          !status.ok()) {
        return status;
      }
      if (auto status = CheckBounds(request); !status.ok()) return status;
      if (table == nullptr) {
        if (auto status = CheckText("session", request.session(), kLongestId); !status.ok()) {
          return status;
        }
        session = request.session();
        follows = request.follow_table();
        auto found = TableFor(caller, request.game_id(), request.tile_set());
        if (follows && absl::IsNotFound(found.status())) return Deleted();
        if (!found.ok()) return found.status();
        table = *std::move(found);
        stream.emplace(&table->camera(), request.tile_set());
        response->set_game_id(table->id());
      } else if (!request.game_id().empty() && request.game_id() != table->id()) {
        return absl::InvalidArgumentError("game_id: one stream reports to one game");
      }
      if (follows && games_->OffersAnother(caller.grant.table, table->id())) {
        // No answer: who still writes would not take it, and both would wait.
        return absl::OutOfRangeError("people have begun another game at this table; join it");
      }
      if (follows && absl::IsNotFound(table->left())) return Deleted();
      auto sighting = FromProto(request.sighting());
      if (!sighting.ok()) return sighting.status();
      const bool again = std::exchange(seen, sighting->sequence) == sighting->sequence;
      if (follows && table->ended()) {
        if (!again) table->camera().Saw(request.sighting(), std::nullopt, NowMs());
        continue;
      }
      if (again) {
        // Its picture, which the score did not wait for.
        const auto lies = table->Alignment();
        table->camera().Pictured(request.sighting(), lies, NowMs());
        table->Saw(request.sighting(), lies);
        continue;
      }
      const auto judged = table->Observe(session, *std::move(sighting));
      if (!judged.ok()) return judged.status();
      if (!*judged) {
        seen.reset();
        continue;
      }
      response->set_accepted(response->accepted() + 1);
      const auto lies = table->Alignment();
      table->camera().Saw(request.sighting(), lies, NowMs());
      table->Saw(request.sighting(), lies);
    }
    // A stop of this service ends the stream too: the camera is to come again.
    if (context->IsCancelled()) return absl::UnavailableError("the stream was cut off");
    if (table == nullptr) return absl::InvalidArgumentError("the stream holds no sighting");
    const auto game = table->State();
    if (game.ok()) {
      AddSpecialFigures(*game, response->mutable_special_figures()->mutable_kinds());
      response->set_tile_set(game->tile_set());
    }
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
