// A phone as the camera: which pictures are taken, what becomes of them, and which are refused.
#include "services/camera/phone_camera.h"

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::services {
namespace {

constexpr std::int64_t kPatience_ms = 200;

std::string Jpeg(int width, int height, int grey = 120) {
  const cv::Mat picture(height, width, CV_8UC3, cv::Scalar(grey, grey, grey));
  std::vector<unsigned char> bytes;
  cv::imencode(".jpg", picture, bytes);
  return {bytes.begin(), bytes.end()};
}

v1::SendPictureRequest Sharp(const std::string& phone, int grey = 120) {
  v1::SendPictureRequest request;
  request.set_phone(phone);
  request.set_jpeg(Jpeg(1280, 720, grey));
  return request;
}
v1::SendPictureRequest Small(const std::string& phone) {
  v1::SendPictureRequest request;
  request.set_phone(phone);
  request.set_jpeg(Jpeg(480, 270));
  request.set_sharp_width_px(1280);
  request.set_sharp_height_px(720);
  return request;
}

// Sends without waiting for whoever looks at it.
class Sent {
 public:
  Sent(PhoneCamera* camera, const v1::SendPictureRequest& request)
      : thread_([this, camera, request] { answer_ = camera->Take(request); }) {}
  absl::StatusOr<v1::SendPictureResponse> Answer() {
    thread_.join();
    return answer_;
  }

 private:
  absl::StatusOr<v1::SendPictureResponse> answer_ = absl::UnknownError("not answered");
  std::thread thread_;
};

TEST(PhoneCamera, SharpPicturesAreGivenOnAsTheyAreAndSmallOnesEnlargedForTheGate) {
  PhoneCamera camera;
  const auto frames = camera.Open(kPatience_ms);
  Sent sharp(&camera, Sharp("a"));
  const auto first = *frames->Next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->picture.size(), cv::Size(1280, 720));
  EXPECT_FALSE(first->for_the_gate);
  Sent small(&camera, Small("a"));
  const auto second = *frames->Next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->picture.size(), cv::Size(1280, 720));
  EXPECT_TRUE(second->for_the_gate);
  EXPECT_GE(second->time_ms, first->time_ms);
  EXPECT_TRUE(sharp.Answer().ok());
  EXPECT_TRUE(small.Answer().ok());
}

TEST(PhoneCamera, ASharpPictureThatWaitsIsNotLostForASmallOne) {
  PhoneCamera camera;
  const auto frames = camera.Open(kPatience_ms);
  // Nobody looks: each is answered after its patience.
  EXPECT_TRUE(camera.Take(Sharp("a")).ok());
  EXPECT_TRUE(camera.Take(Small("a")).ok());
  EXPECT_FALSE((*frames->Next())->for_the_gate);
  EXPECT_TRUE(absl::IsUnavailable(frames->Next().status()));
}

TEST(PhoneCamera, AsksForASharpPictureWhenTheReaderWantsOne) {
  PhoneCamera camera;
  const auto frames = camera.Open(kPatience_ms);
  const auto looked_at = [&](const v1::SendPictureRequest& request, bool wants, bool rests) {
    Sent sent(&camera, request);
    EXPECT_TRUE((*frames->Next()).has_value());
    v1::SendPictureResponse seen;
    seen.set_game_id("g");
    seen.set_wants_sharp(wants);
    camera.Tell(seen, rests);
    // As a reader that asks for the next one.
    std::thread next([&] { EXPECT_TRUE(absl::IsUnavailable(frames->Next().status())); });
    const auto answer = sent.Answer();
    next.join();
    EXPECT_TRUE(answer.ok()) << answer.status();
    return *answer;
  };
  EXPECT_FALSE(looked_at(Sharp("a"), false, true).wants_sharp());
  const auto moving = looked_at(Small("a"), false, false);
  EXPECT_FALSE(moving.wants_sharp());
  EXPECT_TRUE(looked_at(Small("a"), true, false).wants_sharp());
  const auto read = looked_at(Sharp("a"), false, true);
  EXPECT_FALSE(read.wants_sharp());
  EXPECT_LT(moving.wait_ms(), read.wait_ms()) << "while all is quiet fewer are needed";
  EXPECT_EQ(read.game_id(), "g");
}

TEST(PhoneCamera, OnePhoneIsTheCameraUntilAnotherTakesOver) {
  PhoneCamera camera;
  EXPECT_TRUE(absl::IsFailedPrecondition(camera.Take(Sharp("a")).status()));
  auto frames = camera.Open(kPatience_ms);
  EXPECT_TRUE(camera.Take(Sharp("a")).ok());
  EXPECT_TRUE(absl::IsAborted(camera.Take(Sharp("b")).status()));
  auto over = Sharp("b");
  over.set_take_over(true);
  EXPECT_TRUE(camera.Take(over).ok());
  EXPECT_TRUE(absl::IsAborted(camera.Take(Sharp("a")).status()));
  frames.reset();
  EXPECT_TRUE(absl::IsFailedPrecondition(camera.Take(over).status()));
}

TEST(PhoneCamera, RefusesWhatIsNoPictureOrTooMuchOfIt) {
  PhoneCamera camera;
  const auto frames = camera.Open(kPatience_ms);
  const auto refused = [&](const std::string& jpeg) {
    v1::SendPictureRequest request;
    request.set_phone("a");
    request.set_jpeg(jpeg);
    return camera.Take(request).status();
  };
  const std::string whole = Jpeg(640, 480);
  EXPECT_TRUE(absl::IsInvalidArgument(refused("")));
  EXPECT_TRUE(absl::IsInvalidArgument(refused("not a picture")));
  EXPECT_TRUE(absl::IsInvalidArgument(refused(whole.substr(0, whole.size() / 2))));
  // The header alone claims 65,500 x 65,500 pixels.
  std::string bomb = whole;
  const auto size = bomb.find("\xFF\xC0");
  ASSERT_NE(size, std::string::npos);
  for (std::size_t i = 5; i < 9; ++i) bomb[size + i] = '\xFF';
  EXPECT_TRUE(absl::IsInvalidArgument(refused(bomb)));
  auto enlarged = Small("a");
  enlarged.set_sharp_width_px(60'000);
  enlarged.set_sharp_height_px(60'000);
  EXPECT_TRUE(absl::IsInvalidArgument(camera.Take(enlarged).status()));
  auto nameless = Sharp("");
  EXPECT_TRUE(absl::IsInvalidArgument(camera.Take(nameless).status()));
}

TEST(PhoneCamera, TakesNoMoreThanThirtyPicturesASecond) {
  PhoneCamera camera;
  const auto frames = camera.Open(kPatience_ms);
  v1::SendPictureRequest torn;
  torn.set_phone("a");
  torn.set_jpeg("torn");
  int refused = 0;
  for (int i = 0; i < 500; ++i) refused += absl::IsResourceExhausted(camera.Take(torn).status());
  EXPECT_GE(refused, 500 - 3 * PhoneCamera::kMost_per_s);
}

}  // namespace
}  // namespace tilewarden::services
