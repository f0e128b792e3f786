#include "vision/frames/frame_recorder.h"

#include <cstdio>
#include <deque>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "opencv2/imgcodecs.hpp"
#include "vision/frames/frame_files.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;

// Encoding and decoding a 1080p frame takes 25 ms and keeps what reading needs.
constexpr int kQuality = 95;

class Recorder : public FrameSource {
 public:
  Recorder(std::unique_ptr<FrameSource> source, fs::path folder, std::int64_t limit_mb)
      : source_(std::move(source)), folder_(std::move(folder)), limit_(limit_mb * 1'000'000) {}

  absl::StatusOr<std::optional<Frame>> Next() override {
    auto frame = source_->Next();
    if (!frame.ok() || !frame->has_value()) return frame;
    std::vector<uchar> bytes;
    cv::imencode(".jpg", (**frame).picture, bytes, {cv::IMWRITE_JPEG_QUALITY, kQuality});
    const fs::path path = folder_ / RecordedName((**frame).number, (**frame).time_ms);
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file) {
      return absl::ResourceExhaustedError(
          absl::StrCat("the recording ", folder_.string(),
                       " cannot be written: free some room on the disk, or play without --record"));
    }
    kept_.emplace_back(path, static_cast<std::int64_t>(bytes.size()));
    held_ += kept_.back().second;
    while (held_ > limit_ && kept_.size() > 1) {
      std::error_code ignored;
      fs::remove(kept_.front().first, ignored);
      held_ -= kept_.front().second;
      kept_.pop_front();
    }
    (**frame).picture = cv::imdecode(bytes, cv::IMREAD_COLOR);
    return frame;
  }
  bool live() const override { return source_->live(); }

 private:
  std::unique_ptr<FrameSource> source_;
  fs::path folder_;
  std::int64_t limit_, held_ = 0;
  std::deque<std::pair<fs::path, std::int64_t>> kept_;
};

}  // namespace

std::string RecordedName(std::int64_t number, std::int64_t time_ms) {
  return absl::StrFormat("frame_%09d_at_%010dms.jpg", number, time_ms);
}

bool ParseRecordedName(const std::string& name, std::int64_t* number, std::int64_t* time_ms) {
  long long n = 0, t = 0;
  int end = 0;
  if (std::sscanf(name.c_str(), "frame_%lld_at_%lldms.jpg%n", &n, &t, &end) != 2 ||
      end != static_cast<int>(name.size())) {
    return false;
  }
  *number = n;
  *time_ms = t;
  return true;
}

absl::StatusOr<std::unique_ptr<FrameSource>> Recorded(std::unique_ptr<FrameSource> source,
                                                      const fs::path& folder,
                                                      std::int64_t limit_mb) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error)) {
    return absl::PermissionDeniedError(
        absl::StrCat("the folder ", folder.string(), " cannot be made: record to another one"));
  }
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (IsPicture(it->path())) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the folder ", folder.string(), " already holds pictures: record to a new one"));
    }
  }
  return std::make_unique<Recorder>(std::move(source), folder, limit_mb);
}

}  // namespace tilewarden::vision
