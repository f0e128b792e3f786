// What a change by hand has put right goes at once; what it has not, the next look tells.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/referee/codes.h"
#include "engine/referee/judging/judging.h"

namespace tilewarden::engine {
namespace {

// What lies on each cell, and who stands there.
struct Lying {
  int tile = -1, rotation = 0, player = -1;
  std::vector<std::tuple<int, FigureKind, int>> figures;
  friend bool operator==(const Lying&, const Lying&) = default;
};

std::map<Cell, Lying> BoardOf(const Game* game) {
  std::map<Cell, Lying> board;
  if (game == nullptr) return board;
  for (const PlacedTile& laid : game->PlacedTiles()) {
    board[laid.cell] = {laid.tile, laid.rotation, laid.player, {}};
  }
  for (const PlacedFigure& figure : game->Figures()) {
    board[figure.cell].figures.emplace_back(figure.player, figure.kind, figure.segment);
  }
  return board;
}

std::set<Cell> Changed(const Game* before, const Game* after) {
  std::map<Cell, Lying> was = BoardOf(before);
  std::set<Cell> changed;
  for (const auto& [cell, lying] : BoardOf(after)) {
    const auto found = was.find(cell);
    if (found == was.end() || found->second != lying) changed.insert(cell);
    if (found != was.end()) was.erase(found);
  }
  for (const auto& [cell, gone] : was) changed.insert(cell);
  return changed;
}

// The tile lies there by the game, too, or may be taken down as it lies.
bool IsAccepted(const Mind& mind, const Finding& finding) {
  const Cell cell = finding.placement->cell;
  if (mind.game().TileAt(cell) != nullptr) return true;
  const int tile = mind.tiles().Find(finding.tile);
  return tile >= 0 &&
         !CheckLaying(mind.game(), Laying(mind.game(), tile, cell, finding.placement->rotation));
}

bool ShowsItsScore(const Ledger& ledger, const MarkerAstray& marker) {
  constexpr int kFields = 50;
  const std::map<std::string, int> scores = Scores(ledger);
  const auto score = scores.find(marker.colour);
  return score != scores.end() && score->second != marker.points && score->second >= 0 &&
         score->second % kFields == marker.field;
}

}  // namespace

Conclusions PutRight(Mind& mind, const std::optional<Game>& before, std::optional<Cell> touched) {
  Conclusions concluded;
  if (mind.ledger.game() == nullptr || mind.ledger.findings().empty()) return concluded;
  std::set<Cell> changed = Changed(before ? &*before : nullptr, mind.ledger.game());
  if (touched) changed.insert(*touched);
  std::set<std::string> out_of_order;
  for (const Condition& wrong : WrongOrder(mind).wrong) {
    out_of_order.insert(KeyOf(wrong.finding));
  }
  const auto is_right = [&](const Finding& finding) {
    if (finding.marker) return ShowsItsScore(mind.ledger, *finding.marker);
    if (finding.placement) return IsAccepted(mind, finding);
    if (FamilyOf(finding.code).order) return !out_of_order.contains(KeyOf(finding));
    return std::any_of(finding.cells.begin(), finding.cells.end(),
                       [&](Cell cell) { return changed.contains(cell); });
  };
  const std::vector<Finding> open = mind.ledger.findings();
  for (const Finding& finding : open) {
    if (is_right(finding)) concluded += Conclude(&mind.ledger, FindingCleared{finding.id});
  }
  return concluded;
}

}  // namespace tilewarden::engine
