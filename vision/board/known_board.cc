#include "vision/board/known_board.h"

#include <map>
#include <string>
#include <utility>

namespace tilewarden::vision {

void KnownBoard::Forget() {
  reader_.reset();
  places_ = {};
}

void KnownBoard::Carry(const cv::Matx33d& px_now_from_px_before) {
  reader_->Carry(px_now_from_px_before);
  places_ = reader_->Places();
}

absl::StatusOr<bool> KnownBoard::LookAgain(const cv::Mat& picture, const PicturePyramid& pyramid,
                                           const CellWatch::Change& change, StageClock& clock) {
  const absl::StatusOr<bool> kept = reader_->Update(picture, pyramid, change, clock);
  if (kept.ok() && *kept) places_ = reader_->Places();
  return kept;
}

absl::Status KnownBoard::LookForMore(const cv::Mat& picture, const PicturePyramid& pyramid,
                                     bool untouched, StageClock& clock) {
  std::unique_ptr<BoardReader> anew = new_reader_();
  if (absl::Status status = anew->Find(picture, pyramid, clock); !status.ok()) return status;
  // A picture that is coarser than others may not be enough to find the first tiles by, but it is
  // to see that they still lie there. Where nothing happened to them, only more tiles than theirs
  // are believed instead.
  BoardPlaces found = anew->Places();
  const bool more = found.tiles.size() > places_.tiles.size();
  const bool as_many = found.tiles.size() == places_.tiles.size();
  if (more || (as_many && !(known() && untouched))) {
    reader_ = std::move(anew);
    places_ = std::move(found);
  }
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
