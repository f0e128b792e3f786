// Answers QueryService: questions about games that change nothing. Thread safe;
// a preview blocks on the disk.
#pragma once

#include "services/engine_service/game_service.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {

class QueryServiceImpl final : public v1::QueryService::Service {
 public:
  QueryServiceImpl(Games* games, Guard* guard) : games_(games), guard_(guard) {}

  grpc::Status DescribeFeature(grpc::ServerContext* context,
                               const v1::DescribeFeatureRequest* request,
                               v1::DescribeFeatureResponse* response) override;
  grpc::Status ListTurns(grpc::ServerContext* context, const v1::ListTurnsRequest* request,
                         v1::ListTurnsResponse* response) override;
  grpc::Status ListChoices(grpc::ServerContext* context, const v1::ListChoicesRequest* request,
                           v1::ListChoicesResponse* response) override;
  grpc::Status PreviewChange(grpc::ServerContext* context, const v1::PreviewChangeRequest* request,
                             v1::PreviewChangeResponse* response) override;
  grpc::Status ExportGame(grpc::ServerContext* context, const v1::ExportGameRequest* request,
                          v1::ExportGameResponse* response) override;
  grpc::Status GetCameraView(grpc::ServerContext* context, const v1::GetCameraViewRequest* request,
                             v1::GetCameraViewResponse* response) override;
  grpc::Status GetFindingEvidence(grpc::ServerContext* context,
                                  const v1::GetFindingEvidenceRequest* request,
                                  v1::GetFindingEvidenceResponse* response) override;
  grpc::Status ListClips(grpc::ServerContext* context, const v1::ListClipsRequest* request,
                         v1::ListClipsResponse* response) override;
  grpc::Status ListTileSets(grpc::ServerContext* context, const v1::ListTileSetsRequest* request,
                            v1::ListTileSetsResponse* response) override;

 private:
  Games* const games_;
  Guard* const guard_;
};

}  // namespace tilewarden::services
