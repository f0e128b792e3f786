// Plays recorded games and worked examples against the rules engine and
// compares everything they expect. Formats: scenarios (one JSON object
// with a list "scenarios"), games (*.jsonl, one game a line) and what each
// player would have after every turn (*.live.jsonl, beside its *.jsonl), and saved
// games of JCloisterZone with assertions (*.jcz).
// No state; safe to call from any thread.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "absl/status/status.h"

namespace tilewarden::services {

struct RulesReport {
  int files = 0;
  int cases = 0;         // scenarios and games
  int expectations = 0;  // single things compared
  // One line each: file, case, turn, what was expected and what came.
  std::vector<std::string> differences;
  // Placements that the rules allow and the file does not list, and assertions
  // of saved games that are not about points: one line each, with the reason. No
  // differences.
  std::vector<std::string> explained;
};

// Adds this file's results to the report. NOT_FOUND, INVALID_ARGUMENT: the
// file cannot be read as any of the formats; the message says where and why.
absl::Status CheckRulesFile(const std::filesystem::path& path, RulesReport* report);

}  // namespace tilewarden::services
