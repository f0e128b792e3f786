#include "services/camera/calibration_service.h"

#include <optional>
#include <thread>
#include <utility>

#include "calibration/camera/board_look.h"
#include "calibration/camera/camera_profile.h"
#include "calibration/camera/lens_solver.h"
#include "google/protobuf/util/message_differencer.h"
#include "services/access/guard.h"
#include "services/base/status.h"

namespace tilewarden::services {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::seconds kHeartbeat{5};
constexpr std::chrono::minutes kLooksAreKept{10};
constexpr std::chrono::milliseconds kBetweenFrames{30};

v1::BoardTilt ToProto(calibration::Tilt tilt) {
  switch (tilt) {
    case calibration::Tilt::kNone:
      return v1::BOARD_TILT_NONE;
    case calibration::Tilt::kLeft:
      return v1::BOARD_TILT_LEFT;
    case calibration::Tilt::kRight:
      return v1::BOARD_TILT_RIGHT;
    case calibration::Tilt::kTop:
      return v1::BOARD_TILT_TOP;
    case calibration::Tilt::kBottom:
      break;
  }
  return v1::BOARD_TILT_BOTTOM;
}

v1::LensVerdict ToProto(calibration::Verdict verdict) {
  switch (verdict) {
    case calibration::Verdict::kGood:
      return v1::LENS_VERDICT_GOOD;
    case calibration::Verdict::kUsable:
      return v1::LENS_VERDICT_USABLE;
    case calibration::Verdict::kPoor:
      break;
  }
  return v1::LENS_VERDICT_POOR;
}

// Why there is no look, by the errors of calibration::FindBoard and LensGuide::Add.
v1::LookObstacle ObstacleOf(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return v1::LOOK_OBSTACLE_UNSPECIFIED;
    case absl::StatusCode::kInvalidArgument:
      return v1::LOOK_OBSTACLE_OTHER_BOARD;
    case absl::StatusCode::kFailedPrecondition:
      return v1::LOOK_OBSTACLE_UNCLEAR;
    case absl::StatusCode::kAlreadyExists:
      return v1::LOOK_OBSTACLE_SAME;
    default:
      return v1::LOOK_OBSTACLE_NO_BOARD;
  }
}

v1::CalibrateCameraResponse Told(const calibration::LensGuide& guide, v1::LookObstacle obstacle) {
  v1::CalibrateCameraResponse told;
  const calibration::LensGuide::Wish wish = guide.Next();
  told.set_place(static_cast<std::uint32_t>(wish.place));
  told.set_tilt(ToProto(wish.tilt));
  told.set_progress(guide.Progress());
  told.set_coverage(guide.Coverage());
  told.set_looks(static_cast<std::uint32_t>(guide.looks().size()));
  told.set_obstacle(obstacle);
  return told;
}

void AddLooks(const calibration::LensGuide& guide, std::size_t first,
              v1::CalibrateCameraResponse* told) {
  for (std::size_t i = first; i < guide.looks().size(); ++i) {
    v1::CalibrationLook* look = told->add_new_looks();
    for (const cv::Point2f& corner : guide.looks()[i].corners_px) {
      v1::Point* point = look->add_corners();
      point->set_x(corner.x);
      point->set_y(corner.y);
    }
  }
}

}  // namespace

std::filesystem::path KeptProfile(const std::filesystem::path& data) {
  return data / "camera.toml";
}

grpc::Status CalibrationServiceImpl::GetCalibrationBoard(
    grpc::ServerContext* context, const v1::GetCalibrationBoardRequest* request,
    v1::GetCalibrationBoardResponse* response) {
  return Guarded(guard_, context, *request, [&] {
    response->set_columns(static_cast<std::uint32_t>(board_.columns));
    response->set_rows(static_cast<std::uint32_t>(board_.rows));
    for (const cv::Rect2d& black : calibration::BoardInk(board_)) {
      v1::Rectangle* ink = response->add_ink();
      ink->set_x(black.x / board_.square_mm);
      ink->set_y(black.y / board_.square_mm);
      ink->set_width(black.width / board_.square_mm);
      ink->set_height(black.height / board_.square_mm);
    }
    return absl::OkStatus();
  });
}

