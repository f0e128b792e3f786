// A game in the terminal: a line for each event, and the board in colours.
#pragma once

#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "services/boxes/tile_sets.h"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// What an event says to people, one or more lines: who laid what, each score
// with its reason, findings. `before`: the findings open until then. Empty for
// events that say nothing.
std::vector<std::string> Describe(const v1::GameEvent& event,
                                  const std::vector<v1::Finding>& before, bool colours);
// The final scores, each with its items.
std::string DescribeResult(const v1::GameState& state, bool colours);

// The board drawn with half blocks, eight columns and four rows a tile, in 24-bit
// colours; lines without their ends. Pure function.
std::vector<std::string> DrawBoard(const v1::GameState& state, const TileArt& art);

// Follows a watch on a screen: redraws it, or prints plain lines where the
// output is not a terminal. Thread safe.
class TerminalView {
 public:
  // `headline` stays on top, such as the page's address.
  TerminalView(TileSets* tile_sets, std::string headline);
  void Show(const v1::WatchGameResponse& message);
  // What stands on top from now on.
  void SetHeadline(std::string headline);
  const v1::GameState& state() const { return state_; }  // by one thread

 private:
  void Redraw() const;

  TileSets* const tile_sets_;
  const bool screen_;
  std::mutex mutex_;
  std::string headline_;
  v1::GameState state_;
  std::vector<std::string> lines_;  // the last ones told
};

}  // namespace tilewarden::services
