// Sightings with a picture in which every cell has a colour of its own.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "opencv2/core.hpp"
#include "opencv2/imgcodecs.hpp"
#include "tilewarden/v1/query.pb.h"
#include "tilewarden/v1/vision.pb.h"

namespace tilewarden::services {

// As OpenCV has them: blue, green, red.
inline const cv::Scalar kCloth(60, 90, 60), kRed(30, 30, 200), kBlue(200, 60, 30),
    kYellow(30, 200, 220);

struct PaintedTile {
  int x = 0, y = 0;
  std::string tile;
  int rotation = 0;
  cv::Scalar colour;
};

// A settled look at these tiles: board and lattice are the same, and the picture shows a cell
// around them all.
inline v1::Sighting PaintedLook(std::uint64_t sequence, const std::vector<PaintedTile>& tiles) {
  constexpr int kCell_px = 40;
  v1::Sighting sighting;
  sighting.set_sequence(sequence);
  sighting.set_time_ms(static_cast<std::int64_t>(sequence) * 500);
  sighting.set_settled(true);
  int left = 0, top = 0, right = 0, bottom = 0;
  for (const PaintedTile& tile : tiles) {
    v1::SightedTile* seen = sighting.add_tiles();
    seen->mutable_cell()->set_x(tile.x);
    seen->mutable_cell()->set_y(tile.y);
    v1::TileCandidate* candidate = seen->add_candidates();
    candidate->set_tile(tile.tile);
    candidate->set_rotation(static_cast<std::uint32_t>(tile.rotation));
    candidate->set_probability(0.99);
    left = std::min(left, tile.x - 1), right = std::max(right, tile.x + 2);
    top = std::min(top, tile.y - 1), bottom = std::max(bottom, tile.y + 2);
  }
  cv::Mat picture((bottom - top) * kCell_px, (right - left) * kCell_px, CV_8UC3, kCloth);
  for (const PaintedTile& tile : tiles) {
    picture(cv::Rect((tile.x - left) * kCell_px, (tile.y - top) * kCell_px, kCell_px, kCell_px)) =
        tile.colour;
  }
  std::vector<unsigned char> jpeg;
  cv::imencode(".jpg", picture, jpeg);
  v1::TopView* view = sighting.mutable_top_view();
  view->set_jpeg(jpeg.data(), jpeg.size());
  view->mutable_corner()->set_x(left);
  view->mutable_corner()->set_y(top);
  view->set_columns(static_cast<std::uint32_t>(right - left));
  view->set_rows(static_cast<std::uint32_t>(bottom - top));
  return sighting;
}

// A hand is over this cell.
inline v1::Sighting HandOver(std::uint64_t sequence, int x, int y) {
  v1::Sighting sighting;
  sighting.set_sequence(sequence);
  sighting.set_time_ms(static_cast<std::int64_t>(sequence) * 500);
  sighting.set_hand(true);
  v1::Cell* hidden = sighting.add_hidden_cells();
  hidden->set_x(x);
  hidden->set_y(y);
  return sighting;
}

// The colour at the middle of cell (x, y) of the board, as the picture shows it.
inline void ExpectColour(const v1::EvidencePicture& picture, int x, int y, const cv::Scalar& is) {
  const std::string& jpeg = picture.jpeg();
  const cv::Mat shown =
      cv::imdecode(std::vector<unsigned char>(jpeg.begin(), jpeg.end()), cv::IMREAD_COLOR);
  ASSERT_FALSE(shown.empty());
  const int at_x = static_cast<int>((x + 0.5 - picture.north_west().x()) / picture.columns() *
                                    static_cast<double>(shown.cols));
  const int at_y = static_cast<int>((y + 0.5 - picture.north_west().y()) / picture.rows() *
                                    static_cast<double>(shown.rows));
  ASSERT_TRUE(cv::Rect({}, shown.size()).contains(cv::Point(at_x, at_y)));
  const cv::Vec3b colour = shown.at<cv::Vec3b>(at_y, at_x);
  for (int channel = 0; channel < 3; ++channel) EXPECT_NEAR(colour[channel], is[channel], 25);
}

}  // namespace tilewarden::services
