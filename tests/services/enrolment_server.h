// The enrolment service at a camera whose picture a test lays down, and a channel to it.
#pragma once

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "grpcpp/grpcpp.h"
#include "services/enrolment_service.h"

namespace tilewarden::services {

struct TestCamera {
  cv::Mat picture;  // empty: none
  std::shared_ptr<const calibration::ReferencePack> pack;
};

class EnrolmentServer {
 public:
  // `engine`: to ask who calls. `camera` outlives this.
  EnrolmentServer(const std::filesystem::path& data, const std::shared_ptr<grpc::Channel>& engine,
                  TestCamera* camera)
      : guard_(engine), service_(data, &guard_, At(camera)) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }
  std::shared_ptr<grpc::Channel> Channel() {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(-1);
    return server_->InProcessChannel(arguments);
  }

 private:
  static EnrolmentServiceImpl::Camera At(TestCamera* camera) {
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
  EnrolmentServiceImpl service_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace tilewarden::services
