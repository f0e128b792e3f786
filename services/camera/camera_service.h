// Answers CameraService: which camera sees the table, and what lies below it. Thread safe; opens
// cameras, and blocks while it does.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "services/camera/phone_camera.h"
#include "services/client/asking_guard.h"
#include "tilewarden/v1/camera.grpc.pb.h"

namespace tilewarden::services {

class CameraServiceImpl final : public v1::CameraService::Service {
 public:
  // What the camera's owner says of it; called from any thread.
  struct Camera {
    std::function<std::string()> source;              // that is looked through
    std::function<absl::StatusOr<cv::Mat>()> newest;  // picture, 8-bit BGR
    std::function<v1::GetTableViewResponse()> view;   // but for the picture
    // Looks through another one from now on. None: the camera was given, and stays.
    std::function<absl::Status(const std::string& source)> choose;
    // Where a phone's pictures go; null: no phone can be the camera.
    std::shared_ptr<PhoneCamera> phone;
  };

  // `guard` outlives this.
  CameraServiceImpl(AskingGuard* guard, Camera camera)
      : guard_(guard), camera_(std::move(camera)) {}

  grpc::Status ListCameras(grpc::ServerContext* context, const v1::ListCamerasRequest* request,
                           v1::ListCamerasResponse* response) override;
  grpc::Status ChooseCamera(grpc::ServerContext* context, const v1::ChooseCameraRequest* request,
                            v1::ChooseCameraResponse* response) override;
  grpc::Status SendPicture(grpc::ServerContext* context, const v1::SendPictureRequest* request,
                           v1::SendPictureResponse* response) override;
  grpc::Status GetTableView(grpc::ServerContext* context, const v1::GetTableViewRequest* request,
                            v1::GetTableViewResponse* response) override;

 private:
  AskingGuard* const guard_;
  const Camera camera_;
  std::mutex opening_;  // one camera at a time
};

}  // namespace tilewarden::services
