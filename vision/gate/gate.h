// The gate: while a hand is in view, things move or the camera was bumped,
// nothing is concluded. Looks at a reduced picture only.
//
// A hand is what was not in the background, reaches in from the picture's
// border, and is more than a shadow. Works on dense video (still for a while
// means settled) and on sparse looks, seconds apart (no hand means settled).
// Follows slow and sudden changes of the light.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "opencv2/core.hpp"
#include "vision/picture/table_plane.h"
#include "vision/sighting.h"

namespace tilewarden::vision {

struct GateResult {
  bool hand = false;
  // CV_8U at a fraction of the frame's size, 255 where a hand is; empty without.
  cv::Mat hand_mask;
  // What seems a hand has the colour of skin, as far as that tells anything on this table.
  bool shows_skin = false;
  // Something moved since the look before, if that was less than half a second
  // ago.
  bool moving = false;
  // For how long nothing moved, though a hand may be resting there. 0 for sparse
  // looks.
  std::int64_t quiet_ms = 0;
  // Longer after the look before than motion is told by.
  bool sparse = false;
  // The picture as a whole moved, or is another one: what was known of places in
  // it no longer holds.
  bool camera_moved = false;
  bool settled = false;
  // How much longer nothing may move until it is settled. 0: it is, or a hand is in view.
  std::int64_t settles_in_ms = 0;
  // The looks come as close together as those of a film, though this one may be late.
  bool film = false;
};

// Holds the background and the last look. Not thread safe; cheap to make anew.
class Gate {
 public:
  struct Settings {
    std::int64_t still_ms = 300;  // how long nothing may move before it is settled
    // The same if a hand was seen to leave and nothing moved after it.
    std::int64_t still_after_hand_ms = 120;
    std::int64_t sparse_ms = 500;  // looks further apart are not compared for motion
    // Looks at most this far apart are a film, in which one may come late.
    std::int64_t film_ms = 400, late_ms = 1500;
    std::int64_t absorb_ms = 20000;  // what stays this long at the border is not a hand
    // The same of what came in the look in which a lamp was switched: shadows and mirrored lamps
    // lie stiller than any hand.
    std::int64_t absorb_with_light_ms = 1500;
  };

  Gate() = default;
  explicit Gate(Settings settings) : settings_(settings) {}

  // How a picture came: as the camera took it, or enlarged from a small one. Motion is told between
  // two of a kind alone: a small one lacks what a sharp one has, and nothing moved for that.
  enum class Kind : std::uint8_t { kSharp, kEnlarged };

  // Where the next tiles may be laid, by their corners in the frame; none: nothing is known. Tiles
  // are told from hands by that, most of all where the camera is near and they look large.
  void ExpectTiles(const std::vector<std::array<cv::Point2f, 4>>& places_px, cv::Size frame);

  // frame: 8-bit BGR, same size each time (another size starts anew). time_ms:
  // by the camera's clock, not falling.
  GateResult Look(const cv::Mat& frame, std::int64_t time_ms, Kind kind = Kind::kSharp);
  // The last look again where it saw a hand, if the camera may have moved so since the look before
  // it. Nothing where that explains little of what seemed a hand.
  std::optional<GateResult> LookAgain(const cv::Matx33d& px_now_from_px_before, cv::Size frame);

 private:
  struct Comparison {
    cv::Mat background;       // in the picture's light
    double light_change = 0;  // between the two, of a logarithm
    cv::Mat foreign;          // CV_8U, 255 where it differs by more than light
    cv::Mat hand;             // CV_8U, 255 where one may be
    cv::Mat sure;             // CV_8U, 255 where no light explains the difference
    double sure_share = 0;    // of the picture
  };
  // slack_px: by how much the background may lie elsewhere.
  Comparison Compare(const cv::Mat& background, const cv::Mat& picture, int slack_px = 0) const;
  cv::Mat FindHand(const cv::Mat& picture, bool sparse, bool& camera_moved);
  void Remember(const cv::Mat& table);
  static void KeepHand(const cv::Mat& hand, GateResult& result);
  // What lay still for too long is not a hand. It becomes background and leaves the mask.
  void TakeInWhatStays(const cv::Mat& picture, std::int64_t time_ms, cv::Mat& mask);

  Settings settings_;
  cv::Mat background_;  // CV_32FC3, reduced
  cv::Mat last_;        // CV_32FC3, reduced: the look before
  // Between looks that are seconds apart: the backgrounds before as much changed in them as a hand
  // does, the newest last, and whether as much did in the last look.
  std::vector<cv::Mat> before_changes_;
  bool changed_ = false;
  cv::Mat before_ghost_;  // the background when something in it was last taken for a hand that left
  std::int64_t last_ms_ = 0;
  std::optional<std::int64_t> film_ms_;  // when two looks last came as close as a film's
  // The last look of each kind.
  struct {
    cv::Mat picture;
    std::int64_t time_ms = 0;
    bool hand = false;
  } last_of_kind_[2];
  std::int64_t restless_ms_ = 0;  // when something last moved or a hand was seen
  bool hand_left_ = false;        // and nothing moved since
  bool hand_before_ = false;
  bool follows_ = false;          // the camera was moved since what seems a hand came
  bool shows_skin_ = false;       // what seems a hand, in the last look
  bool other_light_ = false;      // a lamp was switched since the background
  bool came_with_light_ = false;  // what seems a hand, in the look that first showed other light
  std::int64_t stirred_ms_ = 0;   // when something last moved, hand or not
  cv::Mat stayed_mask_, stayed_picture_;
  std::int64_t stayed_since_ms_ = 0;
  std::vector<std::array<cv::Point2f, 4>> places_;  // of the next tiles, reduced
};

// The cells of which more than a share lies under the hand.
std::vector<LatticeCell> HiddenCells(const cv::Mat& hand_mask, cv::Size frame,
                                     const TablePlane& plane, const std::vector<LatticeCell>& cells,
                                     double share = 0.1);

}  // namespace tilewarden::vision
