#include "services/records/rules_check.h"

#include <string_view>
#include <utility>

#include "services/base/whole_file.h"
#include "services/records/jcz.h"
#include "services/records/rules_check_case.h"

namespace tilewarden::services {
namespace {

using nlohmann::json;

absl::StatusOr<std::string> ReadText(const std::filesystem::path& path) {
  auto text = ReadFile(path);
  if (text) return *std::move(text);
  return absl::NotFoundError("cannot read " + path.string());
}

absl::StatusOr<std::vector<json>> ReadLines(const std::filesystem::path& path) {
  absl::StatusOr<std::string> text = ReadText(path);
  if (!text.ok()) return text.status();
  std::vector<json> lines;
  std::size_t begin = 0;
  for (int number = 1; begin < text->size(); ++number) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line(text->data() + begin, end - begin);
    begin = end + 1;
    if (line.empty()) continue;
    json value = json::parse(line, nullptr, false);
    if (!value.is_object()) {
      return absl::InvalidArgumentError(path.string() + ":" + std::to_string(number) +
                                        ": not a JSON object");
    }
    lines.push_back(std::move(value));
  }
  if (lines.empty()) return absl::InvalidArgumentError(path.string() + ": holds no games");
  return lines;
}

bool EndsWith(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// A saved game of JCloisterZone must replay, and its assertions must hold.
absl::Status CheckSavedGame(const std::filesystem::path& path, const std::string& text,
                            RulesReport* report) {
  ++report->cases;
  absl::StatusOr<JczGame> saved = ReadJcz(text);
  if (!saved.ok()) {
    return absl::InvalidArgumentError(path.string() + ": " + std::string(saved.status().message()));
  }
  ++report->expectations;
  absl::StatusOr<engine::Game> game = engine::Replay(saved->record);
  if (!game.ok()) {
    report->differences.push_back(path.filename().string() + ": " +
                                  std::string(game.status().message()));
    return absl::OkStatus();
  }
  for (const std::string& assertion : saved->assertions) {
    absl::StatusOr<bool> holds = Holds(assertion, *saved, *game);
    if (absl::IsUnimplemented(holds.status())) {
      report->explained.push_back(path.filename().string() + ": not checked, " +
                                  std::string(holds.status().message()));
      continue;
    }
    if (!holds.ok()) {
      return absl::InvalidArgumentError(path.string() + ": " +
                                        std::string(holds.status().message()));
    }
    ++report->expectations;
    if (!*holds) {
      report->differences.push_back(path.filename().string() + ": is not true: " + assertion);
    }
  }
  return absl::OkStatus();
}

absl::Status CheckAll(const std::filesystem::path& path, RulesReport* report) {
  const std::string name = path.filename().string();
  if (EndsWith(name, ".live.jsonl")) {
    absl::StatusOr<std::vector<json>> lives = ReadLines(path);
    if (!lives.ok()) return lives.status();
    const std::string stem = name.substr(0, name.size() - std::string_view(".live.jsonl").size());
    absl::StatusOr<std::vector<json>> games = ReadLines(path.parent_path() / (stem + ".jsonl"));
    if (!games.ok()) return games.status();
    for (const json& live : *lives) {
      const json* game = nullptr;
      for (const json& candidate : *games) {
        if (candidate.at("seed") == live.at("seed")) game = &candidate;
      }
      if (game == nullptr) {
        return absl::InvalidArgumentError(path.string() + ": no game with seed " +
                                          live.at("seed").dump());
      }
      if (absl::Status status = CheckGame(name, *game, &live, report); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  if (EndsWith(name, ".jsonl")) {
    absl::StatusOr<std::vector<json>> games = ReadLines(path);
    if (!games.ok()) return games.status();
    for (const json& game : *games) {
      if (absl::Status status = CheckGame(name, game, nullptr, report); !status.ok()) return status;
    }
    return absl::OkStatus();
  }
  absl::StatusOr<std::string> text = ReadText(path);
  if (!text.ok()) return text.status();
  if (EndsWith(name, ".jcz")) return CheckSavedGame(path, *text, report);
  const json file = json::parse(*text, nullptr, false);
  if (!file.is_object() || !file.contains("scenarios")) {
    return absl::InvalidArgumentError(path.string() +
                                      ": neither scenarios (.json with \"scenarios\") nor games "
                                      "(.jsonl, .live.jsonl)");
  }
  for (const json& scenario : file.at("scenarios")) {
    if (absl::Status status = CheckScenario(name, scenario, report); !status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckRulesFile(const std::filesystem::path& path, RulesReport* report) {
  ++report->files;
  try {
    return CheckAll(path, report);
  } catch (const json::exception& error) {
    return absl::InvalidArgumentError(path.string() + ": " + error.what());
  }
}

}  // namespace tilewarden::services
