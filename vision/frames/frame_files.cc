#include "vision/frames/frame_files.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/videoio.hpp"
#include "vision/frames/frame_recorder.h"

namespace tilewarden::vision {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::int64_t SinceMs(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

// Holds a recording to its own pace.
class Pace {
 public:
  explicit Pace(bool real_time) : real_time_(real_time) {}
  void WaitFor(std::int64_t time_ms) {
    if (!real_time_) return;
    if (!start_) start_ = Clock::now();
    std::this_thread::sleep_until(*start_ + std::chrono::milliseconds(time_ms));
  }

 private:
  bool real_time_;
  std::optional<Clock::time_point> start_;
};

// frame_9 before frame_10.
bool NumberedBefore(const std::string& a, const std::string& b) {
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    if (digit(a[i]) && digit(b[j])) {
      const auto number = [&](const std::string& s, std::size_t& at) {
        const std::size_t begin = std::min(s.find_first_not_of('0', at), s.size());
        std::size_t end = at;
        while (end < s.size() && digit(s[end])) ++end;
        at = end;
        return begin < end ? s.substr(begin, end - begin) : std::string();
      };
      const std::string x = number(a, i), y = number(b, j);
      if (x.size() != y.size()) return x.size() < y.size();
      if (x != y) return x < y;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
    }
  }
  return a.size() - i < b.size() - j;
}

// A JPEG that was cut short decodes to half a picture without a word: its end
// mark is missing.
bool CutShort(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::array<char, 2> head{};
  if (!in.read(head.data(), 2) || head[0] != '\xff' || head[1] != '\xd8') return false;
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  const std::streamoff tail = std::min<std::streamoff>(size, 4096);
  in.seekg(size - tail);
  std::string end(static_cast<std::size_t>(tail), '\0');
  in.read(end.data(), tail);
  return end.rfind("\xff\xd9") == std::string::npos;
}

std::vector<fs::path> PicturesIn(const fs::path& folder, std::error_code* error) {
  std::vector<fs::path> pictures;
  std::error_code ignored;
  for (fs::directory_iterator it(folder, *error), end; !*error && it != end; it.increment(*error)) {
    if (it->is_regular_file(ignored) && IsPicture(it->path())) pictures.push_back(it->path());
  }
  std::sort(pictures.begin(), pictures.end(), [](const fs::path& a, const fs::path& b) {
    return NumberedBefore(a.filename().string(), b.filename().string());
  });
  return pictures;
}

class PictureFolder : public FrameSource {
 public:
  PictureFolder(std::vector<fs::path> pictures, const FrameSourceSettings& settings)
      : pictures_(std::move(pictures)),
        step_ms_(settings.folder_step_ms),
        pace_(settings.real_time) {}

  absl::StatusOr<std::optional<Frame>> Next() override {
    if (at_ >= pictures_.size()) return std::nullopt;
    const fs::path& path = pictures_[at_];
    Frame frame;
    if (!CutShort(path)) frame.picture = cv::imread(path.string(), cv::IMREAD_COLOR);
    if (frame.picture.empty()) {
      at_ = pictures_.size();
      return absl::DataLossError(absl::StrCat("the picture ", path.string(),
                                              " cannot be decoded: copy it again or take it out"));
    }
    frame.name = path.filename().string();
    if (!ParseRecordedName(frame.name, &frame.number, &frame.time_ms)) {
      frame.number = static_cast<std::int64_t>(at_);
      frame.time_ms = frame.number * step_ms_;
    }
    ++at_;
    pace_.WaitFor(frame.time_ms);
    return frame;
  }
  bool live() const override { return false; }

 private:
  std::vector<fs::path> pictures_;
  std::int64_t step_ms_;
  Pace pace_;
  std::size_t at_ = 0;
};

// A folder that pictures are still put into: the newest that was not given yet.
class GrowingFolder : public FrameSource {
 public:
  GrowingFolder(fs::path folder, const FrameSourceSettings& settings)
      : folder_(std::move(folder)), outage_ms_(settings.outage_ms) {}

