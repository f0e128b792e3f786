#include "vision/board/known_board.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "vision/board/bare_table.h"
#include "vision/board/not_read.h"
#include "vision/board/table_views.h"
#include "vision/picture/geometry.h"

namespace tilewarden::vision {
namespace {

// Where as many tiles are known by so much more in all, one of them at least was astray.
constexpr double kClearer = 0.5;

double Clearness(const BoardPlaces& places) {
  double sum = 0;
  for (const auto& [cell, tile] : places.tiles) sum += tile.is_named;
  return sum;
}

// How much of the picture its tiles take, in square pixels.
double AreaTaken(const BoardPlaces& places) {
  double area = 0;
  for (const auto& [cell, tile] : places.tiles) area += AreaOf(tile.px_from_tile);
  return area;
}

// More tiles, and more of the table: of two tiles cut askew there are three.
bool HasMore(const BoardPlaces& found, const BoardPlaces& known) {
  // What a tile at the border of the picture may be too small by, as a share of one.
  constexpr double kMostOfATile = 0.5;
  if (found.tiles.size() <= known.tiles.size()) return false;
  if (known.tiles.empty()) return true;
  const double area = AreaTaken(known);
  return AreaTaken(found) > area + kMostOfATile * area / static_cast<double>(known.tiles.size());
}

}  // namespace

std::size_t KnownBoard::Unclear() const {
  return static_cast<std::size_t>(
      std::count_if(places_.tiles.begin(), places_.tiles.end(), [](const auto& tile) {
        constexpr double kKnown = 0.8;
        return tile.second.is_known < kKnown;
      }));
}

void KnownBoard::Forget() {
  reader_.reset();
  places_ = {};
  not_read_.clear();
  covered_.clear();
  looks_ = 0;
  unclear_ = 0;
}

void KnownBoard::Carry(const cv::Matx33d& px_now_from_px_before) {
  reader_->Carry(px_now_from_px_before);
  places_ = reader_->Places();
  for (NotRead& part : not_read_) {
    for (Point& corner : part.corners_px) {
      const cv::Point2d now = Through(px_now_from_px_before, {corner.x, corner.y});
      corner = {now.x, now.y};
    }
  }
  for (auto& [cell, px_from_tile] : covered_) {
    px_from_tile = Carried(px_now_from_px_before, px_from_tile);
  }
  looks_ = 0;  // the picture may show now what its border cut
}

absl::StatusOr<bool> KnownBoard::LookAgain(const cv::Mat& picture, const PicturePyramid& pyramid,
                                           const CellWatch::Change& change, StageClock& clock) {
  const absl::StatusOr<bool> kept = reader_->Update(picture, pyramid, change, clock);
  if (!kept.ok() || !*kept) return kept;
  const BoardPlaces before = std::exchange(places_, reader_->Places());
  NoteCovered(pyramid, before);
  std::erase_if(not_read_, [&](const NotRead& part) { return IsRead(part, places_); });
  // What happened may have shown more: one look for it.
  looks_ = std::min(looks_, kMostLooks - 1);
  return kept;
}

void KnownBoard::NoteCovered(const PicturePyramid& pyramid, const BoardPlaces& before) {
  for (const auto& [cell, tile] : before.tiles) covered_[cell] = tile.px_from_tile;
  std::erase_if(covered_, [&](const auto& lost) {
    return places_.tiles.contains(lost.first) ||
           ShowsBareTable(pyramid, lost.first, lost.second, places_);
  });
}

absl::Status KnownBoard::LookForMore(const cv::Mat& picture, const PicturePyramid& pyramid,
                                     bool untouched, StageClock& clock) {
  std::unique_ptr<BoardReader> anew = new_reader_();
  if (absl::Status status = anew->Find(picture, pyramid, clock); !status.ok()) return status;
  absl::StatusOr<std::vector<NotRead>> not_read = anew->WhatIsNotRead(picture, pyramid);
  if (!not_read.ok()) return not_read.status();
  ++looks_;
  // A picture that is coarser than others may not be enough to find the first tiles by, but it is
  // to see that they still lie there. Where nothing happened to them, and of a board that is known
  // well, only more tiles than theirs, or clearer ones, are believed instead.
  BoardPlaces found = anew->Places();
  const bool more = HasMore(found, places_);
  const bool as_many = found.tiles.size() == places_.tiles.size();
  const bool rather_anew = as_many && doubtful() && !(known() && untouched);
  const bool clearer = as_many && Clearness(found) > Clearness(places_) + kClearer;
  if (more || clearer || rather_anew) {
    reader_ = std::move(anew);
    places_ = std::move(found);
    not_read_ = *std::move(not_read);
    covered_.clear();  // its cells may have other names
  } else if (as_many && not_read->empty()) {
    not_read_.clear();  // only one of two looks saw anything there
  }
  unclear_ = Unclear();
  return absl::OkStatus();
}

absl::StatusOr<std::size_t> KnownBoard::TilesFoundAnew(const cv::Mat& picture,
                                                       const PicturePyramid& pyramid) const {
  const std::unique_ptr<BoardReader> anew = new_reader_();
  std::map<std::string, double> untold_ms;
  StageClock clock(untold_ms);
  if (absl::Status status = anew->Find(picture, pyramid, clock); !status.ok()) return status;
  return anew->Places().tiles.size();
}

}  // namespace tilewarden::vision
