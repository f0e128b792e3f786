// Answers SightingService: where cameras report. Thread safe; blocks on the disk.
#pragma once

#include "services/engine_service/game_service.h"
#include "tilewarden/v1/vision.grpc.pb.h"

namespace tilewarden::services {

class SightingServiceImpl final : public v1::SightingService::Service {
 public:
  SightingServiceImpl(Games* games, Guard* guard) : games_(games), guard_(guard) {}

  grpc::Status JoinGame(grpc::ServerContext* context, const v1::JoinGameRequest* request,
                        v1::JoinGameResponse* response) override;
  grpc::Status ReportSightings(grpc::ServerContext* context,
                               grpc::ServerReader<v1::ReportSightingsRequest>* reader,
                               v1::ReportSightingsResponse* response) override;

 private:
  // The game that a camera asked for by id; empty: the one that is open, or a new one.
  absl::StatusOr<std::shared_ptr<Table>> TableFor(const Caller& caller, const std::string& game_id,
                                                  const std::string& tile_set);

  Games* const games_;
  Guard* const guard_;
};

}  // namespace tilewarden::services
