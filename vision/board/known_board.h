// The board as it is known from look to look: found, looked at again where something changed,
// carried along where the camera was moved, and given up where it must be found anew.
// Vision-internal (cv:: types).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/board_reader.h"
#include "vision/picture/cell_watch.h"
#include "vision/picture/stage_clock.h"
#include "vision/picture/tile_patch.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// Not thread safe.
class KnownBoard {
 public:
  // Makes a reader that knows nothing yet.
  using NewReader = std::function<std::unique_ptr<BoardReader>()>;

  explicit KnownBoard(NewReader new_reader) : new_reader_(std::move(new_reader)) {}

  // Where its tiles lie, and the cells beside them. No tiles: nothing is known of it.
  const BoardPlaces& places() const { return places_; }
  bool known() const { return !places_.tiles.empty(); }
  // Of so few tiles that it may be something beside the board.
  bool doubtful() const { return places_.tiles.size() <= kFewTiles; }
  // Of so few tiles that it says little of the whole picture.
  bool tells_little() const { return places_.tiles.size() < kFewTiles; }
  // Something of it was not read, or newly in doubt, that another look at the whole picture may
  // bring: light and noise differ from look to look, and a tile whose outline was taken from the
  // cloth or its print leads those beside it astray. Only a few looks, as each costs as much as
  // finding the board.
  bool may_have_more() const {
    return looks_ < kMostLooks && (!not_read_.empty() || Unclear() > unclear_);
  }
  // What was seen of it in whole pictures and not read since.
  const std::vector<NotRead>& not_read() const { return not_read_; }
  // Where tiles were read that no longer are, though no bare table shows: something is on or over
  // them.
  const std::map<LatticeCell, cv::Matx33f>& covered() const { return covered_; }
  // Who reads it; once it was looked for.
  BoardReader& reader() { return *reader_; }
  const BoardReader& reader() const { return *reader_; }

  void Forget();
  // It lies elsewhere in the picture.
  void Carry(const cv::Matx33d& px_now_from_px_before);
  // Looks again at what changed. False where so much is lost that it must be forgotten and found
  // anew. Errors as BoardReader::Find.
  absl::StatusOr<bool> LookAgain(const cv::Mat& picture, const PicturePyramid& pyramid,
                                 const CellWatch::Change& change, StageClock& clock);
  // Looks for a board from nothing, and takes it where it has more tiles, or as many that are
  // clearer, or as many and something happened to the few that are known. Errors as
  // BoardReader::Find.
  absl::Status LookForMore(const cv::Mat& picture, const PicturePyramid& pyramid, bool untouched,
                           StageClock& clock);
  // How many tiles somebody finds here who knows nothing. Errors as BoardReader::Find.
  absl::StatusOr<std::size_t> TilesFoundAnew(const cv::Mat& picture,
                                             const PicturePyramid& pyramid) const;

 private:
  // Finds out what is covered now. `before`: the tiles that were read last.
  void NoteCovered(const PicturePyramid& pyramid, const BoardPlaces& before);
  // Tiles of which it is in doubt whether they are any that is known.
  std::size_t Unclear() const;

  NewReader new_reader_;
  std::unique_ptr<BoardReader> reader_;  // null: it was never looked for, or is forgotten
  BoardPlaces places_;
  std::vector<NotRead> not_read_;
  std::map<LatticeCell, cv::Matx33f> covered_;  // px_from_tile
  static constexpr int kMostLooks = 4;
  int looks_ = 0;            // at the whole picture, for the sake of what was not read
  std::size_t unclear_ = 0;  // tiles at the last of them
};

}  // namespace tilewarden::vision
