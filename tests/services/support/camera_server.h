// What a vision service answers at a camera whose picture a test lays down, and a channel
// to it.
#pragma once

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "services/camera/calibration_service.h"
#include "services/camera/camera_service.h"
#include "services/camera/enrolment_service.h"

namespace tilewarden::services {

struct TestCamera {
  cv::Mat picture;  // empty: none
  std::shared_ptr<const calibration::ReferencePack> pack;
};

class CameraServer {
 public:
  // `engine`: to ask who calls. `camera` outlives this.
  CameraServer(const std::filesystem::path& data, const std::shared_ptr<grpc::Channel>& engine,
               TestCamera* camera)
      : guard_(engine),
        camera_(&guard_, CameraAt(camera)),
        enrolment_(data, &guard_, EnrolmentAt(camera)),
        calibration_(data, &guard_, CalibrationAt(camera)) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&camera_);
    builder.RegisterService(&enrolment_);
    builder.RegisterService(&calibration_);
    server_ = builder.BuildAndStart();
  }
  std::shared_ptr<grpc::Channel> Channel() {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    return server_->InProcessChannel(arguments);
  }

 private:
  static CameraServiceImpl::Camera CameraAt(TestCamera* camera) {
    return {[] { return "pictures"; },
            [camera]() -> absl::StatusOr<cv::Mat> { return camera->picture; },
            [] { return v1::GetTableViewResponse(); }, nullptr, nullptr};
  }
  static CalibrationServiceImpl::Camera CalibrationAt(TestCamera* camera) {
    return {[camera]() -> absl::StatusOr<vision::Frame> {
              if (camera->picture.empty()) return absl::FailedPreconditionError("plug it in");
              return vision::Frame{camera->picture, 0, 0, ""};
            },
            [](const calibration::Lens&) {}};
  }
  static EnrolmentServiceImpl::Camera EnrolmentAt(TestCamera* camera) {
    return {[camera]() -> absl::StatusOr<cv::Mat> {
              if (camera->picture.empty()) {
                return absl::FailedPreconditionError("plug the camera in");
              }
              return camera->picture;
            },
            [camera](auto pack) { camera->pack = std::move(pack); },
            [camera] { return camera->pack ? camera->pack->tile_set : "none"; }};
  }

  AskingGuard guard_;
  CameraServiceImpl camera_;
  EnrolmentServiceImpl enrolment_;
  CalibrationServiceImpl calibration_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace tilewarden::services
