#include "engine/referee/conclusions.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "engine/referee/codes.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

Conclusions& Conclusions::operator+=(Conclusions other) {
  std::move(other.events.begin(), other.events.end(), std::back_inserter(events));
  std::move(other.wrong.begin(), other.wrong.end(), std::back_inserter(wrong));
  return *this;
}

Conclusions Conclude(Ledger* ledger, Event event) {
  Conclusions concluded;
  if (!ledger->Fold(event).ok()) return concluded;
  concluded.events.push_back(std::move(event));
  concluded.done = true;
  return concluded;
}

Condition Wrong(std::string code, Severity severity, std::vector<Cell> cells, std::string text,
                double weight) {
  Condition condition;
  condition.finding.code = std::move(code);
  condition.finding.severity = severity;
  condition.finding.cells = std::move(cells);
  condition.finding.text = std::move(text);
  condition.weight = weight;
  return condition;
}

std::string Where(Cell cell) {
  if (cell == Cell{}) return "on the start tile";
  std::string text;
  if (cell.x != 0) text = Text(std::abs(cell.x), cell.x > 0 ? " east" : " west");
  if (cell.y != 0) {
    if (!text.empty()) text += " and ";
    text += Text(std::abs(cell.y), cell.y > 0 ? " south" : " north");
  }
  return text + " of the start tile";
}

std::string KeyOf(const Finding& finding) {
  std::string key = finding.code;
  for (const Cell cell : finding.cells) key += Text(" ", cell.x, ",", cell.y);
  if (finding.marker) {
    key +=
        Text(" ", finding.marker->colour, " ", finding.marker->field, " ", finding.marker->points);
  }
  return key;
}

std::string SubjectOf(const Finding& finding) {
  const Matter matter = FamilyOf(finding.code).matter;
  if (matter == Matter::kNone) return KeyOf(finding);
  return Text(matter == Matter::kTile ? "tile" : "figure", " ", finding.cells.front().x, ",",
              finding.cells.front().y);
}

}  // namespace tilewarden::engine
