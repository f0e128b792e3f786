// A phone as the camera: the page in its browser sends pictures, small ones while something moves
// and sharp ones when the table rests. Nothing of them is kept.
//
//   phone's page -- SendPicture --> gateway --> PhoneCamera --> its FrameSource --> TableCamera
//
// The answer to a picture waits until the reader has looked at it, so that a slow reader slows the
// phone and nothing queues. One phone is the camera at a time; another one takes over when its
// owner says so.
//
// Thread safe. Take blocks for some hundred milliseconds at most.
#pragma once

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "tilewarden/v1/camera.pb.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::services {

class PhoneCamera {
 public:
  // As ChooseCamera takes it.
  static constexpr char kSource[] = "phone";
  static constexpr double kLargest_megapixels = 4;
  static constexpr int kMost_per_s = 30;

  PhoneCamera();
  ~PhoneCamera();

  // Errors as SendPicture of CameraService.
  absl::StatusOr<v1::SendPictureResponse> Take(const v1::SendPictureRequest& request);

  // What a phone sends from now on, live. Next gives UNAVAILABLE while none has sent anything for
  // so long. Outlives this.
  std::unique_ptr<vision::FrameSource> Open(std::int64_t outage_ms);

  // What the reader saw in the picture that it was given last, whether it wants a sharp one, and
  // whether the table rests.
  void Tell(v1::SendPictureResponse seen, bool rests);

 private:
  class Frames;
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace tilewarden::services
