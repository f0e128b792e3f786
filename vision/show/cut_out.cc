#include "vision/show/cut_out.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "calibration/common/picture_file.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr double kMost_megapixels = 16;
constexpr int kWorstQuality = 40;
constexpr double kNearly = 1e-6;

void Turn(int quarter_turns, cv::Mat* picture) {
  switch (quarter_turns & 3) {
    case 1:
      return cv::rotate(*picture, *picture, cv::ROTATE_90_CLOCKWISE);
    case 2:
      return cv::rotate(*picture, *picture, cv::ROTATE_180);
    case 3:
      return cv::rotate(*picture, *picture, cv::ROTATE_90_COUNTERCLOCKWISE);
    default:
      return;
  }
}

std::optional<std::string> Encoded(const cv::Mat& picture, const CutOutOptions& options) {
  std::vector<unsigned char> jpeg;
  for (int quality = options.quality; quality >= std::min(kWorstQuality, options.quality);
       quality -= 15) {
    cv::imencode(".jpg", picture, jpeg, {cv::IMWRITE_JPEG_QUALITY, quality});
    if (jpeg.size() <= options.most_bytes) return std::string(jpeg.begin(), jpeg.end());
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> CutOut(std::string_view jpeg, int columns, int rows, int quarter_turns,
                                  const CutOutArea& area, const CutOutOptions& options) {
  if (quarter_turns % 2 != 0) std::swap(columns, rows);
  const bool inside = area.x >= 0 && area.y >= 0 && area.columns > 0 && area.rows > 0 &&
                      area.x + area.columns <= columns + kNearly &&
                      area.y + area.rows <= rows + kNearly;
  if (!inside) return std::nullopt;
  absl::StatusOr<cv::Mat> decoded = calibration::DecodeJpeg(jpeg, kMost_megapixels);
  if (!decoded.ok()) return std::nullopt;
  cv::Mat picture = *std::move(decoded);
  Turn(quarter_turns, &picture);
  const double cell_x_px = static_cast<double>(picture.cols) / columns;
  const double cell_y_px = static_cast<double>(picture.rows) / rows;
  const cv::Rect part = cv::Rect(static_cast<int>(std::lround(area.x * cell_x_px)),
                                 static_cast<int>(std::lround(area.y * cell_y_px)),
                                 static_cast<int>(std::lround(area.columns * cell_x_px)),
                                 static_cast<int>(std::lround(area.rows * cell_y_px))) &
                        cv::Rect({}, picture.size());
  if (part.empty()) return std::nullopt;
  cv::Mat cut = picture(part).clone();
  for (;;) {
    const int longest_px = std::max(cut.cols, cut.rows);
    if (longest_px <= options.largest_px) {
      if (auto encoded = Encoded(cut, options)) return encoded;
    }
    const int aim_px = longest_px > options.largest_px ? options.largest_px : longest_px * 3 / 4;
    const double scale = static_cast<double>(aim_px) / longest_px;
    const cv::Size size(static_cast<int>(cut.cols * scale), static_cast<int>(cut.rows * scale));
    if (size.empty()) return std::nullopt;
    cv::resize(cut, cut, size, 0, 0, cv::INTER_AREA);
  }
}

}  // namespace tilewarden::vision
