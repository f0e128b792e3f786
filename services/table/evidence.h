// What open findings are about, as pictures: how the place looked before, and when the
// finding was raised.
//
//   looks of the camera -> the last picture of each rest -> two cuttings a finding
//
// A rest is a time in which the table lies still: it ends with a hand or a motion. "Before" is
// the newest rest before in which the place was clear and was read otherwise; where it was
// always read the same, simply the newest in which it was clear.
//
// In memory only, and bounded: four pictures of at most 512 KiB, and two of at most 48 KiB for
// each of the sixteen newest findings, together 3.5 MiB a table.
// Thread safe; Saw takes some 30 ms when there is a finding to cut pictures for.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/referee/referee.h"
#include "tilewarden/v1/query.pb.h"
#include "tilewarden/v1/vision.pb.h"

namespace tilewarden::services {

class Evidence {
 public:
  // The findings that are open now, oldest first: what was kept for others is forgotten.
  void Follow(const std::vector<engine::Finding>& open);
  // The next sighting, after it was judged. `lies`: how its lattice lies on the board, where
  // that is known.
  void Saw(const v1::Sighting& sighting, const std::optional<engine::BoardFromLattice>& lies);
  // The game is over.
  void Forget();

  // Empty: there are no pictures of it, or not yet.
  v1::GetFindingEvidenceResponse Tell(std::uint32_t finding) const;

 private:
  using Cells = std::vector<engine::Cell>;
  struct Look {
    v1::BoardPicture picture;
    std::map<engine::Cell, std::multiset<std::string>> read;  // a tile and figures, in a few words
    std::set<engine::Cell> hidden;

    bool Shows(const Cells& cells) const;
    bool ReadsSame(const Look& other, const Cells& cells) const;
  };
  struct Kept {
    Cells cells;
    v1::GetFindingEvidenceResponse pictures;
  };

  static Look LookOf(const v1::Sighting& sighting, const engine::BoardFromLattice& lies);
  // False: the newest look cannot be opened.
  bool Cut(Kept* kept) const;

  mutable std::mutex mutex_;
  std::deque<Look> looks_;     // one a rest, the newest last
  bool newest_lasts_ = false;  // the newest one's rest is not over
  std::map<std::uint32_t, Kept> findings_;
};

}  // namespace tilewarden::services
