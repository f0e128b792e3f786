// What open findings and questions are about, as pictures: how the place looked before, and when
// the finding was raised or the question asked.
//
//   looks of the camera -> the last picture of each rest -> two cuttings each
//
// A rest is a time in which the table lies still: it ends with a hand or a motion. "Before" is
// the newest rest before in which the place was clear and was read otherwise; where it was
// always read the same, simply the newest in which it was clear.
//
// In memory only, and bounded: four pictures of at most 512 KiB, and two of at most 48 KiB for
// each of the sixteen newest findings and the eight newest questions, together 4.3 MiB a table.
// Thread safe; Saw takes some 30 ms when there is something to cut pictures for.
#pragma once

#include <compare>
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

// A finding or a question of one game.
struct Matter {
  enum class Kind : std::uint8_t { kFinding, kQuestion };
  Kind kind = Kind::kFinding;
  std::uint32_t id = 0;

  auto operator<=>(const Matter&) const = default;
};

class Evidence {
 public:
  // What is open now, oldest first: what was kept for others is forgotten. A question about no
  // place has no pictures.
  void Follow(const std::vector<engine::Finding>& findings,
              const std::vector<engine::Question>& questions);
  // The next sighting, after it was judged. `lies`: how its lattice lies on the board, where
  // that is known. What has its pictures from now on.
  std::vector<Matter> Saw(const v1::Sighting& sighting,
                          const std::optional<engine::BoardFromLattice>& lies);
  // The game is over.
  void Forget();

  // Empty: there are no pictures of it, or not yet.
  v1::GetFindingEvidenceResponse Tell(Matter matter) const;

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

  // With the mutex held, and of what is in `before` already with its pictures.
  void FollowOne(Matter matter, Cells cells, std::map<Matter, Kept>* before);
  static Look LookOf(const v1::Sighting& sighting, const engine::BoardFromLattice& lies);
  // False: the newest look cannot be opened.
  bool Cut(Kept* kept) const;

  mutable std::mutex mutex_;
  std::deque<Look> looks_;     // one a rest, the newest last
  bool newest_lasts_ = false;  // the newest one's rest is not over
  std::map<Matter, Kept> open_;
};

}  // namespace tilewarden::services
