#include "vision/reader/table_gate.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <utility>

namespace tilewarden::vision {
namespace {

// A rest is looked past after so long; later costs people the wait, earlier a slow look at hands
// that only pause.
constexpr std::int64_t kBesideAfter_ms = 300, kBelowAfter_ms = 1000;
// A hand that seems to lie over more of the board's tiles than this is worth the slow look, and is
// none where as many of them are seen all the same.
constexpr double kMostBelowHand = 0.6;
// A board of so many tiles no hand hides like that. It was cleared away where no more than one in
// kStillThere of them is found anywhere.
constexpr std::size_t kBoard = 8, kStillThere = 4;

bool MayBeBumped(const GateResult& look, const KnownBoard& board) {
  return look.hand && !board.tells_little();
}

}  // namespace

RestingHand::Look RestingHand::Due(std::int64_t quiet_ms) {
  const Look look = quiet_ms >= kBelowAfter_ms    ? Look::kBelowIt
                    : quiet_ms >= kBesideAfter_ms ? Look::kBesideIt
                                                  : Look::kNone;
  const bool is_due = look > std::exchange(looked_, look);
  return is_due ? look : Look::kNone;
}

bool TableGate::AsksForSharp(const GateResult& look, const KnownBoard& board) {
  const bool due = small_resting_.Due(look.quiet_ms) == RestingHand::Look::kBelowIt;
  return due && (cleared_ || MayBeBumped(look, board));
}

absl::StatusOr<GateResult> TableGate::Look(const cv::Mat& frame, std::int64_t time_ms,
                                           const KnownBoard& board, const LastView& view) {
  ExpectTiles(frame.size(), board, view);
  GateResult look = gate_.Look(frame, time_ms);
  // In a single look, what seems a hand may be a camera that was moved.
  if (look.sparse && !view.camera_moved() && MayBeBumped(look, board)) {
    if (const std::optional<cv::Matx33d> shift = view.ShiftOfAll(frame)) {
      look = gate_.LookAgain(*shift, frame.size()).value_or(look);
    }
  }
  const absl::StatusOr<bool> no_hand = IsNoHand(frame, look, board, view);
  if (!no_hand.ok()) return no_hand.status();
  if (*no_hand) {
    gate_ = {};
    look = gate_.Look(frame, time_ms);
    look.camera_moved = true;
  }
  return look;
}

GateResult TableGate::LookRoughly(const cv::Mat& frame, std::int64_t time_ms,
                                  const KnownBoard& board, const LastView& view) {
  ExpectTiles(frame.size(), board, view);
  return gate_.Look(frame, time_ms, Gate::Kind::kEnlarged);
}

void TableGate::ExpectTiles(cv::Size frame, const KnownBoard& board, const LastView& view) {
  constexpr float kCut = 0.25F;  // of a place that the picture cuts
  std::vector<std::array<cv::Point2f, 4>> places;
  if (!view.camera_moved()) {
    for (const auto& [cell, px_from_tile] : board.places().beside) {
      if (InPicture(px_from_tile, frame, kCut)) places.push_back(CornersOf(px_from_tile));
    }
  }
  gate_.ExpectTiles(places, frame);
}

absl::StatusOr<bool> TableGate::IsNoHand(const cv::Mat& frame, const GateResult& look,
                                         const KnownBoard& board, const LastView& view) {
  const RestingHand::Look due = resting_.Due(look.quiet_ms);
  if (board.known()) cleared_ = false;
  // Whatever rests there now hides nothing that was known.
  if (cleared_ && look.hand && !look.shows_skin && due == RestingHand::Look::kBelowIt) return true;
  if (due == RestingHand::Look::kNone || !MayBeBumped(look, board)) return false;
  const PicturePyramid pyramid(frame);
  const auto& tiles = board.places().tiles;
  const double most = kMostBelowHand * static_cast<double>(tiles.size());
  // Once the camera was moved nobody knows where the hand lies on the board.
  if (!view.camera_moved()) {
    const std::vector<LatticeCell> cells = CellsBelow(look.hand_mask, frame.size(), board);
    const std::set<LatticeCell> hidden(cells.begin(), cells.end());
    if (view.ChangedCells(pyramid, hidden).everywhere) return true;
    const auto tiles_hidden = std::count_if(
        tiles.begin(), tiles.end(), [&](const auto& t) { return hidden.contains(t.first); });
    if (static_cast<double>(tiles_hidden) <= most) return false;
  }
  if (due != RestingHand::Look::kBelowIt) return false;
  const absl::StatusOr<std::size_t> found = board.TilesFoundAnew(frame, pyramid);
  if (!found.ok()) return found.status();
  if (static_cast<double>(*found) > most) return true;
  cleared_ = tiles.size() >= kBoard && *found <= tiles.size() / kStillThere && !look.shows_skin;
  return cleared_;
}

std::vector<LatticeCell> CellsBelow(const cv::Mat& hand_mask, cv::Size frame,
                                    const KnownBoard& board) {
  const std::set<LatticeCell> cells = CellsOf(board.places());
  return HiddenCells(hand_mask, frame, board.reader().lattice().Plane(),
                     {cells.begin(), cells.end()});
}

}  // namespace tilewarden::vision
