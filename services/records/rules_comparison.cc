#include "services/records/rules_comparison.h"

#include <algorithm>

namespace tilewarden::services {
namespace {

using engine::Game;
using engine::ScoreItem;
using nlohmann::json;

std::string Show(const Events& events) {
  json out = json::array();
  for (const auto& [player, points, kind] : events) out.push_back({player, points, kind});
  return out.dump();
}

// "city.tiny" is a city, and an abbot's recall is ".incomplete" in the games.
std::string PlainKind(std::string kind) {
  if (kind == "city.tiny") return "city";
  if (const auto dot = kind.find(".recall"); dot != std::string::npos) {
    return kind.substr(0, dot) + ".incomplete";
  }
  return kind;
}

}  // namespace

void Comparison::ExpectEvents(const Events& expected, const Events& actual) {
  ++report_->expectations;
  if (expected != actual) Differ("events: expected " + Show(expected) + ", got " + Show(actual));
}

void Comparison::Differ(const std::string& text) {
  report_->differences.push_back(where_ + (step_.empty() ? "" : ", " + step_) + ": " + text);
}

void Comparison::Explain(const std::string& text) {
  report_->explained.push_back(where_ + ", " + step_ + ": " + text);
}

Events ExpectedEvents(const json& list, bool plain) {
  Events out;
  for (const json& event : list) {
    std::string kind = event.at(2);
    // Farms worth nothing are listed with no points.
    if (event.at(1).get<int>() == 0) continue;
    out.emplace_back(event.at(0), event.at(1), plain ? PlainKind(kind) : kind);
  }
  std::sort(out.begin(), out.end());
  return out;
}

Events ActualEvents(const std::vector<ScoreItem>& items, bool plain) {
  Events out;
  for (const ScoreItem& item : items) {
    out.emplace_back(item.player, item.points, plain ? PlainKind(item.kind) : item.kind);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<int> Scores(const Game& game, const std::vector<ScoreItem>& more) {
  std::vector<int> scores;
  for (const auto& player : game.players()) scores.push_back(player.score);
  for (const ScoreItem& item : more) scores[static_cast<std::size_t>(item.player)] += item.points;
  return scores;
}

}  // namespace tilewarden::services
