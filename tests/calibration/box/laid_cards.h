// Tiles of no box, laid out in rows: for tests of what finds them.
#pragma once

#include <cmath>

#include "calibration/box/reference_pack.h"
#include "opencv2/core.hpp"
#include "opencv2/imgproc.hpp"

namespace tilewarden::calibration {

inline constexpr int kCardSide_px = ReferencePack::kSide_px;

// A tile that tells its number and its turn: a field with a bar at the top.
inline cv::Mat Card(int number) {
  cv::Mat card(kCardSide_px, kCardSide_px, CV_8UC3, cv::Scalar(60, 150, 70));
  cv::rectangle(card, {0, 0, kCardSide_px, 24}, cv::Scalar(40, 110, 200), cv::FILLED);
  cv::rectangle(card, {20 + 12 * number, 60, 12, 40}, cv::Scalar(230, 230, 230), cv::FILLED);
  return card;
}

// Cards in rows with gaps, a little turned, on a table with some noise. The last
// one may lie beside the rows, half way between the last two.
inline cv::Mat LaidOut(int rows, int columns, bool last_across = false) {
  cv::Mat table(900, 1200, CV_8UC3, cv::Scalar(120, 125, 130));
  cv::Mat noise(table.size(), CV_8UC3);
  cv::RNG rng(7);
  rng.fill(noise, cv::RNG::NORMAL, 10, 6);
  table += noise;
  for (int i = 0; i < rows * columns; ++i) {
    const bool across = last_across && i + 1 == rows * columns;
    const double angle = rng.uniform(-0.05, 0.05) + 0.12,
                 x = 200 + 160 * (i % columns) + (across ? 140 : 0),
                 y = 150 + 160 * (i / columns) - (across ? 60 : 0), c = std::cos(angle),
                 s = std::sin(angle);
    const cv::Matx23d to(c, -s, x - 60 * c + 60 * s, s, c, y - 60 * s - 60 * c);
    cv::Mat card = Card(i % 8), mask(card.size(), CV_8U, cv::Scalar(255)), moved, moved_mask;
    cv::warpAffine(card, moved, to, table.size());
    cv::warpAffine(mask, moved_mask, to, table.size(), cv::INTER_NEAREST);
    moved.copyTo(table, moved_mask);
  }
  return table;
}

}  // namespace tilewarden::calibration
