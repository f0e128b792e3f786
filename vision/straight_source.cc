#include "vision/straight_source.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::vision {
namespace {

class StraightSource : public FrameSource {
 public:
  StraightSource(std::unique_ptr<FrameSource> source, const calibration::Lens& lens)
      : source_(std::move(source)), size_(lens.size_px), straightener_(lens) {}

  absl::StatusOr<std::optional<Frame>> Next() override {
    auto frame = source_->Next();
    if (!frame.ok() || !frame->has_value()) return frame;
    cv::Mat& picture = (**frame).picture;
    if (picture.size() != size_) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the pictures are ", picture.cols, "x", picture.rows, " and the profile was made at ",
          size_.width, "x", size_.height, ": calibrate at this size, or go without --profile"));
    }
    picture = straightener_.Straight(picture);
    return frame;
  }
  bool live() const override { return source_->live(); }

 private:
  std::unique_ptr<FrameSource> source_;
  const cv::Size size_;
  const calibration::Straightener straightener_;
};

}  // namespace

std::unique_ptr<FrameSource> Straightened(std::unique_ptr<FrameSource> source,
                                          const calibration::Lens& lens) {
  return std::make_unique<StraightSource>(std::move(source), lens);
}

}  // namespace tilewarden::vision
