// The vision service: reads a table from a source of frames and reports what it
// sees to the engine service. Tells about itself as VisionService.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "calibration/box/reference_pack.h"
#include "calibration/camera/lens.h"
#include "engine/tiles/tile_set.h"
#include "grpcpp/grpcpp.h"
#include "services/camera/calibration_service.h"
#include "services/camera/enrolment_service.h"
#include "services/camera/reporter.h"
#include "services/camera/table_camera.h"
#include "services/camera/top_view_times.h"
#include "tilewarden/v1/vision.grpc.pb.h"
#include "vision/frames/frame_source.h"
#include "vision/frames/straight_source.h"
#include "vision/options.h"
#include "vision/sighting.h"

namespace tilewarden::services {

class VisionService final : public v1::VisionService::Service {
 public:
  struct Options {
    std::string source;  // as vision::OpenFrameSource takes it
    vision::Options reading;
    // Of the camera, where it is known; frames of another size are treated so.
    std::optional<calibration::Lens> lens;
    vision::OtherSize other_size = vision::OtherSize::kRefuse;
    Reporter::Options game;
    // Of the pack: what a published edition may show, and for the pictures of
    // `reading.debug_folder`.
    std::shared_ptr<const engine::TileSet> tiles;
  };
  VisionService(Options options, std::unique_ptr<vision::FrameSource> frames,
                std::shared_ptr<const calibration::ReferencePack> pack, Engines engines,
                std::stop_token stop);

  // How long a live source may be silent before that is reported. Short, because it is also
  // how long a stop may have to wait.
  static constexpr std::int64_t kOutage_ms = 2000;

  // Reads and reports until the source ends or `stop` is requested; waits for a
  // live source that falls silent, and goes on after what a picture makes us throw. Errors as
  // FrameSource, TableReader and Reporter. `joined` is told the game's id.
  absl::Status Run(const std::function<void(const std::string& game_id)>& joined = {});

  std::uint64_t frames_read() const;

  // Safe from any thread, as all below. The newest picture. FAILED_PRECONDITION: there
  // is none; the message says why.
  absl::StatusOr<cv::Mat> Newest() const;
  // The newest frame as the camera took it, bent by its lens. As Newest.
  absl::StatusOr<vision::Frame> NewestAsTaken() const;
  // Straightens by this lens from the next frame on.
  void Use(const calibration::Lens& lens) { camera_.Use(lens); }
  // Reads with this pack, which has pictures, from the next frame on.
  void ReadWith(std::shared_ptr<const calibration::ReferencePack> pack) {
    camera_.ReadWith(std::move(pack));
  }
  // Of the pack that it reads with.
  std::string tile_set() const { return camera_.tile_set(); }

  grpc::Status GetVisionStatus(grpc::ServerContext* context,
                               const v1::GetVisionStatusRequest* request,
                               v1::GetVisionStatusResponse* response) override;

 private:
  void AddTopView(const cv::Mat& picture, const vision::Sighting& sighting, v1::Sighting* seen);
  // The next try may go well: a live source is away, or something threw.
  bool MayHeal(const absl::Status& status) const;
  // Empty: all is well.
  void SetCameraProblem(std::string problem);
  void SetNewest(const cv::Mat& picture);

  const Options options_;
  TableCamera camera_;
  const std::stop_token stop_;
  Reporter reporter_;
  TopViewTimes top_view_times_;

  mutable std::mutex mutex_;
  cv::Mat newest_;
  v1::GetVisionStatusResponse status_;
  std::string camera_problem_;
};

// The vision service as a server: its status, enrolment and calibration with its camera,
// health and reflection.
class VisionServer {
 public:
  // `listen`: host and port, port 0 takes a free one; empty: only Channel(). `data`: the
  // data folder, where enrolled boxes and the
  // camera's profile are kept. UNAVAILABLE: it cannot be listened on.
  // FAILED_PRECONDITION: other machines would reach it. `guard` and `service` outlive this.
  static absl::StatusOr<std::unique_ptr<VisionServer>> Start(const std::string& listen,
                                                             const std::filesystem::path& data,
                                                             AskingGuard* guard,
                                                             VisionService* service);
  ~VisionServer();
  const std::string& address() const { return address_; }
  // A channel inside this process.
  std::shared_ptr<grpc::Channel> Channel();

 private:
  VisionServer(const std::filesystem::path& data, AskingGuard* guard, VisionService* service);

  EnrolmentServiceImpl enrolment_;
  CalibrationServiceImpl calibration_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace tilewarden::services