  absl::StatusOr<std::optional<Frame>> Next() override {
    constexpr std::chrono::milliseconds kPoll{100};
    const Clock::time_point begin = Clock::now();
    while (true) {
      std::error_code error;
      const std::vector<fs::path> pictures = PicturesIn(folder_, &error);
      if (error) {
        return absl::UnavailableError(absl::StrCat("the folder ", folder_.string(),
                                                   " cannot be read any more: ", error.message()));
      }
      // One that is still being written is left for the next time.
      for (auto it = pictures.rbegin(); it != pictures.rend(); ++it) {
        const std::string name = it->filename().string();
        if (!last_.empty() && !NumberedBefore(last_, name)) break;
        if (CutShort(*it)) continue;
        cv::Mat picture = cv::imread(it->string(), cv::IMREAD_COLOR);
        if (picture.empty()) continue;
        last_ = name;
        Frame frame;
        frame.picture = std::move(picture);
        frame.number = number_++;
        frame.name = name;
        if (frame.number == 0) start_ = Clock::now();
        frame.time_ms = SinceMs(start_);
        return frame;
      }
      if (SinceMs(begin) > outage_ms_) {
        return absl::UnavailableError(
            absl::StrCat("no new picture has come into the folder ", folder_.string(), " for ",
                         outage_ms_ / 1000, " s: check what puts them there and start again"));
      }
      std::this_thread::sleep_for(kPoll);
    }
  }
  bool live() const override { return true; }

 private:
  fs::path folder_;
  std::int64_t outage_ms_;
  std::string last_;
  std::int64_t number_ = 0;
  Clock::time_point start_;
};

class VideoFile : public FrameSource {
 public:
  VideoFile(std::string path, cv::VideoCapture video, cv::Mat first,
            const FrameSourceSettings& settings)
      : path_(std::move(path)),
        video_(std::move(video)),
        next_(std::move(first)),
        expected_(video_.get(cv::CAP_PROP_FRAME_COUNT)),
        pace_(settings.real_time) {
    const double fps = video_.get(cv::CAP_PROP_FPS);
    if (fps > 0.1 && fps < 1000) step_ms_ = 1000 / fps;
  }

  absl::StatusOr<std::optional<Frame>> Next() override {
    if (next_.empty()) return AtEnd();
    Frame frame;
    frame.picture = next_;
    frame.number = number_++;
    frame.time_ms = std::llround(static_cast<double>(frame.number) * step_ms_);
    next_ = cv::Mat();
    video_.read(next_);
    pace_.WaitFor(frame.time_ms);
    return frame;
  }
  bool live() const override { return false; }

 private:
  // Containers count their frames, if not to the last one.
  absl::StatusOr<std::optional<Frame>> AtEnd() {
    const auto read = static_cast<double>(number_);
    const double expected = std::exchange(expected_, 0);
    if (expected > 0 && read < 0.95 * expected - 2) {
      return absl::DataLossError(absl::StrCat(
          "the video ", path_, " ends after ", number_, " of ", static_cast<std::int64_t>(expected),
          " frames: it is torn; copy it again, or carry on with what was read"));
    }
    return std::nullopt;
  }

  std::string path_;
  cv::VideoCapture video_;
  cv::Mat next_;
  double expected_;
  double step_ms_ = 40;
  std::int64_t number_ = 0;
  Pace pace_;
};

}  // namespace

bool IsPicture(const fs::path& path) {
  std::string end = path.extension().string();
  std::transform(end.begin(), end.end(), end.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<const char*, 5> kEnds = {".jpg", ".jpeg", ".png", ".bmp", ".webp"};
  return std::find(kEnds.begin(), kEnds.end(), end) != kEnds.end();
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenFolder(const fs::path& folder,
                                                        const FrameSourceSettings& settings) {
  std::error_code error;
  std::vector<fs::path> pictures = PicturesIn(folder, &error);
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("the folder ", folder.string(), " cannot be read: ", error.message()));
  }
  if (pictures.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the folder ", folder.string(), " holds no pictures: put jpg or png files into it"));
  }
  return std::make_unique<PictureFolder>(std::move(pictures), settings);
}

std::unique_ptr<FrameSource> OpenPicture(const fs::path& picture,
                                         const FrameSourceSettings& settings) {
  return std::make_unique<PictureFolder>(std::vector<fs::path>{picture}, settings);
}

std::unique_ptr<FrameSource> OpenGrowingFolder(const fs::path& folder,
                                               const FrameSourceSettings& settings) {
  return std::make_unique<GrowingFolder>(folder, settings);
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenVideo(const std::string& path,
                                                       const FrameSourceSettings& settings) {
  cv::VideoCapture video(path, cv::CAP_FFMPEG);
  cv::Mat first;
  if (!video.isOpened() || !video.read(first) || first.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no frame of ", path, " can be decoded: it is torn, or not a video; copy it again"));
  }
  return std::make_unique<VideoFile>(path, std::move(video), std::move(first), settings);
}

}  // namespace tilewarden::vision
