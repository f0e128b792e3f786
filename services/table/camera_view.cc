#include "services/table/camera_view.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "services/convert/convert.h"
#include "services/table/board_picture.h"

namespace tilewarden::services {
namespace {

constexpr double kHalf = 0.5;

// The middle one of the tiles' upper edges; 0: no corners were sent.
double TileWidth(const v1::Sighting& sighting) {
  std::vector<double> widths;
  for (const v1::SightedTile& tile : sighting.tiles()) {
    if (tile.corners_px_size() < 2) continue;
    const v1::Point& a = tile.corners_px(0);
    const v1::Point& b = tile.corners_px(1);
    widths.push_back(std::hypot(a.x() - b.x(), a.y() - b.y()));
  }
  if (widths.empty()) return 0;
  const auto middle = widths.begin() + static_cast<std::ptrdiff_t>(widths.size() / 2);
  std::nth_element(widths.begin(), middle, widths.end());
  return *middle;
}

}  // namespace

CameraView::Stream::Stream(CameraView* view, const std::string& tile_set) : view_(view) {
  const std::lock_guard lock(view_->mutex_);
  ++view_->streams_;
  if (!tile_set.empty()) view_->tile_set_ = tile_set;
}

CameraView::Stream::~Stream() {
  const std::lock_guard lock(view_->mutex_);
  --view_->streams_;
}

void CameraView::Saw(const v1::Sighting& sighting,
                     const std::optional<engine::BoardFromLattice>& lies, std::int64_t now_ms) {
  std::uint32_t unsure = 0, hidden = 0;
  for (const v1::SightedTile& tile : sighting.tiles()) {
    if (tile.hidden() > kHalf) {
      ++hidden;
    } else if (tile.candidates().empty() || tile.candidates(0).probability() < kHalf ||
               tile.candidates(0).tile().empty()) {
      ++unsure;
    }
  }
  const std::lock_guard lock(mutex_);
  last_.set_sightings(last_.sightings() + 1);
  last_.set_settled(sighting.settled());
  last_.set_hand(sighting.hand());
  last_.set_tiles(static_cast<std::uint32_t>(sighting.tiles_size()));
  last_.set_unsure_tiles(unsure);
  last_.set_hidden_tiles(hidden);
  last_.set_figures(static_cast<std::uint32_t>(sighting.figures_size()));
  last_.set_on_board(lies.has_value());
  last_.set_tile_px(TileWidth(sighting));
  last_.clear_not_read();
  for (const v1::NotRead& part : sighting.not_read()) {
    if (!lies) break;
    v1::NotRead* told = last_.add_not_read();
    told->set_why(part.why());
    *told->mutable_cell() = ToProto((*lies)(FromProto(part.cell())));
  }
  seen_ms_ = now_ms;
  if (sighting.camera_moved()) moved_ms_ = now_ms;
  PicturedLocked(sighting, lies, now_ms);
}

void CameraView::Pictured(const v1::Sighting& sighting,
                          const std::optional<engine::BoardFromLattice>& lies,
                          std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  PicturedLocked(sighting, lies, now_ms);
}

void CameraView::PicturedLocked(const v1::Sighting& sighting,
                                const std::optional<engine::BoardFromLattice>& lies,
                                std::int64_t now_ms) {
  if (!sighting.has_top_view() || !lies) return;
  *last_.mutable_board_picture() = OnBoard(sighting.top_view(), *lies);
  pictured_ms_ = now_ms;
}

bool CameraView::followed() const {
  const std::lock_guard lock(mutex_);
  return streams_ > 0;
}

v1::GetCameraViewResponse CameraView::Tell(bool picture, std::int64_t now_ms) const {
  const std::lock_guard lock(mutex_);
  v1::GetCameraViewResponse out = last_;
  out.set_connected(streams_ > 0);
  if (out.sightings() > 0) out.set_age_ms(std::max<std::int64_t>(0, now_ms - seen_ms_));
  if (moved_ms_) out.set_moved_age_ms(std::max<std::int64_t>(0, now_ms - *moved_ms_));
  if (!picture) out.clear_board_picture();
  if (out.has_board_picture()) {
    out.mutable_board_picture()->set_age_ms(std::max<std::int64_t>(0, now_ms - pictured_ms_));
  }
  return out;
}

std::optional<v1::RecognisedBox> CameraView::Box(std::int64_t now_ms) const {
  const v1::GetCameraViewResponse now = Tell(false, now_ms);
  const std::lock_guard lock(mutex_);
  if (tile_set_.empty() || now.sightings() == 0) return std::nullopt;
  v1::RecognisedBox box;
  box.set_tile_set(tile_set_);
  box.set_connected(now.connected());
  box.set_age_ms(now.age_ms());
  box.set_sure_tiles(now.tiles() - now.unsure_tiles() - now.hidden_tiles());
  return box;
}

}  // namespace tilewarden::services
