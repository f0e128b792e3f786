#include "vision/figures/cloth_colours.h"

#include <cstddef>

#include "opencv2/imgproc.hpp"
#include "vision/figures/figure_colours.h"

namespace tilewarden::vision {
namespace {

// Next to the tiles: where a figure that leans over their edge is seen against the table.
constexpr int kBeside_px = BoardView::kSide_px / 2;
// And as far from them as a tile's side and its shadow show.
constexpr int kTileEdge_px = BoardView::kSide_px / 10;
// So many places tell enough, and cost a millisecond or two.
constexpr int kMostPlaces = 1500;

cv::Mat Widened(const cv::Mat& mask, int by_px) {
  cv::Mat wide;
  const cv::Size size(2 * by_px + 1, 2 * by_px + 1);
  cv::dilate(mask, wide, cv::getStructuringElement(cv::MORPH_RECT, size));
  return wide;
}

}  // namespace

std::vector<ClothColour> ClothColoursOf(const BoardView& view, const cv::Mat& explained,
                                        const std::vector<std::string>& allowed) {
  const cv::Mat bare = Widened(view.on_tile, kBeside_px) & ~Widened(view.on_tile, kTileEdge_px) &
                       ~view.covered & ~explained;
  std::vector<cv::Point> places;
  cv::findNonZero(bare, places);
  if (places.empty()) return {};
  std::vector<ClothColour> cloth;
  for (const std::string& colour : allowed.empty() ? FigureColours() : allowed) {
    cloth.push_back({colour, 0});
  }
  const std::size_t step = 1 + places.size() / kMostPlaces;
  int looked_at = 0;
  for (std::size_t i = 0; i < places.size(); i += step, ++looked_at) {
    const PaintColour paint =
        PaintOf(view.picture.at<cv::Vec3b>(places[i]), view.light.WhiteAt(places[i]));
    for (ClothColour& like : cloth) like.share += MayBe(paint, like.colour) ? 1 : 0;
  }
  for (ClothColour& like : cloth) like.share /= looked_at;
  return cloth;
}

}  // namespace tilewarden::vision
