// A camera whose pictures make somebody throw: that costs those pictures, not the evening. And one
// that sees a river's tile in a game without a river.
#include "services/camera/vision_service.h"

#include <stdexcept>
#include <utility>

#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "services/boxes/edition.h"
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

// A spring alone on the table.
class Spring final : public vision::FrameSource {
 public:
  Spring() : picture_(720, 1280, CV_8UC3, cv::Scalar(60, 90, 120)) {
    const auto tiles = *engine::TileSet::Load("base.c1+river1.c1");
    const cv::Mat painted =
        PaintCopy(tiles->types()[static_cast<std::size_t>(tiles->Find("R.spring"))], 0, kBundledBox,
                  calibration::ReferencePack::kSide_px);
    cv::Mat tile;
    cv::resize(painted, tile, {180, 180}, 0, 0, cv::INTER_AREA);
    tile.copyTo(picture_(cv::Rect(550, 270, 180, 180)));
  }
  absl::StatusOr<std::optional<vision::Frame>> Next() override {
    if (++at_ > kFrames) return std::nullopt;
    return vision::Frame{picture_.clone(), 2000 * at_, at_ - 1, ""};
  }
  bool live() const override { return false; }

 private:
  static constexpr int kFrames = 10;
  cv::Mat picture_;
  int at_ = 0;
};

TEST_F(EngineTest, ACameraReadsTheRiverThatPeopleTurnOutToPlayWith) {
  const auto tiles = *engine::TileSet::Load("base.c1");
  VisionService::Options options;
  options.source = "spring";
  options.game.tile_set = tiles->id();
  options.tiles = tiles;
  options.rivers = std::make_shared<TableBox>(folder_.path());
  std::string read_with;
  VisionService* camera = nullptr;
  options.judged = [&](const vision::Frame&, bool) {
    read_with = camera->tile_set();
    const v1::GameState state = State("");
    if (state.questions_size() == 0) return absl::OkStatus();
    EXPECT_EQ(state.tiles_size(), 0);
    EXPECT_EQ(read_with, "base.c1");
    v1::AnswerQuestionRequest yes;
    yes.set_request_id(NewId());
    yes.set_game_id(state.game_id());
    yes.set_question_id(state.questions(0).id());
    v1::AnswerQuestionResponse answered;
    EXPECT_TRUE(Call(&v1::GameService::Stub::AnswerQuestion, yes, &answered).ok());
    return absl::OkStatus();
  };
  std::stop_source stop;
  VisionService vision(options, std::make_unique<Spring>(),
                       std::make_shared<calibration::ReferencePack>(*PublishedPack(*tiles)),
                       engine_->Channel(), stop.get_token());
  camera = &vision;
  const auto status = vision.Run();
  ASSERT_TRUE(status.ok()) << status;
  EXPECT_EQ(read_with, "base.c1+river1.c1");
  const v1::GameState state = State("");
  EXPECT_EQ(state.tile_set(), "base.c1+river1.c1");
  ASSERT_EQ(state.tiles_size(), 1);
  EXPECT_EQ(state.tiles(0).tile(), "R.spring");
}

}  // namespace
}  // namespace tilewarden::services
