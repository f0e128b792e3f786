// The score track, where it is in view: whose marker was forgotten, moved wrongly or fell
// over. It is compared with the scores and never changes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "engine/referee/look.h"
#include "engine/referee/referee.h"

namespace tilewarden::engine {

// What the track showed so far, and the scores to compare it with. A value; not thread safe.
class ScoreTrackMemory {
 public:
  // The scores by colour after so many turns: people move their markers until the next turn ends.
  void Scored(std::size_t turns, std::map<std::string, int> scores);
  // A look without the track: markers may be moved unseen.
  void OutOfView() { markers_.clear(); }

  struct Asked {
    const SightedScoreTrack* track = nullptr;
    std::int64_t time_ms = 0;
    double certainty = 0;           // RefereeOptions::figure_certainty
    const Finding* open = nullptr;  // what was told of this marker and still stands
    bool scores_open = false;       // a question is open that may change the scores
  };
  // What is to be told of this player's marker after this look, if anything.
  std::optional<Finding> Review(const std::string& colour, const Asked& look);

 private:
  struct Marker {
    int field = -1;
    bool fallen = false;
    std::size_t since_turns = 0;      // turns played when it was first seen there
    int wrong_looks = 0;              // in a row
    std::int64_t wrong_since_ms = 0;  // the first of them
  };
  std::size_t turns_ = 0;
  std::map<std::string, int> before_, now_;  // scores before the last turn, and after it
  std::map<std::string, Marker> markers_;    // by colour
};

}  // namespace tilewarden::engine
