// The lens of a running camera measured from the page: guided look by look, kept, used.
#include "services/camera/calibration_service.h"

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "calibration/camera/camera_profile.h"
#include "gmock/gmock.h"
#include "grpcpp/grpcpp.h"
#include "gtest/gtest.h"
#include "opencv2/imgproc.hpp"
#include "tests/calibration/camera/rendered_looks.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

using calibration::Lens;
using testing::HasSubstr;

// A person before the camera, who does what the guide says.
class Person {
 public:
  explicit Person(const Lens& lens)
      : lens_(lens), photographer_(lens), sheet_(calibration::BoardSheet(board_)) {}

  absl::StatusOr<vision::Frame> Newest() {
    const std::lock_guard lock(mutex_);
    if (frame_.picture.empty()) return absl::FailedPreconditionError("plug the camera in");
    return frame_;
  }
  void Show(const cv::Mat& picture) {
    const std::lock_guard lock(mutex_);
    frame_.picture = picture;
    ++frame_.number;
  }
  void Do(const v1::CalibrateCameraResponse& told) {
    calibration::LensGuide::Wish wish;
    wish.place = static_cast<int>(told.place());
    wish.tilt = static_cast<calibration::Tilt>(told.tilt() - v1::BOARD_TILT_NONE);
    const auto held = calibration::HeldBoard(sheet_, board_, wish, lens_, &rng_);
    Show(photographer_.Take({held}, {}, static_cast<std::uint64_t>(++pictures_)));
  }
  cv::Mat EmptyPicture() const { return photographer_.Take({}, {}, 1); }
  int pictures() const { return pictures_; }

 private:
  const calibration::BoardLayout board_;
  const Lens lens_;
  const calibration::Photographer photographer_;
  const calibration::Sheet sheet_;
  cv::RNG rng_{4};
  int pictures_ = 0;
  std::mutex mutex_;
  vision::Frame frame_;
};

class CalibrationServiceTest : public testing::Test {
 protected:
  // What no session needs: it looks for the end.
  static constexpr int kMost = 80;

  CalibrationServiceTest()
      : guard_(nobody_),
        service_(
            folder_.path(), &guard_,
            {[this] { return person_.Newest(); }, [this](const Lens& lens) { used_ = lens; }}) {
    grpc::ServerBuilder builder;
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
    stub_ = v1::CalibrationService::NewStub(server_->InProcessChannel({}));
  }

  struct Call {
    grpc::ClientContext context;
    std::unique_ptr<grpc::ClientReader<v1::CalibrateCameraResponse>> answers;
    v1::CalibrateCameraResponse told;
    bool Next() { return answers->Read(&told); }
    // Until it says this, or the call ends.
    bool Until(v1::LookObstacle obstacle) {
      while (Next()) {
        if (told.obstacle() == obstacle) return true;
      }
      return false;
    }
    void Leave() {
      context.TryCancel();
      while (Next()) {
      }
      answers->Finish();
    }
  };
  std::unique_ptr<Call> Begin(bool anew = false) {
    auto call = std::make_unique<Call>();
    v1::CalibrateCameraRequest request;
    request.set_anew(anew);
    call->answers = stub_->CalibrateCamera(&call->context, request);
    return call;
  }

  const Lens lens_ = calibration::SomeLens(6, {800, 450});
  TempFolder folder_;
  Person person_{lens_};
  // Calls from this machine are let in without asking.
  const std::shared_ptr<grpc::Channel> nobody_ =
      grpc::CreateChannel("127.0.0.1:1", grpc::InsecureChannelCredentials());
  AskingGuard guard_;
  std::optional<Lens> used_;
  CalibrationServiceImpl service_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<v1::CalibrationService::Stub> stub_;
};

TEST_F(CalibrationServiceTest, ALensIsMeasuredKeptAndUsed) {
  const auto call = Begin();
  std::size_t corners = 0, looks = 0;
  while (call->Next() && !call->told.has_result() && person_.pictures() < kMost) {
    for (const auto& look : call->told.new_looks()) {
      corners += static_cast<std::size_t>(look.corners_size());
      ++looks;
    }
    EXPECT_EQ(looks, call->told.looks()) << "each look is told once";
    person_.Do(call->told);
  }
  ASSERT_TRUE(call->told.has_result()) << person_.pictures() << " pictures shown";
  EXPECT_TRUE(call->answers->Finish().ok());
  EXPECT_GT(corners, 10 * looks);
  EXPECT_GE(call->told.progress(), 1);
  const v1::LensResult& result = call->told.result();
  EXPECT_TRUE(result.kept()) << result.text();
  EXPECT_NE(result.verdict(), v1::LENS_VERDICT_POOR);
  ASSERT_TRUE(used_.has_value());
  EXPECT_LT(calibration::Difference(*used_, lens_).rms_px, 1);
  const auto profile = calibration::CameraProfile::Load(KeptProfile(folder_.path()));
  ASSERT_TRUE(profile.ok()) << profile.status();
  EXPECT_LT(calibration::Difference(profile->lens, *used_).rms_px, 0.01);
}

