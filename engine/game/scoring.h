// What features are worth, who scores them, and in what words: the base game's
// rules, which ask the parts that know better. Looks at a game; changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/game/part.h"
#include "engine/game/position.h"

namespace tilewarden::engine {

class Scoring {
 public:
  // Why the base game pays.
  enum class Cause : std::uint8_t { kCompleted, kIncomplete, kFarm };
  // Valid as long as both.
  Scoring(const Position& position, const Parts& parts) : position_(position), parts_(parts) {}

  // `more`: tiles that it would have besides (cities, roads).
  Worth WorthOf(int root, bool complete, int more = 0) const;
  // The same to the owner whom it pays most.
  int MostFor(int root, bool complete, const std::vector<int>& owners) const;
  // Figures by player, one byte each, of which the majority scores.
  std::uint64_t Claimants(int root) const;
  // Calls visit(item) for each player whom this feature pays.
  template <typename Visit>
  void ForEachItem(int root, Cause cause, Visit visit) const;
  // Final scoring, or what it would be now.
  std::vector<Position::Item> Final() const;
  // The round in which completed features of this kind score.
  int Round(SegmentKind kind) const;
  // Empty cells that a city or road goes on to.
  int OpenCellsOf(int root) const;
  // Completed cities beside a field, by root, each once.
  std::vector<int> CompletedCitiesBeside(int root) const;

  ScoreItem Describe(const Position::Item& item) const;

 private:
  Position::Item ItemFor(int root, Cause cause, const Worth& worth, int player) const;
  void DescribeBase(const Position::Item& item, ScoreItem* out) const;
  Worth WorthOfMarked(int root, bool complete, int more) const;
  int TilesNotCounted(int root) const;
  Worth WorthByKind(int root, bool complete, int more) const;
  int FarmPoints(int root, int cities) const;
  int MoreForCity(int field, int player) const;
  bool PaysByCity(int root) const;
  bool PartValues(SegmentKind kind) const;
  void ScoreFields(std::vector<Position::Item>* items) const;
  void ScoreFieldsByPlayer(const std::vector<int>& fields,
                           std::vector<Position::Item>* items) const;
  void ScoreFieldsByCity(const std::vector<int>& fields, std::vector<Position::Item>* items) const;

  const Position& position_;
  const Parts& parts_;
};

// Majority: calls visit(player) for everyone with as many figures as the one with most.
template <typename Visit>
void ForEachOwner(std::uint64_t figures, Visit visit) {
  std::uint64_t most = 0;
  for (int player = 0; player < kMaxPlayers; ++player) {
    most = std::max(most, figures >> (8 * player) & 0xFF);
  }
  if (most == 0) return;
  for (int player = 0; player < kMaxPlayers; ++player) {
    if ((figures >> (8 * player) & 0xFF) == most) visit(player);
  }
}

template <typename Visit>
void Scoring::ForEachItem(int root, Cause cause, Visit visit) const {
  const Worth worth = WorthOf(root, cause == Cause::kCompleted);
  if (worth.points == 0) return;
  ForEachOwner(Claimants(root), [&](int player) { visit(ItemFor(root, cause, worth, player)); });
}

// "1 tile", "2 tiles"
std::string Counted(int count, std::string_view one, std::string_view many);
// "completed garden: itself and 8 neighbours"
std::string ReasonOfPlot(std::string_view how, SegmentKind kind, int tiles);

}  // namespace tilewarden::engine
