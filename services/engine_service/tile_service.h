// Answers TileService: tile types as an owner draws and corrects them. Thread
// safe; blocks on the disk.
#pragma once

#include "services/access/guard.h"
#include "services/base/repeated.h"
#include "services/boxes/own_tiles.h"
#include "tilewarden/v1/tiles.grpc.pb.h"

namespace tilewarden::services {

class TileServiceImpl final : public v1::TileService::Service {
 public:
  TileServiceImpl(OwnTiles* own, Guard* guard) : own_(own), guard_(guard) {}

  grpc::Status ListTileDefinitions(grpc::ServerContext* context,
                                   const v1::ListTileDefinitionsRequest* request,
                                   v1::ListTileDefinitionsResponse* response) override;
  grpc::Status CheckTile(grpc::ServerContext* context, const v1::CheckTileRequest* request,
                         v1::CheckTileResponse* response) override;
  grpc::Status SaveTile(grpc::ServerContext* context, const v1::SaveTileRequest* request,
                        v1::SaveTileResponse* response) override;
  grpc::Status RemoveTile(grpc::ServerContext* context, const v1::RemoveTileRequest* request,
                          v1::RemoveTileResponse* response) override;

 private:
  absl::Status Save(const v1::SaveTileRequest& request, v1::SaveTileResponse* response);

  OwnTiles* const own_;
  Guard* const guard_;
  Repeated<v1::SaveTileResponse> saved_{100};
};

}  // namespace tilewarden::services
