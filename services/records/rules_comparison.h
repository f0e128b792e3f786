// What a recorded case expects against what the engine gives: used by
// rules_check_case. Throws nlohmann::json's exceptions on values of another type.
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/game/game.h"
#include "nlohmann/json.hpp"
#include "services/records/rules_check.h"

namespace tilewarden::services {

// (player, points, kind), sorted.
using Events = std::vector<std::tuple<int, int, std::string>>;

// What one case expects against what the game gives.
class Comparison {
 public:
  Comparison(std::string where, RulesReport* report) : where_(std::move(where)), report_(report) {}

  void set_step(const std::string& step) { step_ = step; }

  template <typename Value>
  void Expect(std::string_view what, const Value& expected, const Value& actual) {
    ++report_->expectations;
    if (expected == actual) return;
    Differ(std::string(what) + ": expected " + nlohmann::json(expected).dump() + ", got " +
           nlohmann::json(actual).dump());
  }
  void ExpectEvents(const Events& expected, const Events& actual);
  void Differ(const std::string& text);
  void Explain(const std::string& text);
  RulesReport& report() { return *report_; }

 private:
  std::string where_;
  std::string step_;
  RulesReport* report_;
};

// Events as a file lists them, and as the engine gives them; `plain` as in the
// games, which know fewer kinds.
Events ExpectedEvents(const nlohmann::json& list, bool plain);
Events ActualEvents(const std::vector<engine::ScoreItem>& items, bool plain);
// Points by player, with those of the items added.
std::vector<int> Scores(const engine::Game& game, const std::vector<engine::ScoreItem>& more = {});

}  // namespace tilewarden::services
