#include "engine/referee/memory/figure_memory.h"

namespace tilewarden::engine {
namespace {

const FigureTrack* Find(const std::map<Cell, FigureTrack>& tracks, Cell cell) {
  const auto found = tracks.find(cell);
  return found == tracks.end() ? nullptr : &found->second;
}

}  // namespace

const FigureTrack* FigureMemory::FindTrack(Cell cell) const { return Find(tracks_, cell); }
const FigureTrack* FigureMemory::FindUnplaced(Cell cell) const { return Find(unplaced_, cell); }

void FigureMemory::ForgetKinds() {
  for (auto& [cell, track] : tracks_) track.ForgetKinds();
  for (auto& [cell, track] : unplaced_) track.ForgetKinds();
}

void FigureMemory::Unplace(Cell cell, FigureTrack known) {
  tracks_[cell] = FigureTrack();
  unplaced_[cell] = std::move(known);
}

std::int64_t FigureMemory::Linger(Cell cell, const std::string& colour, std::int64_t now_ms,
                                  bool hand_came) {
  std::int64_t& since_ms = lingering_.try_emplace({cell, colour}, now_ms).first->second;
  if (hand_came) since_ms = now_ms;
  return since_ms;
}

int FigureMemory::LooksGone(Cell cell, int turn) const {
  const auto found = seen_gone_.find({cell, turn});
  return found == seen_gone_.end() ? 0 : found->second;
}

void FigureMemory::EndLook(const Look& look, const std::set<Cell>& in_game) {
  const auto free = [&](Cell cell) {
    const CellView& view = look.At(cell);
    return !view.hidden && view.figures.empty();
  };
  std::erase_if(tracks_, [&](const auto& entry) { return !in_game.contains(entry.first); });
  std::erase_if(unplaced_, [&](const auto& entry) {
    return in_game.contains(entry.first) || free(entry.first);
  });
  // What had sent it home may have been taken up again.
  std::erase_if(lingering_, [&](const auto& entry) {
    return in_game.contains(entry.first.first) || free(entry.first.first);
  });
}

}  // namespace tilewarden::engine
