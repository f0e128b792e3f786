// Frames with the bend of the camera's lens taken out.
#pragma once

#include <memory>

#include "calibration/lens.h"
#include "vision/frame_source.h"

namespace tilewarden::vision {

// Frames of `source`, straightened; what it records stays as it came. Next()
// gives INVALID_ARGUMENT for a frame of another size than the lens'.
std::unique_ptr<FrameSource> Straightened(std::unique_ptr<FrameSource> source,
                                          const calibration::Lens& lens);

}  // namespace tilewarden::vision
