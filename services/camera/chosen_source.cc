#include "services/camera/chosen_source.h"

#include <chrono>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/whole_file.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

// How long a stop may have to wait where there is no camera.
constexpr std::chrono::milliseconds kPatience{300};
// Between the last frame of one camera and the first of the next.
constexpr std::int64_t kPause_ms = 1000;

}  // namespace

ChosenSource::ChosenSource(Open open, std::filesystem::path kept)
    : open_(std::move(open)), kept_(std::move(kept)) {}

absl::Status ChosenSource::Choose(const std::string& source) {
  {
    // A camera can be opened once only.
    const std::lock_guard lock(mutex_);
    if (source == source_ && !source.empty()) return absl::OkStatus();
  }
  std::shared_ptr<vision::FrameSource> frames;
  if (!source.empty()) {
    auto opened = open_(source);
    if (!opened.ok()) return opened.status();
    frames = *std::move(opened);
  }
  {
    const std::lock_guard lock(mutex_);
    source_ = source;
    frames_ = std::move(frames);
  }
  chosen_.notify_all();
  if (auto status = WritePrivateFile(kept_, source, IfThere::kReplace); !status.ok()) {
    spdlog::warn("the camera will have to be chosen again at the next start: {}",
                 std::string(status.message()));
  }
  return absl::OkStatus();
}

void ChosenSource::ChooseAsBefore() {
  const auto before = ReadFile(kept_);
  if (!before || before->empty()) return;
  if (auto status = Choose(*before); !status.ok()) {
    spdlog::warn("the camera of the last time is not in use: {}", std::string(status.message()));
  }
}

std::string ChosenSource::source() const {
  const std::lock_guard lock(mutex_);
  return source_;
}

absl::StatusOr<std::optional<vision::Frame>> ChosenSource::Next() {
  std::shared_ptr<vision::FrameSource> now;
  {
    std::unique_lock lock(mutex_);
    chosen_.wait_for(lock, kPatience, [this] { return frames_ != nullptr; });
    now = frames_;
  }
  if (now == nullptr) return absl::UnavailableError("no camera is chosen; choose one on the page");
  if (now != from_) {
    from_ = now;
    since_ms_ = number_ == 0 ? 0 : time_ms_ + kPause_ms;
  }
  auto frame = from_->Next();
  if (frame.ok() && !*frame) {
    // A recording: what follows it is another choice.
    const std::lock_guard lock(mutex_);
    if (frames_ == from_) frames_ = nullptr;
    return absl::UnavailableError(
        absl::StrCat(source_, " has ended; choose another camera on the page"));
  }
  if (!frame.ok()) {
    // A recording that is torn gives no more.
    if (from_->live()) return frame.status();
    const std::lock_guard lock(mutex_);
    if (frames_ == from_) frames_ = nullptr;
    return absl::UnavailableError(frame.status().message());
  }
  time_ms_ = since_ms_ + (*frame)->time_ms;
  (*frame)->time_ms = time_ms_;
  (*frame)->number = number_++;
  return frame;
}

}  // namespace tilewarden::services
