// From a source of frames to sightings: what `tilewarden watch` and the vision service share.
#include "services/camera/table_camera.h"

#include <google/protobuf/util/message_differencer.h>

#include <filesystem>
#include <utility>

#include "calibration/common/picture_file.h"
#include "gtest/gtest.h"
#include "services/boxes/printable_set.h"
#include "services/convert/convert.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

using google::protobuf::util::MessageDifferencer;

// The same picture again and again, two seconds apart.
class Still final : public vision::FrameSource {
 public:
  Still(cv::Mat picture, int frames) : picture_(std::move(picture)), left_(frames) {}
  absl::StatusOr<std::optional<vision::Frame>> Next() override {
    if (left_-- <= 0) return std::nullopt;
    vision::Frame frame{picture_, 2000 * number_, number_, ""};
    ++number_;
    return frame;
  }
  bool live() const override { return false; }

 private:
  const cv::Mat picture_;
  int left_;
  std::int64_t number_ = 0;
};

std::shared_ptr<calibration::ReferencePack> BundledPack() {
  return std::make_shared<calibration::ReferencePack>(
      PaintedPack(**engine::TileSet::Load("base.c1"), 0));
}

cv::Mat EmptyTable() { return cv::Mat(480, 640, CV_8UC3, cv::Scalar(60, 90, 120)); }

TEST(TableCamera, TellsWhatTheReaderSeesAndNumbersItFromOne) {
  const auto picture = calibration::LoadPicture(std::string(TILEWARDEN_RECORDED) + "/table.jpg");
  ASSERT_TRUE(picture.ok()) << picture.status();
  const auto pack = BundledPack();
  TableCamera camera(std::make_unique<Still>(*picture, 2), pack, {});
  const auto networks = vision::Networks::Load();
  ASSERT_TRUE(networks.ok()) << networks.status();
  vision::TableReader reader(*networks, pack);
  std::uint64_t number = 0;
  while (const auto frame = *camera.NextFrame()) {
    const auto seen = camera.Read(*frame);
    ASSERT_TRUE(seen.ok()) << seen.status();
    v1::Sighting expected = ToProto(*reader.Read(frame->picture, frame->time_ms));
    EXPECT_GT(expected.tiles_size(), 0);
    expected.set_sequence(++number);
    EXPECT_TRUE(MessageDifferencer::Equals(seen->message, expected));
    EXPECT_EQ(seen->tile_set, "base.c1");
  }
  EXPECT_EQ(number, 2u);
}

TEST(TableCamera, AnotherPackIsReadWithFromTheNextFrameOnAndTheNumbersGoOn) {
  TableCamera camera(std::make_unique<Still>(EmptyTable(), 3), BundledPack(), {});
  EXPECT_EQ(camera.Read(**camera.NextFrame())->tile_set, "base.c1");
  auto other = BundledPack();
  other->tile_set = "base.c2";
  camera.ReadWith(other);
  EXPECT_EQ(camera.tile_set(), "base.c2");
  const auto second = camera.Read(**camera.NextFrame());
  EXPECT_EQ(second->tile_set, "base.c2");
  EXPECT_EQ(second->message.sequence(), 2u);
  camera.Expect({vision::FigureKind::kAbbot});
  EXPECT_EQ(camera.Read(**camera.NextFrame())->message.sequence(), 3u);
  EXPECT_FALSE(camera.NextFrame()->has_value());
}

TEST(TableCamera, DrawsEachLookThatWasReadWhereThatIsAskedFor) {
  const auto picture = calibration::LoadPicture(std::string(TILEWARDEN_RECORDED) + "/table.jpg");
  ASSERT_TRUE(picture.ok()) << picture.status();
  const TempFolder folder;
  TableCamera::Options options;
  options.reading.debug_folder = folder.path();
  options.tiles = *engine::TileSet::Load("base.c1");
  TableCamera camera(std::make_unique<Still>(*picture, 4), BundledPack(), options);
  while (const auto frame = *camera.NextFrame()) ASSERT_TRUE(camera.Read(*frame).ok());
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "look-000001.jpg"));
}

}  // namespace
}  // namespace tilewarden::services
