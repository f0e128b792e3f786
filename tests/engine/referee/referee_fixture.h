// A referee before a table without noise, and the hands that play on it.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engine/referee/referee.h"
#include "gtest/gtest.h"
#include "tests/engine/referee/simulated_table.h"

namespace tilewarden::engine {

class RefereeTest : public testing::Test {
 protected:
  RefereeTest() : RefereeTest("base.c1", *Rules::Preset("c1")) {}
  RefereeTest(const std::string& set, const Rules& rules)
      : tiles_(*TileSet::Load(set)),
        table_(tiles_, NoErrors(), 1),
        referee_(*Referee::Create(tiles_, rules, {}, false, &log_)) {
    table_.tiles.push_back({{0, 0}, tiles_->start_tile(), 0});
    Look();
    turned_ = referee_.game()->TileAt({})->rotation;
  }

  std::vector<Event> Observe(const Sighting& sighting) {
    std::vector<Event> events = referee_.Observe(sighting);
    log_.insert(log_.end(), events.begin(), events.end());
    return events;
  }
  std::vector<Event> Look() { return Observe(table_.Look()); }
  void Hand(Cell cell) { Observe(table_.Look(cell)); }

  // On the table: a hand, the tile, maybe a figure and the hand that set it, a still look.
  void Play(const std::string& tile, Cell cell, int rotation, const std::string& colour = "",
            int segment = 0) {
    Hand(cell);
    table_.Lay(tile, cell, rotation);
    if (!colour.empty()) {
      table_.Set(colour, cell, segment);
      if (!misses_) Hand(cell);
    }
    Look();
  }
  // Three players, two rounds, no feature completed.
  void PlayTwoRounds() {
    Play("B.U", {1, 0}, 0, "red", 0);     // the road east
    Play("B.U", {-1, 0}, 0);              // the road is red's
    Play("B.V", {-2, 0}, 2, "green", 1);  // a field
    Play("B.U", {2, 0}, 0);
    Play("B.B", {0, 1}, 0, "blue", 0);
    Play("B.B", {1, 1}, 0, "green", 0);
    Play("B.B", {2, 1}, 0, "red", 0);
  }
  // Six turns that complete nothing.
  void PlayTwoMoreRounds() {
    Play("B.E", {0, 2}, 2);  // green
    Play("B.E", {1, 2}, 2);
    Play("B.U", {3, 0}, 0);
    Play("B.B", {3, 1}, 0);
    Play("B.E", {4, 1}, 0);
    Play("B.E", {3, 2}, 2);
  }
  // After PlayTwoRounds, in blue's turn: a figure of blue shows late. Then it is blue's turn again.
  void MissAFigureOfBlue() {
    PlayUnseen("B.E", {1, -1}, 0);
    Play("B.E", {0, 2}, 2);
    Play("B.E", {1, 2}, 2);
    table_.Set("blue", {1, -1}, 0);
    Looks(2);
  }
  // Blue lays a tile that completes a city; a second visit to it shows nothing of the tile.
  void LayBlueAndComeBackUnseen() {
    Hand({0, -1});
    table_.Lay("B.E", {0, -1}, 2);
    Sighting covered = table_.Look(Cell{0, -1});
    std::erase_if(covered.tiles, [&](const SightedTile& tile) {
      return std::find(covered.hidden_cells.begin(), covered.hidden_cells.end(), tile.cell) !=
             covered.hidden_cells.end();
    });
    Observe(covered);
    Look();
  }
  // A figure is set, and the camera does not see it.
  void PlayUnseen(const std::string& tile, Cell cell, int rotation) {
    Hand(cell);
    table_.Lay(tile, cell, rotation);
    Hand(cell);
    Look();
  }
  void Looks(int n) {
    for (int i = 0; i < n; ++i) Look();
  }
  const Turn& TurnOn(Cell cell) const {
    const std::vector<Turn>& turns = referee_.game()->turns();
    return *std::find_if(turns.begin(), turns.end(),
                         [&](const Turn& turn) { return turn.cell == OnBoard(cell); });
  }
  // The sentences of the revisions so far.
  std::vector<std::string> Reasons() const {
    std::vector<std::string> reasons;
    for (const Event& event : log_) {
      if (const auto* revised = std::get_if<TurnsRevised>(&event)) {
        reasons.push_back(revised->reason);
      }
    }
    return reasons;
  }
  std::string TypeOn(Cell cell) const {
    const PlacedTile* laid = referee_.game()->TileAt(OnBoard(cell));
    if (laid == nullptr) return "none";
    return tiles_->types()[static_cast<std::size_t>(laid->tile)].id;
  }
  // The figure of this colour on this tile is not seen any more, or again.
  void Unsee(const std::string& colour, Cell cell, bool unseen = true) {
    for (SimulatedTable::Figure& figure : table_.figures) {
      if (figure.colour == colour && figure.cell == cell) figure.unseen = unseen;
    }
  }
  // How likely it is, by the first open question, that a figure was set.
  double ChanceAsked() const {
    double chance = 0;
    for (const Question::Answer& answer : referee_.questions().front().answers) {
      if (answer.turn.deployment) chance += answer.probability;
    }
    return chance;
  }
  void ShowSupplies() { table_.supplies = {{"red", 7}, {"blue", 7}, {"green", 7}}; }
  std::vector<std::string> Codes() const {
    std::vector<std::string> codes;
    for (const Finding& finding : referee_.findings()) codes.push_back(finding.code);
    return codes;
  }
  std::string ColourOf(int player) const {
    return referee_.game()->players()[static_cast<std::size_t>(player)].colour;
  }
  PlayerState Player(const std::string& colour) const {
    for (const PlayerState& player : referee_.game()->players()) {
      if (player.colour == colour) return player;
    }
    return {};
  }
  Cell OnBoard(Cell cell) const {
    for (int i = 0; i < turned_; ++i) cell = {-cell.y, cell.x};
    return cell;
  }
  using Strings = std::vector<std::string>;

  std::shared_ptr<const TileSet> tiles_;
  SimulatedTable table_;
  std::vector<Event> log_;
  Referee referee_;
  int turned_ = 0;
  bool misses_ = false;  // the camera misses the hands that set figures
};

}  // namespace tilewarden::engine
