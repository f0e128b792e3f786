// Answers PlayerService from the games of one store.
//
// Thread safe. Calls block on the disk: listing for two seconds at most, where games that ended
// long ago must be counted first; deletion for as long as it takes.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <utility>

#include "services/access/guard.h"
#include "services/table/games.h"
#include "tilewarden/v1/players.grpc.pb.h"

namespace tilewarden::services {

class PlayerServiceImpl final : public v1::PlayerService::Service {
 public:
  // `data`: the folder where names may lie besides the store; `log`: the file of games in it that
  // the store has open; empty: none.
  PlayerServiceImpl(Games* games, Guard* guard, std::filesystem::path data,
                    std::filesystem::path log)
      : games_(games), guard_(guard), data_(std::move(data)), log_(std::move(log)) {}

  grpc::Status ListPlayers(grpc::ServerContext* context, const v1::ListPlayersRequest* request,
                           v1::ListPlayersResponse* response) override;
  grpc::Status ExportPlayer(grpc::ServerContext* context, const v1::ExportPlayerRequest* request,
                            v1::ExportPlayerResponse* response) override;
  grpc::Status DeletePlayer(grpc::ServerContext* context, const v1::DeletePlayerRequest* request,
                            v1::DeletePlayerResponse* response) override;

 private:
  absl::Status Count(const StoredGame& game, v1::GameSummary* summary);
  absl::Status Delete(const std::string& name, v1::DeletePlayerResponse* response);
  absl::Status DeleteFromGames(const std::string& name, v1::DeletePlayerResponse* response);

  Games* const games_;
  Guard* const guard_;
  const std::filesystem::path data_, log_;
  std::mutex counting_, deleting_;  // one at a time
};

}  // namespace tilewarden::services
