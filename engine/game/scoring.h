// What features are worth, who scores them, and in what words: the base game's
// rules, which ask the parts that know better. Looks at a game; changes nothing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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
  // What one feature pays: an item a player at most.
  struct Items {
    std::array<Position::Item, kMaxPlayers> items;
    std::size_t count = 0;
    const Position::Item* begin() const { return items.data(); }
    const Position::Item* end() const { return items.data() + count; }
  };

  // Valid as long as both.
  Scoring(const Position& position, const Parts& parts) : position_(position), parts_(parts) {}

  // `more`: tiles that it would have besides (cities, roads).
  Worth WorthOf(int root, bool complete, int more = 0) const;
  // Figures by player, one byte each, of which the majority scores.
  std::uint64_t Claimants(int root) const;
  Items ItemsOf(int root, Cause cause) const;
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
  void DescribeBase(const Position::Item& item, ScoreItem* out) const;
  Worth WorthOfMarked(int root, bool complete, int more) const;
  int TilesNotCounted(int root) const;
  int FarmPoints(int root, int cities) const;
  bool PartValues(SegmentKind kind) const;
  void ScoreFields(std::vector<Position::Item>* items) const;
  void ScoreFieldsByPlayer(std::vector<int> fields, std::vector<Position::Item>* items) const;
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

// "1 tile", "2 tiles"
std::string Counted(int count, std::string_view one, std::string_view many);
// "completed garden: itself and 8 neighbours"
std::string ReasonOfPlot(std::string_view how, SegmentKind kind, int tiles);

}  // namespace tilewarden::engine
