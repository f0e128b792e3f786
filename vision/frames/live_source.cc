#include "vision/frames/live_source.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::vision {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// After a break the first try comes soon, and then each at twice the time.
constexpr milliseconds kFirstWait{200}, kLongestWait{5000};
// By then a camera has found its exposure and focus.
constexpr milliseconds kLockAfter{3000};

// A thread reads on and on, and keeps only the newest frame.
class LiveSource : public FrameSource {
 public:
  LiveSource(std::string name, std::function<std::unique_ptr<CaptureDevice>()> open,
             std::unique_ptr<CaptureDevice> device, cv::Mat first,
             const FrameSourceSettings& settings)
      : name_(std::move(name)),
        open_(std::move(open)),
        outage_ms_(settings.outage_ms),
        lock_(settings.lock_camera),
        device_(std::move(device)) {
    newest_.picture = std::move(first);
    fresh_ = true;
    reader_ = std::thread([this] { ReadOn(); });
  }
  ~LiveSource() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    changed_.notify_all();
    reader_.join();
  }

  absl::StatusOr<std::optional<Frame>> Next() override {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, milliseconds(outage_ms_), [this] { return fresh_; })) {
      return absl::UnavailableError(absl::StrCat(name_, " has given no picture for ",
                                                 outage_ms_ / 1000,
                                                 " s: check its cable or network and start again"));
    }
    fresh_ = false;
    return newest_;
  }
  bool live() const override { return true; }

 private:
  void ReadOn() {
    std::int64_t number = 0;
    milliseconds wait = kFirstWait;
    Clock::time_point opened = Clock::now();
    bool locked = false;
    while (true) {
      // A new picture each time: the one given out stays its reader's.
      cv::Mat picture;
      const bool read = device_ != nullptr && device_->Read(&picture);
      {
        std::unique_lock lock(mutex_);
        if (stop_) return;
        if (read) {
          newest_.picture = picture;
          newest_.number = ++number;
          newest_.came = std::chrono::system_clock::now();
          newest_.time_ms = std::chrono::duration_cast<milliseconds>(Clock::now() - start_).count();
          fresh_ = true;
          changed_.notify_all();
        } else {
          device_.reset();
          if (changed_.wait_for(lock, wait, [this] { return stop_; })) return;
        }
      }
      if (read) {
        wait = kFirstWait;
        if (lock_ && !locked && Clock::now() - opened > kLockAfter) {
          device_->Lock();
          locked = true;
        }
        continue;
      }
      wait = std::min(2 * wait, kLongestWait);
      device_ = open_();
      opened = Clock::now();
      locked = false;
    }
  }

  const std::string name_;
  const std::function<std::unique_ptr<CaptureDevice>()> open_;
  const std::int64_t outage_ms_;
  const bool lock_;
  std::unique_ptr<CaptureDevice> device_;  // the reader's, once it runs
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  Frame newest_;  // guarded by mutex_, as are the flags
  bool fresh_ = false, stop_ = false;
  std::thread reader_;  // last: it starts when all else is there
};

}  // namespace

absl::StatusOr<std::unique_ptr<FrameSource>> OpenLive(
    const std::string& name, std::function<std::unique_ptr<CaptureDevice>()> open,
    const FrameSourceSettings& settings) {
  std::unique_ptr<CaptureDevice> device = open();
  cv::Mat first;
  if (device == nullptr || !device->Read(&first)) {
    return absl::UnavailableError(absl::StrCat(
        name, " gives no picture: check that it is on and that no other program uses it"));
  }
  return std::make_unique<LiveSource>(name, std::move(open), std::move(device), std::move(first),
                                      settings);
}

}  // namespace tilewarden::vision
