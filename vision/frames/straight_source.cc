#include "vision/frames/straight_source.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::vision {

StraightSource::StraightSource(std::unique_ptr<FrameSource> source,
                               const std::optional<calibration::Lens>& lens, OtherSize other_size)
    : source_(std::move(source)), other_size_(other_size) {
  if (lens) lens_ = std::make_shared<Known>(lens->size_px, calibration::Straightener(*lens));
}

absl::StatusOr<std::optional<Frame>> StraightSource::Next() {
  auto frame = source_->Next();
  if (!frame.ok() || !frame->has_value()) return frame;
  cv::Mat& picture = (**frame).picture;
  std::shared_ptr<const Known> lens;
  OtherSize other_size;
  {
    const std::lock_guard lock(mutex_);
    if (!(**frame).for_the_gate) newest_ = **frame;
    lens = lens_;
    other_size = other_size_;
  }
  if (lens == nullptr) return frame;
  if (picture.size() == lens->size) {
    picture = lens->straightener.Straight(picture);
    return frame;
  }
  if (other_size == OtherSize::kLeave) return frame;
  return absl::InvalidArgumentError(
      absl::StrCat("the pictures are ", picture.cols, "x", picture.rows,
                   " and the profile was made at ", lens->size.width, "x", lens->size.height,
                   ": calibrate at this size, or leave out --profile"));
}

void StraightSource::Use(const calibration::Lens& lens) {
  auto known = std::make_shared<Known>(lens.size_px, calibration::Straightener(lens));
  const std::lock_guard lock(mutex_);
  lens_ = std::move(known);
  other_size_ = OtherSize::kLeave;
  ++changes_;
}

int StraightSource::changes() const {
  const std::lock_guard lock(mutex_);
  return changes_;
}

Frame StraightSource::NewestAsTaken() const {
  const std::lock_guard lock(mutex_);
  return newest_;
}

}  // namespace tilewarden::vision
