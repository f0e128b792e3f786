#include "services/commands/recording_truth.h"

#include <fstream>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {
namespace {

using nlohmann::json;

// Turn (0: the end), colour, points.
using Points = std::multiset<std::tuple<int, std::string, int>>;

void Compare(const Points& expected, const Points& got, std::vector<std::string>* out) {
  const auto tell = [&](const auto& item, const char* what) {
    const auto& [turn, colour, points] = item;
    out->push_back(absl::StrCat(what, " of ", points, " for ", colour,
                                turn == 0 ? " at the end" : absl::StrCat(" in turn ", turn)));
  };
  for (auto it = expected.begin(); it != expected.end(); it = expected.upper_bound(*it)) {
    if (got.count(*it) < expected.count(*it)) tell(*it, "missing: a score");
  }
  for (auto it = got.begin(); it != got.end(); it = got.upper_bound(*it)) {
    if (expected.count(*it) < got.count(*it)) tell(*it, "not in the truth: a score");
  }
}

std::vector<std::string> Differences(const json& truth, const v1::GameState& state,
                                     const std::vector<v1::Finding>& illegal) {
  std::vector<std::string> out;
  const std::vector<std::string> colours = truth.at("colours");
  const auto colour = [&](const json& item) { return colours.at(item.at("player")); };

  std::map<std::string, int> scores;
  for (const v1::Player& player : state.players()) scores[player.colour()] = player.score();
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const int expected = truth.at("final").at("scores").at(i);
    const auto got = scores.find(colours[i]);
    if (got == scores.end()) {
      out.push_back(absl::StrCat(colours[i], " did not play"));
    } else if (got->second != expected) {
      out.push_back(absl::StrCat(colours[i], " has ", got->second, " points, not ", expected));
    }
  }
  Points expected, got;
  for (const json& turn : truth.at("turns")) {
    for (const json& item : turn.at("items")) {
      expected.emplace(turn.at("number").get<int>(), colour(item), item.at("points").get<int>());
    }
  }
  for (const json& item : truth.at("final").at("items")) {
    expected.emplace(0, colour(item), item.at("points").get<int>());
  }
  for (const v1::ScoreItem& item : state.score_items()) {
    got.emplace(static_cast<int>(item.turn()), item.colour(), item.points());
  }
  Compare(expected, got, &out);

  // Cells count from the start tile; which way the board lies is the camera's.
  if (state.turn() != truth.at("turns").size()) {
    out.push_back(absl::StrCat(state.turn(), " turns, not ", truth.at("turns").size()));
  }
  std::multiset<std::string> flagged, laid_wrongly;
  for (const v1::Finding& finding : illegal) flagged.insert(finding.code());
  for (const json& mistake : truth.at("mistakes")) {
    laid_wrongly.insert(mistake.at("code").get<std::string>());
  }
  if (flagged != laid_wrongly) {
    out.push_back(absl::StrCat(flagged.size(), " illegal placements flagged, not ",
                               laid_wrongly.size(), ", or for other reasons"));
  }
  return out;
}

}  // namespace

absl::StatusOr<json> LoadTruth(const std::filesystem::path& recording) {
  std::filesystem::path path = recording;
  path.replace_extension(".truth.json");
  std::ifstream file(path);
  if (!file) return absl::NotFoundError(absl::StrCat("there is no ", path.string()));
  json truth = json::parse(file, nullptr, false);
  if (truth.is_discarded() || !truth.is_object()) {
    return absl::DataLossError(absl::StrCat(path.string(), " is damaged"));
  }
  return truth;
}

std::vector<std::string> DifferencesFromTruth(const json& truth, const v1::GameState& state,
                                              const std::vector<v1::Finding>& illegal) {
  try {
    return Differences(truth, state, illegal);
  } catch (const std::exception& error) {
    return {absl::StrCat("the truth cannot be read: ", error.what())};
  }
}

}  // namespace tilewarden::services
