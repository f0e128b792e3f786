// Turns that came up several in one look, in whatever order: the order of play may tell
// later in which they were laid.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "engine/referee/ledger.h"

namespace tilewarden::engine {

// Turns that were taken down from one look.
struct Batch {
  int first = 0;                             // number of the first of them
  std::map<Cell, std::uint64_t> first_seen;  // by cell: the sighting that first showed its tile
};

// A value; not thread safe.
class Batches {
 public:
  // A single turn is none. Only the last few are kept.
  void Remember(Batch batch);
  // Oldest first.
  const std::deque<Batch>& all() const { return batches_; }

 private:
  std::deque<Batch> batches_;
};

// Another order of the batch's turns that the order of play and the first sight of each tile fit
// better, if there is one. Pure function.
std::optional<TurnsRevised> BetterOrder(const Batch& batch, const Ledger& ledger);

}  // namespace tilewarden::engine
