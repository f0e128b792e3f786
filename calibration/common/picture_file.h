// Reads a picture from a file in the form that everything here expects.
#pragma once

#include <filesystem>
#include <string_view>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"

namespace tilewarden::calibration {

// The largest picture that is read, in millions of pixels: bounds the memory
// that a hostile file can ask for (8 bytes a pixel while it is decoded).
inline constexpr double kLargestPicture_megapixels = 50;

// 8-bit BGR, EXIF orientation applied. NOT_FOUND: no such file.
// INVALID_ARGUMENT: not a picture, torn, empty, too large; the message names
// the file and says what is wrong. Blocks on reading.
absl::StatusOr<cv::Mat> LoadPicture(const std::filesystem::path& path);

// The same of a JPEG's bytes. INVALID_ARGUMENT: none, torn, or of more pixels; found out before
// anything is decoded.
absl::StatusOr<cv::Mat> DecodeJpeg(std::string_view bytes, double most_megapixels);

}  // namespace tilewarden::calibration
