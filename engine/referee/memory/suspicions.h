// From what is not right in single looks to findings: raised once when the evidence
// suffices, kept while nobody can see whether they hold, cleared when the table has
// been put right.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/referee/conclusions.h"

namespace tilewarden::engine {

// A value; not thread safe.
class Suspicions {
 public:
  // The look that is weighed.
  struct Shown {
    // Whether this look shows all these cells.
    std::function<bool(const std::vector<Cell>&)> visible;
    // A hand was over the table since the look before.
    bool after_hand = false;
  };
  struct Verdict {
    std::vector<Finding> raised;  // with their ids
    std::vector<std::uint32_t> cleared;
  };

  // One look more. `wrong`: what is not right in it. `open`: the findings that are open, oldest
  // first; a new one gets the next id.
  Verdict Weigh(const std::vector<Condition>& wrong, std::vector<Finding> open,
                std::uint32_t next_id, const Shown& look);
  // An earlier look seemed to show that the tile was moved from here to there.
  bool SeemedMoved(Cell from, Cell to) const;

 private:
  struct Suspicion {
    double weight = 0;
    Finding finding;  // the plainest of them
  };
  std::map<std::string, Suspicion> by_subject_;  // SubjectOf
  std::map<std::uint32_t, int> calm_;            // looks without it, by open finding
};

}  // namespace tilewarden::engine
