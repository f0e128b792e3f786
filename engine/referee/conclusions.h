// What one step of judging concluded, as a value that the step returns. Events are
// folded into the ledger as they are concluded, so that the next step sees them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/referee/ledger.h"
#include "engine/referee/referee.h"

namespace tilewarden::engine {

// Something that is wrong in this look.
struct Condition {
  Finding finding;  // without id
  // Evidence from this look: a finding is raised at 1.
  double weight = 1;
};

struct Conclusions {
  std::vector<Event> events;
  std::vector<Condition> wrong;
  // What the step was asked for has been concluded.
  bool done = false;

  Conclusions() = default;
  Conclusions(Condition condition) { wrong.push_back(std::move(condition)); }  // NOLINT: a value
  // What another step concluded besides; `done` stays.
  Conclusions& operator+=(Conclusions other);
};

// Done if the ledger takes the event; else nothing is concluded.
Conclusions Conclude(Ledger* ledger, Event event);

Condition Wrong(std::string code, Severity severity, std::vector<Cell> cells, std::string text,
                double weight);

// "the tile 2 east and 1 south of the start tile"
std::string Where(Cell cell);
// Two findings with the same key are the same thing.
std::string KeyOf(const Finding& finding);
// What is wrong with the same tile or figure is one matter, also where two looks name it
// differently: one may have missed a tile that was moved.
std::string SubjectOf(const Finding& finding);

}  // namespace tilewarden::engine
