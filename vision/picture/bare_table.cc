#include "vision/picture/bare_table.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "opencv2/imgproc.hpp"

namespace tilewarden::vision {
namespace {

constexpr int kCoarser = 4;  // the table changes slowly from place to place

}  // namespace

BareTable BareTable::Learn(const cv::Mat& picture, cv::Mat bare, int around_px) {
  // Levels that any table may vary by, and spreads from which a pixel is something on it.
  constexpr float kFloor = 8, kOutlier = 2.5F;
  BareTable table;
  cv::erode(bare, bare, {}, {-1, -1}, 3);
  const cv::Size size(picture.cols / kCoarser, picture.rows / kCoarser);
  cv::Mat small;
  cv::resize(picture, small, size, 0, 0, cv::INTER_AREA);
  cv::resize(bare, bare, size, 0, 0, cv::INTER_NEAREST);
  small.convertTo(small, CV_32F);
  ColourPlanes seen;
  cv::split(small, seen.data());
  const cv::Size around(around_px / kCoarser + 1, around_px / kCoarser + 1);
  std::vector<float> away(static_cast<std::size_t>(size.width));
  // The second round leaves out what is not table: figures in supply, the rim of
  // things.
  for (const bool last : {false, true}) {
    cv::Mat of_bare, weight;
    bare.convertTo(of_bare, CV_32F, 1 / 255.0);
    cv::blur(of_bare, weight, around);
    weight = cv::max(weight, 1e-4);
    for (std::size_t c = 0; c < 3; ++c) {
      cv::Mat sum = seen[c].mul(of_bare), squares = sum.mul(seen[c]);
      cv::blur(sum, sum, around);
      cv::blur(squares, squares, around);
      table.mean_[c] = sum / weight;
      cv::Mat variance = squares / weight - table.mean_[c].mul(table.mean_[c]);
      cv::sqrt(cv::max(variance, 0), table.spread_[c]);
      table.spread_[c] += kFloor;
    }
    if (last) break;
    for (int y = 0; y < size.height; ++y) {
      DistanceInSpreads(RowOf(seen, y), RowOf(table.mean_, y), RowOf(table.spread_, y), size.width,
                        away.data());
      uchar* row = bare.ptr<uchar>(y);
      for (int x = 0; x < size.width; ++x) {
        if (away[static_cast<std::size_t>(x)] > kOutlier) row[x] = 0;
      }
    }
  }
  return table;
}

void BareTable::Around(int x, int y, int count, const std::array<float*, 6>& out) const {
  const int row = std::min(y / kCoarser, mean_[0].rows - 1);
  for (std::size_t c = 0; c < 3; ++c) {
    const float *mean = mean_[c].ptr<float>(row), *spread = spread_[c].ptr<float>(row);
    for (int i = 0; i < count; ++i) {
      const int column = std::min((x + i) / kCoarser, mean_[c].cols - 1);
      out[c][i] = mean[column];
      out[c + 3][i] = spread[column];
    }
  }
}

}  // namespace tilewarden::vision
