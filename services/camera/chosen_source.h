// Frames of whichever camera people choose, while the rest of the service runs on.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::services {

// Next belongs to one thread; the rest is safe from any.
class ChosenSource final : public vision::FrameSource {
 public:
  using Open =
      std::function<absl::StatusOr<std::unique_ptr<vision::FrameSource>>(const std::string&)>;
  // `kept`: the file in which the choice is remembered.
  ChosenSource(Open open, std::filesystem::path kept);

  // Takes frames from this source from now on; empty: from none. Errors as
  // vision::OpenFrameSource; then it stays as it was. Blocks until the source is open.
  absl::Status Choose(const std::string& source);
  // What was remembered, if it can still be opened. Blocks as Choose.
  void ChooseAsBefore();
  // Empty: none.
  std::string source() const;

  // UNAVAILABLE while no camera is chosen, or the one that is gives nothing; may be asked again
  // then. Times go on from one camera to the next.
  absl::StatusOr<std::optional<vision::Frame>> Next() override;
  bool live() const override { return true; }

 private:
  const Open open_;
  const std::filesystem::path kept_;
  mutable std::mutex mutex_;
  std::condition_variable chosen_;
  std::string source_;
  std::shared_ptr<vision::FrameSource> frames_;

  // Of Next's thread.
  std::shared_ptr<vision::FrameSource> from_;
  std::int64_t time_ms_ = 0, since_ms_ = 0;
  std::int64_t number_ = 0;
};

}  // namespace tilewarden::services