grpc::Status CalibrationServiceImpl::CalibrateCamera(
    grpc::ServerContext* context, const v1::CalibrateCameraRequest* request,
    grpc::ServerWriter<v1::CalibrateCameraResponse>* writer) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock()) {
      return absl::FailedPreconditionError(
          "the camera is being calibrated from another page; carry on there, or close it");
    }
    if (request->anew() || steady_clock::now() - last_look_ > kLooksAreKept) guide_ = {};
    return Guide(*context, writer);
  });
}

absl::Status CalibrationServiceImpl::Guide(
    const grpc::ServerContext& context, grpc::ServerWriter<v1::CalibrateCameraResponse>* writer) {
  v1::CalibrateCameraResponse last;
  std::size_t looks_told = 0;
  std::optional<std::int64_t> last_frame;
  cv::Size size;
  auto told_at = steady_clock::now() - kHeartbeat;
  while (!context.IsCancelled()) {
    const auto frame = camera_.newest();
    v1::LookObstacle obstacle = v1::LOOK_OBSTACLE_NO_PICTURE;
    if (frame.ok()) {
      if (frame->number == last_frame) {
        std::this_thread::sleep_for(kBetweenFrames);
        obstacle = last.obstacle();
      } else {
        last_frame = frame->number;
        if (!size.empty() && size != frame->picture.size()) guide_ = {};
        size = frame->picture.size();
        obstacle = TakeLook(*frame);
      }
    } else {
      std::this_thread::sleep_for(kBetweenFrames);
    }
    v1::CalibrateCameraResponse told = Told(guide_, obstacle);
    told.set_width(static_cast<std::uint32_t>(size.width));
    told.set_height(static_cast<std::uint32_t>(size.height));
    const bool same = google::protobuf::util::MessageDifferencer::Equals(told, last);
    if (same && steady_clock::now() - told_at < kHeartbeat) continue;
    last = told;
    told_at = steady_clock::now();
    AddLooks(guide_, std::min(looks_told, guide_.looks().size()), &told);
    looks_told = guide_.looks().size();
    const bool enough = guide_.Progress() >= 1;
    if (!writer->Write(told)) break;
    if (!enough) continue;
    told.clear_new_looks();
    *told.mutable_result() = Solve();
    writer->Write(told);
    break;
  }
  return absl::OkStatus();
}

v1::LookObstacle CalibrationServiceImpl::TakeLook(const vision::Frame& frame) {
  const auto look = calibration::FindBoard(frame.picture, board_);
  if (!look.ok()) return ObstacleOf(look.status());
  const absl::Status taken = guide_.Add(*look);
  if (taken.ok()) last_look_ = steady_clock::now();
  return ObstacleOf(taken);
}

v1::LensResult CalibrationServiceImpl::Solve() {
  v1::LensResult result;
  const auto fit = calibration::SolveLens(guide_.looks());
  // What was not enough is of no use to the next call.
  guide_ = {};
  if (!fit.ok()) {
    result.set_verdict(v1::LENS_VERDICT_POOR);
    result.set_text(std::string(fit.status().message()));
    return result;
  }
  result.set_verdict(ToProto(fit->verdict()));
  result.set_rms_px(fit->rms_px);
  result.set_halves_px(fit->halves.rms_px);
  result.set_text(fit->Describe());
  if (fit->verdict() == calibration::Verdict::kPoor) return result;
  const auto profile = calibration::CameraProfile::Of(*fit);
  if (const absl::Status saved = profile.Save(profile_); !saved.ok()) {
    result.set_text(std::string(saved.message()));
    return result;
  }
  camera_.use(fit->lens);
  result.set_kept(true);
  return result;
}

}  // namespace tilewarden::services
