// A camera whose pictures make somebody throw: that costs those pictures, not the evening.
#include "services/camera/vision_service.h"

#include <stdexcept>
#include <utility>

#include "gtest/gtest.h"
#include "services/boxes/printable_set.h"
#include "tests/services/support/engine_fixture.h"

namespace tilewarden::services {
namespace {

// An empty table; some of the frames are not to be had.
class Faulty final : public vision::FrameSource {
 public:
  absl::StatusOr<std::optional<vision::Frame>> Next() override {
    const int at = at_++;
    if (at == 1) throw std::runtime_error("a decoder threw");
    if (at == 3) throw cv::Exception(cv::Error::StsAssert, "size", "resize", "resize.cpp", 1);
    if (at == 6) return std::nullopt;
    const cv::Mat picture(480, 640, CV_8UC3, cv::Scalar(60, 90, 120));
    return vision::Frame{picture, 2000 * at, at, ""};
  }
  bool live() const override { return false; }

 private:
  int at_ = 0;
};

TEST_F(EngineTest, ACameraThatThrowsEndsNothing) {
  VisionService::Options options;
  options.source = "faulty";
  options.game.tile_set = "base.c1";
  std::stop_source stop;
  VisionService vision(options, std::make_unique<Faulty>(),
                       std::make_shared<calibration::ReferencePack>(
                           PaintedPack(**engine::TileSet::Load("base.c1"), 0)),
                       engine_->Channel(), stop.get_token());
  const auto status = vision.Run();
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(vision.frames_read(), 4u);
  v1::GetVisionStatusResponse told;
  ASSERT_TRUE(vision.GetVisionStatus(nullptr, nullptr, &told).ok());
  EXPECT_EQ(told.problem(), "") << "it was over";
}

}  // namespace
}  // namespace tilewarden::services
