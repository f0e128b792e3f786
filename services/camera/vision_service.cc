#include "services/camera/vision_service.h"

#include <chrono>
#include <exception>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "services/access/addresses.h"
#include "services/access/listening.h"
#include "services/convert/convert.h"
#include "spdlog/spdlog.h"
#include "vision/show/top_view.h"

namespace tilewarden::services {

namespace {

// Of a recording, one after the other.
constexpr int kMostFaults = 20;

// What a picture makes OpenCV or us throw costs this picture and not the evening's game.
template <typename Work>
auto Caught(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const std::exception& error) {
    return absl::InternalError(
        absl::StrCat("the camera's picture cannot be read (", error.what(), ")"));
  }
}

}  // namespace

bool VisionService::MayHeal(const absl::Status& status) const {
  return absl::IsInternal(status) || (absl::IsUnavailable(status) && camera_.live());
}

VisionService::VisionService(Options options, std::unique_ptr<vision::FrameSource> frames,
                             std::shared_ptr<const calibration::ReferencePack> pack,
                             Engines engines, std::stop_token stop)
    : options_(std::move(options)),
      camera_(std::move(frames), std::move(pack),
              {options_.reading, options_.lens, options_.other_size, options_.tiles}),
      stop_(stop),
      reporter_(std::move(engines), options_.game, stop) {
  status_.set_source(options_.source);
}

absl::Status VisionService::Run(const std::function<void(const std::string&)>& joined) {
  if (auto status = options_.reading.Check(); !status.ok()) return status;
  if (auto status = reporter_.Begin(); !status.ok()) return status;
  if (joined) joined(reporter_.game_id());
  camera_.Expect(reporter_.special_figures());
  // A recording that cannot be read at all comes to an end.
  int faults = 0;
  const auto may_heal = [&](const absl::Status& status) {
    return MayHeal(status) && (camera_.live() || ++faults < kMostFaults);
  };
  while (!stop_.stop_requested()) {
    auto frame = Caught([&] { return camera_.NextFrame(); });
    if (may_heal(frame.status())) {
      // It is opened again and again meanwhile.
      SetCameraProblem(std::string(frame.status().message()));
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    if (!frame.ok()) {
      // What was seen before the error is reported before it.
      if (auto status = reporter_.Finish(); !status.ok()) return status;
      return frame.status();
    }
    if (!*frame) break;
    SetNewest((*frame)->picture);
    auto seen = Caught([&]() -> absl::StatusOr<TableCamera::Seen> {
      auto read = camera_.Read(**frame);
      if (read.ok()) AddTopView((*frame)->picture, read->sighting, &read->message);
      return read;
    });
    if (may_heal(seen.status())) {
      SetCameraProblem(std::string(seen.status().message()));
      camera_.BeginAnew();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    if (!seen.ok()) return seen.status();
    faults = 0;
    SetCameraProblem("");
    reporter_.SetTileSet(seen->tile_set);
    const std::uint64_t sequence = seen->message.sequence();
    if (auto status = reporter_.Report(std::move(seen->message)); !status.ok()) return status;
    const std::lock_guard lock(mutex_);
    status_.set_frames_read(status_.frames_read() + 1);
    status_.set_sightings_sent(sequence);
    status_.clear_stage_ms();
    for (const auto& [stage, ms] : seen->sighting.stage_ms) {
      (*status_.mutable_stage_ms())[stage] = ms;
    }
  }
  return reporter_.Finish();
}

void VisionService::AddTopView(const cv::Mat& picture, const vision::Sighting& sighting,
                               v1::Sighting* seen) {
  const auto now = std::chrono::steady_clock::now();
  if (!top_view_times_.Due(sighting.settled, sighting.hand, now)) return;
  const auto view = vision::StraightenToLattice(picture, sighting);
  if (!view) return;
  *seen->mutable_top_view() = ToProto(*view);
  top_view_times_.Sent(sighting.settled, now);
}

void VisionService::SetCameraProblem(std::string problem) {
  const std::lock_guard lock(mutex_);
  if (problem == camera_problem_) return;
  if (problem.empty()) {
    spdlog::info("{} sends pictures again", options_.source);
  } else {
    spdlog::warn("{}; trying again until it is back", problem);
  }
  camera_problem_ = std::move(problem);
}

void VisionService::SetNewest(const cv::Mat& picture) {
  const std::lock_guard lock(mutex_);
  newest_ = picture;
}

absl::StatusOr<cv::Mat> VisionService::Newest() const {
  const std::lock_guard lock(mutex_);
  if (!camera_problem_.empty()) return absl::FailedPreconditionError(camera_problem_);
  if (newest_.empty()) {
    return absl::FailedPreconditionError("there is no picture from the camera yet; try again");
  }
  return newest_;
}

absl::StatusOr<vision::Frame> VisionService::NewestAsTaken() const {
  if (const auto newest = Newest(); !newest.ok()) return newest.status();
  return camera_.NewestAsTaken();
}

std::uint64_t VisionService::frames_read() const {
  const std::lock_guard lock(mutex_);
  return status_.frames_read();
}

grpc::Status VisionService::GetVisionStatus(grpc::ServerContext*, const v1::GetVisionStatusRequest*,
                                            v1::GetVisionStatusResponse* response) {
  const std::lock_guard lock(mutex_);
  *response = status_;
  response->set_problem(camera_problem_.empty() ? reporter_.problem() : camera_problem_);
  return grpc::Status::OK;
}

VisionServer::VisionServer(const std::filesystem::path& data, AskingGuard* guard,
                           VisionService* service)
    : enrolment_(data, guard,
                 {[service] { return service->Newest(); },
                  [service](auto pack) { service->ReadWith(std::move(pack)); },
                  [service] { return service->tile_set(); }}),
      calibration_(data, guard,
                   {[service] { return service->NewestAsTaken(); },
                    [service](const calibration::Lens& lens) { service->Use(lens); }}) {}

absl::StatusOr<std::unique_ptr<VisionServer>> VisionServer::Start(const std::string& listen,
                                                                  const std::filesystem::path& data,
                                                                  AskingGuard* guard,
                                                                  VisionService* service) {
  if (!IsLoopbackListener(listen)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "a vision service only answers on its own machine; listen on 127.0.0.1, not ", listen));
  }
  std::unique_ptr<VisionServer> vision(new VisionServer(data, guard, service));
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  if (!listen.empty()) Listen(listen, std::nullopt, &builder, &port);
  builder.RegisterService(service);
  builder.RegisterService(&vision->enrolment_);
  builder.RegisterService(&vision->calibration_);
  vision->server_ = builder.BuildAndStart();
  if (vision->server_ == nullptr || (!listen.empty() && port == 0)) return CannotListen(listen);
  vision->address_ = WithPort(listen, port);
  return vision;
}

VisionServer::~VisionServer() {
  if (server_ == nullptr) return;
  server_->Shutdown(std::chrono::system_clock::now() + std::chrono::seconds(2));
  server_->Wait();
}

std::shared_ptr<grpc::Channel> VisionServer::Channel() {
  grpc::ChannelArguments arguments;
  arguments.SetMaxReceiveMessageSize(-1);
  return server_->InProcessChannel(arguments);
}

}  // namespace tilewarden::services
