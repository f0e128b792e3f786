// Whether a look at the table is settled, once what is known of the board has its say: a camera
// that was bumped moves edges that the gate alone takes for a hand. Vision-internal (cv:: types).
#pragma once

#include <cstdint>
#include <vector>

#include "absl/status/statusor.h"
#include "opencv2/core.hpp"
#include "vision/board/known_board.h"
#include "vision/board/last_view.h"
#include "vision/gate/gate.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

// When to look past what seems a hand that rests. Such looks are slow, the second most, so that
// each is due once in a rest.
class RestingHand {
 public:
  enum class Look { kNone, kBesideIt, kBelowIt };

  // quiet_ms: for how long nothing moved.
  Look Due(std::int64_t quiet_ms);

 private:
  Look looked_ = Look::kNone;
};

// Not thread safe.
class TableGate {
 public:
  // Frames (8-bit BGR) in order, time_ms by the camera's clock. `view`: where `board` was read
  // last. Errors as BoardReader::Find. Blocks for some milliseconds, and a few times for as long
  // as finding the board takes.
  absl::StatusOr<GateResult> Look(const cv::Mat& frame, std::int64_t time_ms,
                                  const KnownBoard& board, const LastView& view);
  // The same for a picture that is too coarse to compare the board with.
  GateResult LookRoughly(const cv::Mat& frame, std::int64_t time_ms, const KnownBoard& board,
                         const LastView& view);
  // After such a look: what seems a hand rests for so long that a sharp picture should tell whether
  // it is one. Once in a rest.
  bool AsksForSharp(const GateResult& look, const KnownBoard& board);

 private:
  // What seems a hand is none: the board is seen below it, or elsewhere once the camera was moved,
  // the tiles beside it changed as well, or the board was cleared away, which leaves a large part
  // of the picture changed.
  absl::StatusOr<bool> IsNoHand(const cv::Mat& frame, const GateResult& look,
                                const KnownBoard& board, const LastView& view);

  void ExpectTiles(cv::Size frame, const KnownBoard& board, const LastView& view);

  Gate gate_;
  RestingHand resting_, small_resting_;  // by sharp pictures, and by coarse ones
  bool cleared_ = false;                 // the board, and none was found since
};

// The cells of the board where a hand may hide something.
std::vector<LatticeCell> CellsBelow(const cv::Mat& hand_mask, cv::Size frame,
                                    const KnownBoard& board);

}  // namespace tilewarden::vision
