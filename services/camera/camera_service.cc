#include "services/camera/camera_service.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "services/base/check_text.h"
#include "vision/frames/capture.h"

namespace tilewarden::services {
namespace {

constexpr int kSmall_px = 320, kLarge_px = 640;
constexpr std::size_t kLongestSource = 1000;

std::string Jpeg(const cv::Mat& picture, int width_px) {
  if (picture.empty()) return "";
  cv::Mat small = picture;
  if (picture.cols > width_px) {
    const int height_px = std::max(1, picture.rows * width_px / picture.cols);
    cv::resize(picture, small, {width_px, height_px}, 0, 0, cv::INTER_AREA);
  }
  std::vector<unsigned char> bytes;
  cv::imencode(".jpg", small, bytes, {cv::IMWRITE_JPEG_QUALITY, 80});
  return {bytes.begin(), bytes.end()};
}

}  // namespace

grpc::Status CameraServiceImpl::ListCameras(grpc::ServerContext* context,
                                            const v1::ListCamerasRequest* request,
                                            v1::ListCamerasResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const std::lock_guard lock(opening_);
    const std::string chosen = camera_.source();
    response->set_chosen(chosen);
    const vision::Machine machine = vision::ThisMachine();
    for (const vision::CameraOnMachine& camera : machine.cameras()) {
      v1::CameraSummary* told = response->add_cameras();
      told->set_source(absl::StrCat(camera.number));
      told->set_name(camera.name);
      cv::Mat picture;
      if (told->source() == chosen) {
        if (const auto newest = camera_.newest(); newest.ok()) picture = *newest;
      } else if (const auto device = machine.open_camera(camera)) {
        device->Read(&picture);
      }
      told->set_jpeg(Jpeg(picture, kSmall_px));
    }
    return absl::OkStatus();
  });
}

grpc::Status CameraServiceImpl::ChooseCamera(grpc::ServerContext* context,
                                             const v1::ChooseCameraRequest* request,
                                             v1::ChooseCameraResponse*) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (auto status = CheckText("source", request->source(), kLongestSource); !status.ok()) {
      return status;
    }
    if (!camera_.choose) {
      return absl::FailedPreconditionError(
          "the camera was given when Tilewarden was started; start it without one to choose here");
    }
    const std::lock_guard lock(opening_);
    return camera_.choose(request->source());
  });
}

grpc::Status CameraServiceImpl::SendPicture(grpc::ServerContext* context,
                                            const v1::SendPictureRequest* request,
                                            v1::SendPictureResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (camera_.phone == nullptr) {
      return absl::FailedPreconditionError(
          "the camera was given when Tilewarden was started; start it without one to use a phone");
    }
    auto answer = camera_.phone->Take(*request);
    if (!answer.ok()) return answer.status();
    *response = *std::move(answer);
    return absl::OkStatus();
  });
}

grpc::Status CameraServiceImpl::GetTableView(grpc::ServerContext* context,
                                             const v1::GetTableViewRequest* request,
                                             v1::GetTableViewResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    *response = camera_.view();
    if (const auto newest = camera_.newest(); newest.ok()) {
      response->set_jpeg(Jpeg(*newest, kLarge_px));
    }
    return absl::OkStatus();
  });
}

}  // namespace tilewarden::services
