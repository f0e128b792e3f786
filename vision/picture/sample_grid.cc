#include "vision/picture/sample_grid.h"

#include <algorithm>

namespace tilewarden::vision {

SampleGrid::SampleGrid(int stride)
    : first(1.5F / kFineSide),
      step(static_cast<float>(stride) / kFineSide),
      side((kFineSide - 2) / stride),
      weight(static_cast<float>(stride * stride)) {
  for (int j = 0; j < side; ++j) {
    for (int i = 0; i < side; ++i) {
      column.push_back(1 + stride * i);
      row.push_back(1 + stride * j);
      x.push_back(first + step * static_cast<float>(i) - 0.5F);
      y.push_back(first + step * static_cast<float>(j) - 0.5F);
    }
  }
}

const SampleGrid& AllSamples() {
  static const SampleGrid grid(1);
  return grid;
}
const SampleGrid& EveryOther() {
  static const SampleGrid grid(2);
  return grid;
}

ReferenceSamples::ReferenceSamples(const cv::Mat& fine, const SampleGrid& grid) {
  constexpr float kStandsOut = 25;  // levels: twice what print and noise do
  const cv::Scalar sum = cv::mean(fine);
  const cv::Vec3f mean(static_cast<float>(sum[0]), static_cast<float>(sum[1]),
                       static_cast<float>(sum[2]));
  for (std::size_t p = 0; p < grid.size(); ++p) {
    const int i = grid.column[p], j = grid.row[p];
    const cv::Vec3f here = fine.at<cv::Vec3f>(j, i);
    const float per_side = kFineSide / 2.F;
    const cv::Vec3f gx = (fine.at<cv::Vec3f>(j, i + 1) - fine.at<cv::Vec3f>(j, i - 1)) * per_side;
    const cv::Vec3f gy = (fine.at<cv::Vec3f>(j + 1, i) - fine.at<cv::Vec3f>(j - 1, i)) * per_side;
    for (int k = 0; k < 3; ++k) {
      const auto c = static_cast<std::size_t>(k);
      colour[c].push_back(here[k]);
      dx[c].push_back(gx[k]);
      dy[c].push_back(gy[k]);
    }
    dx_dx.push_back(gx.dot(gx));
    dx_dy.push_back(gx.dot(gy));
    dy_dy.push_back(gy.dot(gy));
    const cv::Vec3f off = here - mean;
    detail.push_back(Apart(off[0], off[1], off[2]) > kStandsOut ? 1.F : 0.F);
    details += detail.back();
    energy += off.dot(off);
  }
}

}  // namespace tilewarden::vision
