// The vision service: reads a table from a source of frames and reports what it
// sees to the engine service. Tells about itself as VisionService.
#pragma once

#include <atomic>
#include <chrono>
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
#include "services/camera/camera_service.h"
#include "services/camera/chosen_source.h"
#include "services/camera/enrolment_service.h"
#include "services/camera/phone_camera.h"
#include "services/camera/phone_view.h"
#include "services/camera/reporter.h"
#include "services/camera/rest_times.h"
#include "services/camera/table_box.h"
#include "services/camera/table_camera.h"
#include "services/camera/top_view_times.h"
#include "tilewarden/v1/vision.grpc.pb.h"
#include "vision/frames/frame_source.h"
#include "vision/frames/straight_source.h"
#include "vision/options.h"
#include "vision/sighting.h"

namespace tilewarden::services {

class ChosenSource;

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
    // Where nobody said which box it is: finds out, and reads each game with its own.
    std::shared_ptr<TableBox> recognise;
    // Where a published edition was named, and people turn out to play with a river: reads that.
    std::shared_ptr<TableBox> rivers;
    // Whether people choose the camera; then its name changes.
    std::shared_ptr<const ChosenSource> chosen;
    // A phone that may be chosen as the camera: told what was seen in its pictures.
    std::shared_ptr<PhoneCamera> phone;
    // Told each frame once the engine service has judged what was seen in it, which is then waited
    // for; `settled`: the table lay still. From the thread of Run, which ends with its error.
    std::function<absl::Status(const vision::Frame& frame, bool settled)> judged;
  };
  // `pack`: null where it is recognised.
  VisionService(Options options, std::unique_ptr<vision::FrameSource> frames,
                std::shared_ptr<const calibration::ReferencePack> pack, Engines engines,
                std::stop_token stop);

  // How long a live source may be silent before that is reported. Short, because it is also
  // how long a stop may have to wait.
  static constexpr std::int64_t kOutage_ms = 2000;

  // Reads and reports until the source ends or `stop` is requested; waits for a
  // live source that falls silent, and goes on after what a picture makes us throw. Errors as
  // FrameSource, TableReader and Reporter. `joined` is told the game's id, and that of each game
  // that people begin at its table later.
  absl::Status Run(const std::function<void(const std::string& game_id)>& joined = {});

  std::uint64_t frames_read() const;

  // Safe from any thread, as all below. The newest picture. FAILED_PRECONDITION: there
  // is none; the message says why.
  absl::StatusOr<cv::Mat> Newest() const;
  // The newest frame as the camera took it, bent by its lens. As Newest.
  absl::StatusOr<vision::Frame> NewestAsTaken() const;
  // Straightens by this lens from the next frame on.
  void Use(const calibration::Lens& lens) { camera_.Use(lens); }
  // Reads with this pack, which has pictures, from the next frame on; nothing is to be recognised
  // any more.
  void ReadWith(std::shared_ptr<const calibration::ReferencePack> pack) {
    told_ = true;
    SetGameProblem("");
    camera_.ReadWith(std::move(pack));
  }
  // Null: no phone can be the camera.
  const std::shared_ptr<PhoneCamera>& phone() const { return options_.phone; }
  // The camera in use; empty: none.
  std::string source() const;
  // What lies below it, but for the picture.
  v1::GetTableViewResponse View() const;
  // Of the pack that it reads with.
  std::string tile_set() const { return camera_.tile_set(); }

  grpc::Status GetVisionStatus(grpc::ServerContext* context,
                               const v1::GetVisionStatusRequest* request,
                               v1::GetVisionStatusResponse* response) override;

 private:
  using Joined = std::function<void(const std::string& game_id)>;
  // One frame, read and reported.
  absl::Status Look(const vision::Frame& frame, const Joined& joined);
  // Reports to a game from now on, if there is one to report to. False: not yet.
  absl::StatusOr<bool> Join(const vision::Frame& frame, const Joined& joined);
  // Reads what the game is played with, where nobody said what lies there.
  void TakeBox();
  // People play with other tiles than they said at first: reads those.
  void TakeOtherTiles();
  void ReadAsPlayed(TableBox* box);
  bool Recognises() const { return options_.recognise != nullptr && !told_; }
  void TakeUp(const Joined& joined);
  void TellPhone(const vision::Frame& frame, const vision::Sighting& sighting);
  void NoteView(const vision::Sighting& sighting, const std::string& tile_set);
  // Sends what was reported once more, with its picture for people if one is due. The score does
  // not wait for it.
  absl::Status ReportTopView(const vision::Frame& frame, const TableCamera::Seen& seen);
  // The next try may go well: a live source is away, or something threw.
  bool MayHeal(const absl::Status& status);
  // If so: told, and read anew from the next frame on.
  bool Heals(const absl::Status& status);
  // Once for each change, to the log, to this service's status and to the page.
  void TellProblem(const absl::Status& status);
  // Empty: all is well. Whether it is another one than before.
  bool SetCameraProblem(std::string problem);
  void SetGameProblem(std::string problem);
  void SetNewest(const cv::Mat& picture);

  const Options options_;
  TableCamera camera_;
  const std::stop_token stop_;
  Reporter reporter_;
  TopViewTimes top_view_times_;
  RestTimes rest_times_;
  std::atomic<bool> told_ = false;  // which box it is, by people
  int faults_ = 0;    // pictures of a recording that could not be read, one after the other
  std::string game_;  // that is reported to; empty: none yet
  std::string last_joined_;
  std::string game_tiles_;  // that it is played with, as far as the camera was told
  std::string guess_;       // what the last look said of the box
  std::chrono::steady_clock::time_point asked_{};  // for a game
  PhoneView phone_view_;

  mutable std::mutex mutex_;
  cv::Mat newest_;
  v1::GetVisionStatusResponse status_;
  v1::GetTableViewResponse view_;
  std::string camera_problem_, game_problem_;
};

// The vision service as a server: its status, enrolment and calibration with its camera,
// health and reflection.
class VisionServer {
 public:
  // `listen`: host and port, port 0 takes a free one; empty: only Channel(). `data`: the
  // data folder, where enrolled boxes and the
  // camera's profile are kept. UNAVAILABLE: it cannot be listened on.
  // FAILED_PRECONDITION: other machines would reach it. `guard`, `service` and `chosen`, with
  // which people choose the camera, outlive this.
  static absl::StatusOr<std::unique_ptr<VisionServer>> Start(const std::string& listen,
                                                             const std::filesystem::path& data,
                                                             AskingGuard* guard,
                                                             VisionService* service,
                                                             ChosenSource* chosen = nullptr);
  ~VisionServer();
  const std::string& address() const { return address_; }
  // A channel inside this process.
  std::shared_ptr<grpc::Channel> Channel();

 private:
  VisionServer(const std::filesystem::path& data, AskingGuard* guard, VisionService* service,
               ChosenSource* chosen);

  std::unique_ptr<v1::VisionService::Service> status_;
  CameraServiceImpl camera_;
  EnrolmentServiceImpl enrolment_;
  CalibrationServiceImpl calibration_;
  std::string address_;
  std::unique_ptr<grpc::Server> server_;
};

}  // namespace tilewarden::services
