// Answers CameraService: which camera sees the table, and what lies below it. Thread safe; opens
// cameras, and blocks while it does.
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "services/client/asking_guard.h"
#include "tilewarden/v1/camera.grpc.pb.h"

namespace tilewarden::services {

class ChosenSource;
class VisionService;

class CameraServiceImpl final : public v1::CameraService::Service {
 public:
  // `chosen` may be null: the camera was given, and stays. All outlive this.
  CameraServiceImpl(AskingGuard* guard, VisionService* vision, ChosenSource* chosen)
      : guard_(guard), vision_(vision), chosen_(chosen) {}

  grpc::Status ListCameras(grpc::ServerContext* context, const v1::ListCamerasRequest* request,
                           v1::ListCamerasResponse* response) override;
  grpc::Status ChooseCamera(grpc::ServerContext* context, const v1::ChooseCameraRequest* request,
                            v1::ChooseCameraResponse* response) override;
  grpc::Status GetTableView(grpc::ServerContext* context, const v1::GetTableViewRequest* request,
                            v1::GetTableViewResponse* response) override;

 private:
  AskingGuard* const guard_;
  VisionService* const vision_;
  ChosenSource* const chosen_;
  std::mutex opening_;  // one camera at a time
};

}  // namespace tilewarden::services
