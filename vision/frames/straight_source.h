// Frames with the bend of the camera's lens taken out.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "calibration/camera/lens.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::vision {

// What to do with frames of another size than the lens was measured at.
enum class OtherSize {
  kRefuse,  // INVALID_ARGUMENT: somebody asked for this lens
  kLeave    // as they were taken: this lens was only the last one that was measured
};

// The frames of a source as they were taken until a lens is known, straightened by it
// from then on. Errors are the source's. As FrameSource, but that what stands last is
// safe from any thread.
class StraightSource final : public FrameSource {
 public:
  StraightSource(std::unique_ptr<FrameSource> source, const std::optional<calibration::Lens>& lens,
                 OtherSize other_size = OtherSize::kRefuse);

  absl::StatusOr<std::optional<Frame>> Next() override;
  bool live() const override { return source_->live(); }

  // From the next frame on.
  void Use(const calibration::Lens& lens);
  // How often the lens was changed: pictures before and after do not lie alike.
  int changes() const;
  // The newest frame as it was taken; its picture is empty before the first.
  Frame NewestAsTaken() const;

 private:
  struct Known {
    cv::Size size;
    calibration::Straightener straightener;
  };

  const std::unique_ptr<FrameSource> source_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Known> lens_;
  OtherSize other_size_;
  int changes_ = 0;
  Frame newest_;
};

}  // namespace tilewarden::vision