TEST_F(CalibrationServiceTest, SaysWhyAPictureIsNoLook) {
  const auto call = Begin();
  ASSERT_TRUE(call->Until(v1::LOOK_OBSTACLE_NO_PICTURE));
  person_.Show(person_.EmptyPicture());
  ASSERT_TRUE(call->Until(v1::LOOK_OBSTACLE_NO_BOARD));
  EXPECT_EQ(call->told.width(), 800U);
  person_.Do(call->told);
  ASSERT_TRUE(call->Until(v1::LOOK_OBSTACLE_UNSPECIFIED));
  person_.Show(person_.Newest()->picture);
  ASSERT_TRUE(call->Until(v1::LOOK_OBSTACLE_SAME));
  EXPECT_EQ(call->told.looks(), 1U);
  person_.Do(call->told);
  ASSERT_TRUE(call->Until(v1::LOOK_OBSTACLE_UNSPECIFIED));
  call->Leave();
  EXPECT_FALSE(used_.has_value());
  EXPECT_FALSE(std::filesystem::exists(KeptProfile(folder_.path())));
}

TEST_F(CalibrationServiceTest, ACallThatWasCutOffIsGoneOnWith) {
  auto call = Begin();
  ASSERT_TRUE(call->Next());
  person_.Do(call->told);
  ASSERT_TRUE(call->Until(v1::LOOK_OBSTACLE_UNSPECIFIED));
  // One page at a time.
  const auto second = Begin();
  EXPECT_FALSE(second->Next());
  const grpc::Status refused = second->answers->Finish();
  EXPECT_EQ(refused.error_code(), grpc::StatusCode::FAILED_PRECONDITION);
  EXPECT_THAT(refused.error_message(), HasSubstr("another page"));
  call->Leave();
  call = Begin();
  // The service lets go of the first call as soon as it sees that it has ended.
  while (!call->Next()) call = Begin();
  EXPECT_EQ(call->told.looks(), 1U);
  EXPECT_EQ(call->told.new_looks_size(), 1);
  call->Leave();
  call = Begin(true);
  while (!call->Next()) call = Begin(true);
  EXPECT_EQ(call->told.new_looks_size(), static_cast<int>(call->told.looks()));
  call->Leave();
}

TEST_F(CalibrationServiceTest, APoorLensChangesNothing) {
  const auto call = Begin();
  // Pictures of two cameras in turn fit no lens.
  Person other(calibration::SomeLens(9, {800, 450}));
  while (call->Next() && !call->told.has_result() && person_.pictures() < kMost) {
    person_.Do(call->told);
    if (person_.pictures() % 2 == 0) {
      other.Do(call->told);
      cv::Mat stretched;
      cv::resize(other.Newest()->picture, stretched, {}, 1, 1.2);
      person_.Show(stretched.rowRange(0, 450));
    }
  }
  ASSERT_TRUE(call->told.has_result());
  EXPECT_EQ(call->told.result().verdict(), v1::LENS_VERDICT_POOR);
  EXPECT_FALSE(call->told.result().kept());
  EXPECT_FALSE(call->told.result().text().empty());
  EXPECT_FALSE(used_.has_value());
  EXPECT_FALSE(std::filesystem::exists(KeptProfile(folder_.path())));
}

TEST_F(CalibrationServiceTest, TheBoardToShowIsTheOneThatIsLookedFor) {
  grpc::ClientContext context;
  v1::GetCalibrationBoardResponse board;
  ASSERT_TRUE(stub_->GetCalibrationBoard(&context, {}, &board).ok());
  constexpr double kScale = 60, kMargin = 40;
  cv::Mat drawn(static_cast<int>(board.rows() * kScale + 2 * kMargin),
                static_cast<int>(board.columns() * kScale + 2 * kMargin), CV_8U, cv::Scalar(255));
  for (const auto& ink : board.ink()) {
    const cv::Point from(cvRound(kMargin + kScale * ink.x()), cvRound(kMargin + kScale * ink.y()));
    const cv::Point to(cvRound(kMargin + kScale * (ink.x() + ink.width())),
                       cvRound(kMargin + kScale * (ink.y() + ink.height())));
    drawn(cv::Rect(from, to)).setTo(0);
  }
  const auto look = calibration::FindBoard(drawn, {});
  ASSERT_TRUE(look.ok()) << look.status();
  EXPECT_EQ(look->ids.size(), (board.rows() - 1) * (board.columns() - 1));
}

}  // namespace
}  // namespace tilewarden::services
