#include "services/camera/reporter.h"

#include <algorithm>
#include <chrono>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/status.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

// A stream is closed after so many, to get the engine's answer: what is sent
// again after a crash never grows beyond it.
constexpr std::size_t kPerStream = 64;
// Where there are several engine services, one of them answers within seconds.
constexpr std::chrono::milliseconds kFirstWait{100}, kLongestWait{2000}, kLongestOfSeveral{300};

bool MayHeal(const absl::Status& status) {
  // Calls are cancelled by an engine service that stops, and by nobody else.
  return status.code() == absl::StatusCode::kUnavailable ||
         status.code() == absl::StatusCode::kCancelled ||
         status.code() == absl::StatusCode::kDeadlineExceeded ||
         status.code() == absl::StatusCode::kAborted ||
         status.code() == absl::StatusCode::kUnknown ||
         status.code() == absl::StatusCode::kInternal;
}

}  // namespace

std::string RandomId() {
  std::random_device random;
  return absl::StrCat(absl::Hex(random(), absl::kZeroPad8), absl::Hex(random(), absl::kZeroPad8),
                      absl::Hex(random(), absl::kZeroPad8));
}

Reporter::Reporter(Engines engines, Options options, std::stop_token stop)
    : engines_(std::move(engines)),
      sightings_(v1::SightingService::NewStub(engines_.channel())),
      options_(std::move(options)),
      stop_(std::move(stop)),
      session_(RandomId()),
      follows_(options_.game_id.empty()) {}

Reporter::~Reporter() {
  if (stream_ == nullptr) return;
  context_->TryCancel();
  (void)stream_->Finish();
}

absl::Status Reporter::Begin() {
  v1::JoinGameRequest request;
  request.set_request_id(RandomId());
  request.set_game_id(options_.game_id);
  request.set_new_game(options_.new_game);
  request.set_only_join(options_.only_join);
  request.set_tile_set(options_.tile_set);
  request.set_name(options_.name);
  request.set_preset(options_.preset);
  request.mutable_rules()->insert(options_.rules.begin(), options_.rules.end());
  while (true) {
    grpc::ClientContext context;
    v1::JoinGameResponse response;
    const absl::Status status = FromGrpc(sightings_->JoinGame(&context, request, &response));
    if (status.ok()) {
      options_.game_id = response.game_id();
      special_figures_ = SpecialFiguresFromProto(response.special_figures());
      game_tile_set_ = response.tile_set();
      SetProblem("");
      return status;
    }
    if (!MayHeal(status)) return status;
    Turn(status, context);
    if (!BackOff(status)) return absl::CancelledError("stopped");
  }
}

absl::Status Reporter::Report(v1::Sighting sighting) {
  unanswered_.push_back(std::move(sighting));
  return Deliver(unanswered_.size() >= kPerStream);
}

absl::Status Reporter::Finish() { return unanswered_.empty() ? absl::OkStatus() : Deliver(true); }

absl::Status Reporter::Deliver(bool and_close) {
  while (true) {
    bool whole = stream_ != nullptr || Open();
    while (whole && sent_ < unanswered_.size()) {
      v1::ReportSightingsRequest request;
      if (sent_ == 0) {
        request.set_game_id(options_.game_id);
        request.set_tile_set(options_.tile_set);
        request.set_session(session_);
        request.set_follow_table(follows_);
      }
      *request.mutable_sighting() = unanswered_[sent_];
      whole = stream_->Write(request);
      if (whole) ++sent_;
    }
    if (whole && !and_close) {
      SetProblem("");
      return absl::OkStatus();
    }
    const absl::Status status = Close();
    if (status.ok()) {
      tries_ = 0;
      unanswered_.clear();
      if (response_.has_special_figures()) {
        special_figures_ = SpecialFiguresFromProto(response_.special_figures().kinds());
      }
      if (!response_.tile_set().empty()) game_tile_set_ = response_.tile_set();
      SetProblem("");
      return status;
    }
    if (follows_ && absl::IsOutOfRange(status)) {
      unanswered_.clear();
      options_.game_id.clear();
      options_.new_game = false;
      return Begin();
    }
    if (!MayHeal(status)) return status;
    Turn(status, *context_);
    if (!BackOff(status)) return absl::CancelledError("stopped");
  }
}

bool Reporter::Open() {
  context_ = std::make_unique<grpc::ClientContext>();
  response_.Clear();
  sent_ = 0;
  stream_ = sightings_->ReportSightings(context_.get(), &response_);
  return stream_ != nullptr;
}

absl::Status Reporter::Close() {
  stream_->WritesDone();
  const absl::Status status = FromGrpc(stream_->Finish());
  stream_ = nullptr;
  return status;
}

void Reporter::Turn(const absl::Status& status, const grpc::ClientContext& context) {
  if (engines_.Turn(ToGrpc(status), context)) {
    sightings_ = v1::SightingService::NewStub(engines_.channel());
  }
}

bool Reporter::BackOff(const absl::Status& why) {
  SetProblem(absl::StrCat("the engine service cannot be reached (", why.message(),
                          "); start it again, nothing is lost"));
  const auto wait = std::min(kFirstWait * (1 << std::min(tries_++, 5)),
                             engines_.several() ? kLongestOfSeveral : kLongestWait);
  for (auto waited = std::chrono::milliseconds(0); waited < wait; waited += kFirstWait) {
    if (stop_.stop_requested()) return false;
    if (engines_.Pause(kFirstWait)) break;
  }
  return !stop_.stop_requested();
}

std::string Reporter::problem() const {
  const std::lock_guard lock(problem_mutex_);
  return problem_;
}

void Reporter::SetProblem(std::string problem) {
  const std::lock_guard lock(problem_mutex_);
  problem_ = std::move(problem);
}

}  // namespace tilewarden::services
