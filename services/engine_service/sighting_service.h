// Answers SightingService: where cameras report. Thread safe; blocks on the disk.
#pragma once

#include <map>
#include <mutex>
#include <string>

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

  // One of a caller's streams, while it lives. A camera needs one; each holds a thread here.
  class OpenStream {
   public:
    OpenStream(SightingServiceImpl* service, const Caller& caller);
    ~OpenStream();
    OpenStream(const OpenStream&) = delete;
    OpenStream& operator=(const OpenStream&) = delete;
    bool allowed() const { return allowed_; }

   private:
    SightingServiceImpl* const service_;
    const std::string whose_;
    bool allowed_ = true;
  };

  Games* const games_;
  Guard* const guard_;
  std::mutex mutex_;
  std::map<std::string, int> streams_;  // by token
};

}  // namespace tilewarden::services
