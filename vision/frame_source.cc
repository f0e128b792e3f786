#include "vision/frame_source.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/videoio.hpp"

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

bool IsPicture(const fs::path& path) {
  std::string end = path.extension().string();
  std::transform(end.begin(), end.end(), end.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array<const char*, 5> kEnds = {".jpg", ".jpeg", ".png", ".bmp", ".webp"};
  return std::find(kEnds.begin(), kEnds.end(), end) != kEnds.end();
}

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
    frame.number = static_cast<std::int64_t>(at_);
    frame.time_ms = frame.number * step_ms_;
    frame.name = path.filename().string();
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
          " frames: it is torn; copy it again or go on with what was read"));
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

// A camera or a stream: a thread reads on and on, and keeps only the newest.
class LiveSource : public FrameSource {
 public:
  LiveSource(std::string name, cv::VideoCapture video, cv::Mat first,
             const FrameSourceSettings& settings)
      : name_(std::move(name)), patience_ms_(settings.patience_ms), video_(std::move(video)) {
    newest_.picture = std::move(first);
    fresh_ = true;
    reader_ = std::thread([this] { ReadOn(); });
  }
  ~LiveSource() override {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
    }
    reader_.join();
  }

  absl::StatusOr<std::optional<Frame>> Next() override {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::milliseconds(patience_ms_),
                      [this] { return fresh_ || ended_; });
    if (!fresh_) {
      return absl::UnavailableError(
          absl::StrCat(name_, " gives no more frames: check its cable or network and start again"));
    }
    fresh_ = false;
    return newest_;
  }
  bool live() const override { return true; }

 private:
  void ReadOn() {
    std::int64_t number = 0;
    while (true) {
      // A new picture each time: the one given out stays its reader's.
      cv::Mat picture;
      const bool read = video_.read(picture) && !picture.empty();
      const std::lock_guard lock(mutex_);
      if (stop_ || !read) {
        ended_ = true;
        changed_.notify_all();
        return;
      }
      newest_.picture = picture;
      newest_.number = ++number;
      newest_.time_ms = SinceMs(start_);
      fresh_ = true;
      changed_.notify_all();
    }
  }

  std::string name_;
  std::int64_t patience_ms_;
  cv::VideoCapture video_;  // the reader's, once it runs
  const Clock::time_point start_ = Clock::now();
  std::mutex mutex_;
  std::condition_variable changed_;
  Frame newest_;  // guarded by mutex_, as are the flags
  bool fresh_ = false, ended_ = false, stop_ = false;
  std::thread reader_;  // last: it starts when all else is there
};

absl::StatusOr<std::unique_ptr<FrameSource>> OpenFolder(const fs::path& folder,
                                                        const FrameSourceSettings& settings) {
  std::vector<fs::path> pictures;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error) && IsPicture(it->path())) pictures.push_back(it->path());
  }
  if (error) {
    return absl::InvalidArgumentError(
        absl::StrCat("the folder ", folder.string(), " cannot be read: ", error.message()));
  }
  if (pictures.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the folder ", folder.string(), " holds no pictures: put jpg or png files into it"));
  }
  std::sort(pictures.begin(), pictures.end(), [](const fs::path& a, const fs::path& b) {
    return NumberedBefore(a.filename().string(), b.filename().string());
  });
  return std::make_unique<PictureFolder>(std::move(pictures), settings);
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenVideo(const std::string& path,
                                                       const FrameSourceSettings& settings) {
  cv::VideoCapture video(path, cv::CAP_FFMPEG);
  cv::Mat first;
  if (!video.isOpened() || !video.read(first) || first.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no frame of ", path, " can be decoded: it is torn or no video; copy it again"));
  }
  return std::make_unique<VideoFile>(path, std::move(video), std::move(first), settings);
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenLive(const std::string& name,
                                                      cv::VideoCapture video,
                                                      const FrameSourceSettings& settings) {
  cv::Mat first;
  if (!video.isOpened() || !video.read(first) || first.empty()) {
    return absl::UnavailableError(absl::StrCat(
        name, " gives no picture: check that it is on and that no other program uses it"));
  }
  return std::make_unique<LiveSource>(name, std::move(video), std::move(first), settings);
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenCamera(const std::string& number,
                                                        const FrameSourceSettings& settings) {
  const std::string device = absl::StrCat("/dev/video", number);
  if (number.size() > 3 || !fs::exists(device)) {
    return absl::NotFoundError(absl::StrCat(
        "there is no camera ", number, " (", device,
        " is missing): plug it in, or give another number, a stream address, a video or a folder"));
  }
  cv::VideoCapture video(std::stoi(number), cv::CAP_V4L2);
  // Uncompressed pictures are too many for USB at this size.
  video.set(cv::CAP_PROP_FOURCC, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'));
  video.set(cv::CAP_PROP_FRAME_WIDTH, 1920);
  video.set(cv::CAP_PROP_FRAME_HEIGHT, 1080);
  return OpenLive(absl::StrCat("camera ", number), std::move(video), settings);
}

absl::StatusOr<std::unique_ptr<FrameSource>> OpenStream(const std::string& address,
                                                        const FrameSourceSettings& settings) {
  const int patience = static_cast<int>(settings.patience_ms);
  cv::VideoCapture video(
      address, cv::CAP_FFMPEG,
      {cv::CAP_PROP_OPEN_TIMEOUT_MSEC, patience, cv::CAP_PROP_READ_TIMEOUT_MSEC, patience});
  return OpenLive(absl::StrCat("the stream ", address), std::move(video), settings);
}

}  // namespace

absl::StatusOr<std::unique_ptr<FrameSource>> OpenFrameSource(const std::string& source,
                                                             FrameSourceSettings settings) {
  // The decoder would write its own complaints to the terminal; ours say more.
  static const int kQuiet = setenv("OPENCV_FFMPEG_LOGLEVEL", "-8", 0);
  static_cast<void>(kQuiet);
  if (source.empty()) {
    return absl::InvalidArgumentError(
        "no source is given: name a camera number, a stream address, a video or a folder");
  }
  if (std::all_of(source.begin(), source.end(), [](unsigned char c) { return std::isdigit(c); })) {
    return OpenCamera(source, settings);
  }
  for (const char* scheme : {"http://", "https://", "rtsp://", "rtsps://", "rtmp://", "udp://"}) {
    if (absl::StartsWith(source, scheme)) return OpenStream(source, settings);
  }
  std::error_code error;
  if (fs::is_directory(source, error)) return OpenFolder(source, settings);
  if (!fs::exists(source, error)) {
    return absl::NotFoundError(absl::StrCat(
        "there is no ", source,
        ": give a camera number, a stream address, a video file or a folder of pictures"));
  }
  if (IsPicture(source)) {
    return std::make_unique<PictureFolder>(std::vector<fs::path>{source}, settings);
  }
  return OpenVideo(source, settings);
}

}  // namespace tilewarden::vision
