// Answers CalibrationService: a running camera's lens measured with a board that is held
// up to it, and used from then on. Thread safe.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>

#include "absl/status/statusor.h"
#include "calibration/camera/lens.h"
#include "calibration/camera/lens_guide.h"
#include "calibration/print/printed_targets.h"
#include "services/client/asking_guard.h"
#include "tilewarden/v1/calibration.grpc.pb.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::services {

// Where the profile of a camera is kept: what is used when nobody names one.
std::filesystem::path KeptProfile(const std::filesystem::path& data);

class CalibrationServiceImpl final : public v1::CalibrationService::Service {
 public:
  // The running camera; both may be called from any thread.
  struct Camera {
    // Its newest frame as it was taken. FAILED_PRECONDITION: there is none.
    std::function<absl::StatusOr<vision::Frame>()> newest;
    std::function<void(const calibration::Lens&)> use;
  };
  // `guard` outlives this.
  CalibrationServiceImpl(const std::filesystem::path& data, AskingGuard* guard, Camera camera)
      : profile_(KeptProfile(data)), guard_(guard), camera_(std::move(camera)) {}

  grpc::Status GetCalibrationBoard(grpc::ServerContext* context,
                                   const v1::GetCalibrationBoardRequest* request,
                                   v1::GetCalibrationBoardResponse* response) override;
  grpc::Status CalibrateCamera(grpc::ServerContext* context,
                               const v1::CalibrateCameraRequest* request,
                               grpc::ServerWriter<v1::CalibrateCameraResponse>* writer) override;

 private:
  absl::Status Guide(const grpc::ServerContext& context,
                     grpc::ServerWriter<v1::CalibrateCameraResponse>* writer);
  // What keeps this frame from being a look; takes it if nothing does.
  v1::LookObstacle TakeLook(const vision::Frame& frame);
  v1::LensResult Solve();

  const std::filesystem::path profile_;
  AskingGuard* const guard_;
  const Camera camera_;
  const calibration::BoardLayout board_;

  std::mutex mutex_;  // held by the call that takes looks
  calibration::LensGuide guide_;
  std::chrono::steady_clock::time_point last_look_{};
};

}  // namespace tilewarden::services
