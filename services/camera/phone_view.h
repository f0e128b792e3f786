// What a phone's page shows over its own live picture: the tiles that were found, and what to
// change so that the table is seen better. One thread's.
#pragma once

#include <chrono>

#include "tilewarden/v1/camera.pb.h"
#include "vision/frames/frame_source.h"
#include "vision/sighting.h"

namespace tilewarden::services {

class PhoneView {
 public:
  // A sharp picture, and what was read in it. Every few seconds it is judged, too, which takes some
  // ten milliseconds.
  void Look(const vision::Frame& frame, const vision::Sighting& sighting);
  const v1::SendPictureResponse& seen() const { return seen_; }

 private:
  v1::SendPictureResponse seen_;
  std::chrono::steady_clock::time_point judged_{};
};

}  // namespace tilewarden::services
