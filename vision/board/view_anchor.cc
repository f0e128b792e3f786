#include "vision/board/view_anchor.h"

#include <cmath>
#include <limits>
#include <utility>

#include "calibration/common/quad_finder.h"
#include "vision/picture/median.h"
#include "vision/picture/tile_patch.h"

namespace tilewarden::vision {
namespace {

// In tile sides: a millimetre and a quarter on a tile of 45 mm. Less than the two
// millimetres that must be told, and nothing false on boards that lie still
// (`moved_camera_evaluation`).
constexpr float kMoved = 0.028F;
// A tile further from where it was is another one.
constexpr float kSameTile = 0.5F;
// Fewer tell nothing: a tile or two are moved by hand.
constexpr std::size_t kFewest = 3;

}  // namespace

bool ViewAnchor::Moved(const BoardPlaces& board) {
  std::vector<Place> now;
  for (const auto& [cell, tile] : board.tiles) {
    const std::array<cv::Point2f, 4> corners = CornersOf(tile.px_from_tile);
    now.push_back({tile.name, calibration::CentreOf(corners),
                   static_cast<float>(calibration::SideOf(corners))});
  }
  const auto nearest = [&](const std::vector<Place>& places, const Place& to) {
    float best = std::numeric_limits<float>::infinity();
    std::size_t which = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].name != to.name) continue;
      const cv::Point2f away = places[i].middle_px - to.middle_px;
      const float distance = std::hypot(away.x, away.y) / to.side_px;
      if (distance < best) best = distance, which = i;
    }
    return std::pair(which, best);
  };
  bool moved = false;
  // A cleared table is not another view.
  if (known_.size() >= kFewest && 2 * now.size() >= known_.size()) {
    std::vector<float> by;
    for (const Place& place : known_) by.push_back(nearest(now, place).second);
    moved = Median(std::move(by)) > kMoved;
  }
  if (moved) {
    known_ = std::move(now);
    return true;
  }
  // Those that stayed keep the place where they were first seen, so that a camera
  // that sinks slowly is told as well.
  for (Place& place : now) {
    const auto [which, distance] = nearest(known_, place);
    if (distance < kSameTile) place = known_[which];
  }
  known_ = std::move(now);
  return false;
}

}  // namespace tilewarden::vision
