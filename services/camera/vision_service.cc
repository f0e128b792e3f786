#include "services/camera/vision_service.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "grpcpp/ext/proto_server_reflection_plugin.h"
#include "grpcpp/health_check_service_interface.h"
#include "services/access/addresses.h"
#include "services/access/guard.h"
#include "services/access/listening.h"
#include "services/base/status.h"
#include "services/camera/chosen_source.h"
#include "services/convert/convert.h"
#include "spdlog/spdlog.h"
#include "vision/show/top_view.h"

namespace tilewarden::services {
namespace {

// Without a game, and while nobody knows the box.
constexpr std::chrono::milliseconds kBetweenAsking{700};
constexpr double kSureSeen = 0.8;
// Of a recording, one after the other: one that cannot be read at all comes to an end.
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

bool VisionService::MayHeal(const absl::Status& status) {
  if (camera_.live()) return absl::IsInternal(status) || absl::IsUnavailable(status);
  return absl::IsInternal(status) && ++faults_ < kMostFaults;
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

absl::Status VisionService::Run(const Joined& joined) {
  if (auto status = options_.reading.Check(); !status.ok()) return status;
  if (!Recognises() && !options_.game.only_join) {
    if (auto status = reporter_.Begin(); !status.ok()) return status;
    TakeUp(joined);
  }
  while (!stop_.stop_requested()) {
    auto frame = Caught([&] { return camera_.NextFrame(); });
    if (MayHeal(frame.status())) {
      // It is opened again and again meanwhile.
      TellProblem(frame.status());
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    if (!frame.ok()) {
      // What was seen before the error is reported before it.
      if (auto status = reporter_.Finish(); !status.ok()) return status;
      return frame.status();
    }
    if (!*frame) break;
    if (!(*frame)->for_the_gate) SetNewest((*frame)->picture);
    if (auto status = Look(**frame, joined); !status.ok()) return status;
  }
  return reporter_.Finish();
}

bool VisionService::Heals(const absl::Status& status) {
  if (!MayHeal(status)) return false;
  TellProblem(status);
  camera_.BeginAnew();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return true;
}

absl::Status VisionService::Look(const vision::Frame& frame, const Joined& joined) {
  if (game_.empty()) {
    // What lies there is told by sharp pictures alone.
    const auto has_joined = frame.for_the_gate ? false : Join(frame, joined);
    if (!has_joined.ok() || !*has_joined) return has_joined.status();
  }
  // People have changed the rules meanwhile.
  if (reporter_.special_figures() != camera_.expected()) {
    camera_.Expect(reporter_.special_figures());
  }
  const auto begun = RestTimes::Clock::now();
  bool another = false;
  const auto look = [&] {
    return Caught([&]() -> absl::StatusOr<TableCamera::Seen> {
      auto read = camera_.Read(frame);
      if (!read.ok()) return read;
      another = Recognises() && !frame.for_the_gate &&
                options_.recognise->IsAnother(frame.picture, read->sighting, read->tile_set);
      return read;
    });
  };
  auto seen = look();
  // A reader that begins with a hand in view takes the table for a hand from then on.
  const bool other_tiles = reporter_.game_tile_set() != game_tiles_ && !frame.for_the_gate &&
                           seen.ok() && seen->sighting.settled;
  if (other_tiles) TakeOtherTiles();
  if (another) TakeBox();
  if (another || other_tiles) {
    // By the other box, and this very frame: a folder may hold no more.
    if (game_.empty()) return absl::OkStatus();
    seen = look();
  }
  if (Heals(seen.status())) return absl::OkStatus();
  if (!seen.ok()) return seen.status();
  faults_ = 0;
  SetCameraProblem("");
  if (!frame.for_the_gate) NoteView(seen->sighting, seen->tile_set);
  const auto read = RestTimes::Clock::now();
  reporter_.SetTileSet(seen->tile_set);
  if (auto status = reporter_.Report(seen->message); !status.ok()) return status;
  rest_times_.Saw(frame, seen->sighting, begun, read);
  const bool goes_on = game_ == reporter_.game_id();
  if (!goes_on) {
    TakeUp(joined);
    TakeBox();
  }
  TellPhone(frame, seen->sighting);
  if (goes_on) {
    if (auto status = ReportTopView(frame, *seen); !status.ok()) return status;
  }
  if (options_.judged) {
    if (auto status = reporter_.Finish(); !status.ok()) return status;
    if (auto status = options_.judged(frame, seen->sighting.settled); !status.ok()) return status;
  }
  const std::lock_guard lock(mutex_);
  if (rest_times_.last()) *status_.mutable_last_rest() = *rest_times_.last();
  status_.set_frames_read(status_.frames_read() + 1);
  status_.set_sightings_sent(seen->message.sequence());
  status_.clear_stage_ms();
  for (const auto& [stage, ms] : seen->sighting.stage_ms) (*status_.mutable_stage_ms())[stage] = ms;
  return absl::OkStatus();
}

absl::StatusOr<bool> VisionService::Join(const vision::Frame& frame, const Joined& joined) {
  const auto now = std::chrono::steady_clock::now();
  // Every frame of a recording counts.
  if (camera_.live() && now - asked_ < kBetweenAsking) return false;
  asked_ = now;
  if (Recognises()) {
    const auto sighting = Caught([&] { return camera_.ReadUnknown(frame.picture); });
    if (Heals(sighting.status())) return false;
    if (!sighting.ok()) return sighting.status();
    SetCameraProblem("");
    TellPhone(frame, *sighting);
    const auto guess = options_.recognise->Look(*sighting);
    NoteView(*sighting, guess ? guess->tile_set : "");
    const bool again = guess && guess->tile_set == guess_;
    guess_ = guess ? guess->tile_set : "";
    // A hand may have been in the way of one look.
    if (!options_.game.only_join && !again) return false;
    reporter_.SetTileSet(guess_);
  } else {
    const auto seen = Caught([&] { return camera_.Read(frame); });
    if (Heals(seen.status())) return false;
    if (!seen.ok()) return seen.status();
    SetCameraProblem("");
    TellPhone(frame, seen->sighting);
    NoteView(seen->sighting, seen->tile_set);
  }
  auto begun = reporter_.Begin();
  if (absl::IsNotFound(begun) && options_.game.only_join) {
    SetGameProblem("");
    return false;
  }
  if (!begun.ok()) return begun;
  TakeUp(joined);
  TakeBox();
  return !game_.empty();
}

void VisionService::TakeBox() {
  if (Recognises()) ReadAsPlayed(options_.recognise.get());
}

void VisionService::TakeOtherTiles() {
  game_tiles_ = reporter_.game_tile_set();
  if (!Recognises() && (options_.rivers == nullptr || told_)) {
    // A pack is of one box.
    const bool has_all = camera_.tile_set().starts_with(game_tiles_);
    SetGameProblem(has_all ? ""
                           : absl::StrCat("the game is played with ", game_tiles_,
                                          ", and the camera has pictures of ", camera_.tile_set(),
                                          " alone; enrol the box together with its river"));
    return;
  }
  ReadAsPlayed(Recognises() ? options_.recognise.get() : options_.rivers.get());
}

void VisionService::ReadAsPlayed(TableBox* box) {
  const auto known = box->For(reporter_.game_tile_set());
  if (known.ok()) {
    camera_.ReadWith(known->pack, known->tiles);
    SetGameProblem("");
    return;
  }
  // People can still enrol it, or begin another game.
  SetGameProblem(std::string(known.status().message()));
  reporter_.Leave();
  game_.clear();
}

void VisionService::TakeUp(const Joined& joined) {
  game_ = reporter_.game_id();
  game_tiles_ = reporter_.game_tile_set();
  camera_.Expect(reporter_.special_figures());
  {
    const std::lock_guard lock(mutex_);
    view_.set_game_id(game_);
  }
  if (joined && std::exchange(last_joined_, game_) != game_) joined(game_);
}

void VisionService::TellPhone(const vision::Frame& frame, const vision::Sighting& sighting) {
  if (options_.phone == nullptr) return;
  if (!frame.for_the_gate) phone_view_.Look(frame, sighting);
  v1::SendPictureResponse seen = phone_view_.seen();
  seen.set_hand(sighting.hand);
  seen.set_wants_sharp(sighting.wants_sharp);
  seen.set_game_id(game_);
  options_.phone->Tell(std::move(seen), sighting.settled);
}

void VisionService::NoteView(const vision::Sighting& sighting, const std::string& tile_set) {
  v1::GetTableViewResponse view;
  view.set_tiles(static_cast<std::uint32_t>(sighting.tiles.size()));
  std::map<std::string, int> colours;
  for (const vision::SightedFigure& figure : sighting.figures) {
    if (figure.probability >= kSureSeen && !figure.colours.empty()) {
      ++colours[figure.colours.front().colour];
    }
  }
  std::vector<std::pair<int, std::string>> most;
  for (const auto& [colour, count] : colours) most.emplace_back(-count, colour);
  std::sort(most.begin(), most.end());
  for (const auto& [count, colour] : most) view.add_colours(colour);
  for (const vision::SightedTile& tile : sighting.tiles) {
    const bool sure = !tile.candidates.empty() && tile.candidates.front().probability >= kSureSeen;
    view.set_sure_tiles(view.sure_tiles() + (sure ? 1 : 0));
  }
  view.set_tile_set(tile_set);
  view.set_recognised(Recognises());
  view.set_game_id(game_);
  const std::lock_guard lock(mutex_);
  view_ = std::move(view);
}

std::string VisionService::source() const {
  return options_.chosen ? options_.chosen->source() : options_.source;
}

v1::GetTableViewResponse VisionService::View() const {
  const std::string from = source();
  const std::lock_guard lock(mutex_);
  v1::GetTableViewResponse view = view_;
  view.set_source(from);
  view.set_problem(!camera_problem_.empty() ? camera_problem_
                   : !game_problem_.empty() ? game_problem_
                                            : reporter_.problem());
  return view;
}

void VisionService::SetGameProblem(std::string problem) {
  const std::lock_guard lock(mutex_);
  if (problem == game_problem_) return;
  if (!problem.empty()) spdlog::warn("{}", problem);
  game_problem_ = std::move(problem);
}

void VisionService::TellProblem(const absl::Status& status) {
  SetCameraProblem(std::string(status.message()));
}

absl::Status VisionService::ReportTopView(const vision::Frame& frame,
                                          const TableCamera::Seen& seen) {
  const vision::Sighting& sighting = seen.sighting;
  const auto now = std::chrono::steady_clock::now();
  if (!top_view_times_.Due(sighting.settled, sighting.hand, now)) return absl::OkStatus();
  // A small picture tells that the last sharp one still shows what lies there.
  if (frame.for_the_gate && !sighting.settled) return absl::OkStatus();
  const auto view = Caught([&]() -> absl::StatusOr<std::optional<vision::TopView>> {
    return vision::StraightenToLattice(newest_, sighting);
  });
  if (!view.ok()) TellProblem(view.status());
  if (!view.ok() || !*view) return absl::OkStatus();
  v1::Sighting again = seen.message;
  *again.mutable_top_view() = ToProto(**view);
  top_view_times_.Sent(sighting.settled, now);
  return reporter_.Report(std::move(again));
}

bool VisionService::SetCameraProblem(std::string problem) {
  const std::lock_guard lock(mutex_);
  if (problem == camera_problem_) return false;
  if (problem.empty()) {
    spdlog::info("{} sends pictures again", source());
  } else {
    spdlog::warn("{}; trying again until it is back", problem);
  }
  camera_problem_ = std::move(problem);
  return true;
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
  const std::string from = source();
  const std::lock_guard lock(mutex_);
  *response = status_;
  response->set_source(from);
  response->set_problem(!camera_problem_.empty() ? camera_problem_
                        : !game_problem_.empty() ? game_problem_
                                                 : reporter_.problem());
  return grpc::Status::OK;
}

namespace {

// Tells of the camera to whom the engine service lets in: a source's address may hold a password.
class GuardedStatus final : public v1::VisionService::Service {
 public:
  GuardedStatus(AskingGuard* guard, VisionService* service) : guard_(guard), service_(service) {}
  grpc::Status GetVisionStatus(grpc::ServerContext* context,
                               const v1::GetVisionStatusRequest* request,
                               v1::GetVisionStatusResponse* response) override {
    return Guarded(guard_, context, *request,
                   [&] { return FromGrpc(service_->GetVisionStatus(context, request, response)); });
  }

 private:
  AskingGuard* const guard_;
  VisionService* const service_;
};

std::function<absl::Status(const std::string&)> ChooseThrough(ChosenSource* chosen) {
  if (chosen == nullptr) return nullptr;
  return [chosen](const std::string& source) { return chosen->Choose(source); };
}

}  // namespace

VisionServer::VisionServer(const std::filesystem::path& data, AskingGuard* guard,
                           VisionService* service, ChosenSource* chosen)
    : status_(std::make_unique<GuardedStatus>(guard, service)),
      camera_(guard,
              {[service] { return service->source(); }, [service] { return service->Newest(); },
               [service] { return service->View(); }, ChooseThrough(chosen), service->phone()}),
      enrolment_(data, guard,
                 {[service] { return service->Newest(); },
                  [service](auto pack) { service->ReadWith(std::move(pack)); },
                  [service] { return service->tile_set(); }}),
      calibration_(data, guard,
                   {[service] { return service->NewestAsTaken(); },
                    [service](const calibration::Lens& lens) { service->Use(lens); }}) {}

absl::StatusOr<std::unique_ptr<VisionServer>> VisionServer::Start(const std::string& listen,
                                                                  const std::filesystem::path& data,
                                                                  AskingGuard* guard,
                                                                  VisionService* service,
                                                                  ChosenSource* chosen) {
  if (!IsLoopbackListener(listen)) {
    return absl::FailedPreconditionError(absl::StrCat(
        "a vision service only answers on its own machine; listen on 127.0.0.1, not ", listen));
  }
  std::unique_ptr<VisionServer> vision(new VisionServer(data, guard, service, chosen));
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  int port = 0;
  if (!listen.empty()) Listen(listen, &builder, &port);
  LimitClients(&builder);
  builder.RegisterService(vision->status_.get());
  builder.RegisterService(&vision->camera_);
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
