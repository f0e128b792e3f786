#include "engine/referee/memory/cells.h"

#include <algorithm>
#include <iterator>

#include "engine/referee/model.h"

namespace tilewarden::engine {
namespace {

// A hand lies still for no more looks than this. What more looks read is a tile, and a cup may
// stand on it now.
constexpr int kLooksAtAStillHand = 5;

}  // namespace

void CellMemory::Covered(std::uint64_t sighting) {
  if (first_covered_ == 0) first_covered_ = sighting;
  last_covered_ = sighting;
}

void CellMemory::ShowedTile(std::uint64_t sighting) {
  if (first_seen_ == 0) first_seen_ = sighting;
}

void CellMemory::ShowedTileStill(std::uint64_t sighting) {
  ShowedTile(sighting);
  if (first_settled_ == 0) first_settled_ = sighting;
}

void CellMemory::ShowedKnown(double share, const CellView& view, bool bare, const TileFaces& faces,
                             std::uint64_t sighting) {
  absent_looks_ = 0;
  clearest_ = std::max(clearest_, share);
  evidence_.Add(view, faces, false);
  if (bare) {
    clearest_bare_ = std::max(clearest_bare_, share);
    bare_evidence_.Add(view, faces, false);
  }
  if (share >= kNotThisTile) {
    last_right_ = sighting;
    ++known_looks_;
  }
}

void CellMemory::Unsure(std::uint64_t sighting) {
  if (last_unsure_ == sighting) return;
  unsure_looks_ = last_covered_ > last_unsure_ ? 1 : unsure_looks_ + 1;
  last_unsure_ = sighting;
}

void CellMemory::TakenDown(double share, bool bare, std::uint64_t sighting) {
  taken_by_sight_ = true;
  clearest_ = share;
  clearest_bare_ = bare ? share : 0;
  last_right_ = sighting;
  known_looks_ = 1;
}

CellMemory CellMemory::ReadAnew(double share, std::uint64_t sighting) const {
  CellMemory anew;
  anew.evidence_ = evidence_;
  anew.bare_evidence_ = bare_evidence_;
  anew.clearest_ = share;
  anew.taken_by_sight_ = taken_by_sight_;
  anew.first_seen_ = first_seen_;
  anew.first_settled_ = first_settled_;
  anew.last_right_ = sighting;
  anew.known_looks_ = known_looks_ + 1;
  return anew;
}

CellMemory CellMemory::OnlyCovered() const {
  CellMemory anew;
  anew.first_covered_ = first_covered_;
  anew.last_covered_ = last_covered_;
  return anew;
}

bool CellMemory::OnceClear() const { return clearest_ >= kClearReading; }
bool CellMemory::NeverLay() const {
  return taken_by_sight_ && !OnceClear() && known_looks_ <= kLooksAtAStillHand &&
         absent_looks_ > std::max(known_looks_, kLooksWithout);
}
bool CellMemory::OnceRead() const { return clearest_ >= kThatTile; }
bool CellMemory::OnceClearBare() const { return clearest_bare_ >= kClearReading; }

const CellMemory* Cells::Find(Cell cell) const {
  const auto found = cells_.find(cell);
  return found == cells_.end() ? nullptr : &found->second;
}

std::uint64_t Cells::LastCovered(Cell cell) const {
  const CellMemory* found = Find(cell);
  return found == nullptr ? 0 : found->LastCovered();
}

std::uint64_t Cells::LastCoveredAround(Cell cell) const {
  std::uint64_t last = 0;
  for (const Cell near : Around(cell)) last = std::max(last, LastCovered(near));
  return last;
}

bool Cells::RatherElsewhere(Cell cell, const HandVisits::View& view) const {
  return std::any_of(cells_.begin(), cells_.end(), [&](const auto& entry) {
    const CellMemory& other = entry.second;
    const auto& views = other.visits().views();
    return entry.first != cell &&
           std::any_of(views.begin(), views.end(), [&](const HandVisits::View& there) {
             return there.sighting == view.sighting &&
                    (there.coverage > view.coverage ||
                     (there.coverage == view.coverage && other.FirstSeen() > view.sighting));
           });
  });
}

void Cells::EndLook(const Look& look, const std::function<bool(Cell)>& on_board,
                    std::uint64_t last_settled) {
  for (auto it = cells_.begin(); it != cells_.end();) {
    const CellView& view = look.At(it->first);
    const bool board_tile = on_board(it->first);
    if (!view.hidden && (board_tile || !view.tile)) it->second.visits().Forget();
    const bool empty = !view.hidden && !view.tile && !board_tile;
    // This look may have missed what a hand laid there.
    const bool visited = it->second.LastCovered() > last_settled;
    if (empty && visited) it->second = it->second.OnlyCovered();
    it = empty && !visited ? cells_.erase(it) : std::next(it);
  }
}

}  // namespace tilewarden::engine
