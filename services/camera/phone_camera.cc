#include "services/camera/phone_camera.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/common/picture_file.h"
#include "opencv2/imgproc.hpp"
#include "services/base/check_text.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kLongestWord = 64;
constexpr milliseconds kAnsweredWithin{400};
// Between small pictures: while something moves, and while all is quiet.
constexpr std::uint32_t kLively_ms = 20, kQuiet_ms = 220;
// A sharp one is due after so long though nothing changed: while the board is followed, while a
// hand is there, and while nobody knows yet what lies there.
constexpr milliseconds kSharpAgain{4000}, kSharpBelowHand{8000}, kSharpAtFirst{1200};
constexpr int kSmallest_px = 64;

// 0 where it is no size of a sharp picture.
absl::StatusOr<cv::Size> SharpSize(const v1::SendPictureRequest& request) {
  const std::uint64_t w = request.sharp_width_px(), h = request.sharp_height_px();
  if (w == 0 && h == 0) return cv::Size();
  const double pixels = static_cast<double>(w) * static_cast<double>(h);
  if (w < kSmallest_px || h < kSmallest_px || pixels > PhoneCamera::kLargest_megapixels * 1e6) {
    return absl::InvalidArgumentError("sharp_width_px: not the size of a picture");
  }
  return cv::Size(static_cast<int>(w), static_cast<int>(h));
}

}  // namespace

struct PhoneCamera::State {
  std::mutex mutex;
  std::condition_variable changed;
  int sources = 0;  // that hand its pictures on
  std::string phone;
  Clock::time_point second{};  // that pictures are counted in
  int in_second = 0;

  std::optional<vision::Frame> newest;  // not given out yet
  std::int64_t taken = 0, given = 0, looked_at = 0;
  const Clock::time_point start = Clock::now();

  v1::SendPictureResponse seen;
  bool rests = false;
  std::optional<Clock::time_point> sharp_given;

  // With the mutex held.
  absl::Status MayCome(const v1::SendPictureRequest& request) {
    if (sources == 0) {
      return absl::FailedPreconditionError(
          "no phone is this table's camera: on the tablet or computer, choose \"A phone\" under "
          "Start a game");
    }
    if (phone != request.phone()) {
      if (!phone.empty() && !request.take_over()) {
        return absl::AbortedError("another phone is the camera now");
      }
      if (!phone.empty()) spdlog::info("another phone is the camera now");
      phone = request.phone();
      sharp_given.reset();
    }
    const auto now = Clock::now();
    if (now - second > std::chrono::seconds(1)) {
      second = now;
      in_second = 0;
    }
    if (++in_second > kMost_per_s) {
      return absl::ResourceExhaustedError(
          absl::StrCat("at most ", kMost_per_s, " pictures a second"));
    }
    return absl::OkStatus();
  }
  bool WantsSharp() const {
    if (seen.wants_sharp()) return true;
    const milliseconds after = seen.game_id().empty() ? kSharpAtFirst
                               : seen.hand()          ? kSharpBelowHand
                                                      : kSharpAgain;
    return !sharp_given || Clock::now() - *sharp_given > after;
  }
};

class PhoneCamera::Frames final : public vision::FrameSource {
 public:
  Frames(std::shared_ptr<State> state, std::int64_t outage_ms)
      : state_(std::move(state)), outage_(outage_ms) {
    const std::lock_guard lock(state_->mutex);
    ++state_->sources;
  }
  ~Frames() override {
    const std::lock_guard lock(state_->mutex);
    --state_->sources;
  }

  absl::StatusOr<std::optional<vision::Frame>> Next() override {
    State& s = *state_;
    std::unique_lock lock(s.mutex);
    // Whoever asks for the next one is done with the one before.
    s.looked_at = s.given;
    s.changed.notify_all();
    if (!s.changed.wait_for(lock, outage_, [&s] { return s.newest.has_value(); })) {
      return absl::UnavailableError(
          s.phone.empty() ? "no phone sends pictures yet: scan the code with it"
                          : "the phone sends no pictures: wake it, and look at its page");
    }
    s.given = s.newest->number;
    if (!s.newest->for_the_gate) s.sharp_given = Clock::now();
    return std::exchange(s.newest, std::nullopt);
  }
  bool live() const override { return true; }

 private:
  const std::shared_ptr<State> state_;
  const milliseconds outage_;
};

PhoneCamera::PhoneCamera() : state_(std::make_shared<State>()) {}
PhoneCamera::~PhoneCamera() = default;

std::unique_ptr<vision::FrameSource> PhoneCamera::Open(std::int64_t outage_ms) {
  return std::make_unique<Frames>(state_, outage_ms);
}

absl::StatusOr<v1::SendPictureResponse> PhoneCamera::Take(const v1::SendPictureRequest& request) {
  if (auto status = CheckText("phone", request.phone(), kLongestWord); !status.ok()) return status;
  if (request.phone().empty()) return absl::InvalidArgumentError("phone: a random word is needed");
  const auto came = std::chrono::system_clock::now();
  State& s = *state_;
  {
    const std::lock_guard lock(s.mutex);
    if (auto status = s.MayCome(request); !status.ok()) return status;
  }
  const auto sharp = SharpSize(request);
  if (!sharp.ok()) return sharp.status();
  auto picture = calibration::DecodeJpeg(request.jpeg(), kLargest_megapixels);
  if (!picture.ok()) return picture.status();
  const bool for_the_gate = !sharp->empty();
  if (for_the_gate && picture->size() != *sharp) {
    cv::Mat enlarged;
    cv::resize(*picture, enlarged, *sharp, 0, 0, cv::INTER_LINEAR);
    *picture = enlarged;
  }

  std::unique_lock lock(s.mutex);
  if (s.phone != request.phone()) return absl::AbortedError("another phone is the camera now");
  std::int64_t number = ++s.taken;
  // A sharp one that waits is not lost for a small one.
  if (!for_the_gate || !s.newest || s.newest->for_the_gate) {
    vision::Frame frame;
    frame.picture = *std::move(picture);
    frame.time_ms = std::chrono::duration_cast<milliseconds>(Clock::now() - s.start).count();
    frame.number = number;
    frame.came = came;
    frame.for_the_gate = for_the_gate;
    s.newest = std::move(frame);
    s.changed.notify_all();
  } else {
    number = s.newest->number;
  }
  const bool looked =
      s.changed.wait_for(lock, kAnsweredWithin, [&] { return s.looked_at >= number; });
  v1::SendPictureResponse answer = s.seen;
  // Until this one was looked at, the sharp one that is wanted may be this one.
  answer.set_wants_sharp(looked && s.WantsSharp());
  answer.set_wait_ms(s.rests ? kQuiet_ms : kLively_ms);
  return answer;
}

void PhoneCamera::Tell(v1::SendPictureResponse seen, bool rests) {
  State& s = *state_;
  const std::lock_guard lock(s.mutex);
  s.rests = rests;
  s.seen = std::move(seen);
}

}  // namespace tilewarden::services
