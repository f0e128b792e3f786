#include "services/engine_service/export.h"

#include <algorithm>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "engine/notation/notation.h"
#include "services/base/message_json.h"
#include "services/records/jcz.h"

namespace tilewarden::services {
namespace {

// A field that a spreadsheet takes as text whatever it holds: quoted where it
// must be, and no formula.
std::string CsvField(const std::string& text) {
  std::string field = text;
  if (!field.empty() && std::string_view("=+-@\t\r").find(field[0]) != std::string_view::npos) {
    field.insert(field.begin(), '\'');
  }
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  return absl::StrCat("\"", absl::StrReplaceAll(field, {{"\"", "\"\""}}), "\"");
}

std::string ScoresCsv(const v1::GameState& state) {
  std::map<std::string, std::string> names;
  for (const v1::Player& player : state.players()) names[player.colour()] = player.name();
  std::map<std::string, int> totals;
  std::string out = "turn,colour,name,points,total,kind,reason\r\n";
  for (const v1::ScoreItem& item : state.score_items()) {
    const int total = totals[item.colour()] += item.points();
    // Final scores belong to no turn.
    const std::string turn = item.turn() == 0 ? "end" : absl::StrCat(item.turn());
    absl::StrAppend(&out,
                    absl::StrJoin({turn, CsvField(item.colour()), CsvField(names[item.colour()]),
                                   absl::StrCat(item.points()), absl::StrCat(total),
                                   CsvField(item.kind()), CsvField(item.reason())},
                                  ","),
                    "\r\n");
  }
  return out;
}

// The notation holds turns. What a person changed besides goes into comments.
engine::GameRecord RecordWithPointsByHand(const engine::Game& game, const v1::GameState& state) {
  engine::GameRecord record = engine::RecordOf(game);
  for (const v1::ScoreItem& item : state.score_items()) {
    if (item.kind() != "by-hand") continue;
    record.comments.emplace_back(
        std::min<std::size_t>(item.turn(), record.turns.size()),
        absl::StrFormat("by hand: %s %+d, %s", item.colour(), item.points(), item.reason()));
  }
  std::stable_sort(record.comments.begin(), record.comments.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return record;
}

}  // namespace

absl::StatusOr<v1::ExportGameResponse> Export(v1::ExportFormat format, const engine::Game& game,
                                              const v1::GameState& state) {
  v1::ExportGameResponse out;
  const auto fill = [&](std::string content, const char* type, const char* ending) {
    out.set_content(std::move(content));
    out.set_content_type(type);
    out.set_file_name(absl::StrCat("tilewarden-", state.game_id(), ending));
  };
  switch (format) {
    case v1::EXPORT_FORMAT_NOTATION:
      fill(engine::PrintNotation(RecordWithPointsByHand(game, state)), "text/plain; charset=utf-8",
           ".txt");
      return out;
    case v1::EXPORT_FORMAT_JCZ: {
      auto saved = WriteJcz(engine::RecordOf(game));
      if (!saved.ok()) return absl::FailedPreconditionError(saved.status().message());
      fill(*std::move(saved), "application/json", ".jcz");
      return out;
    }
    case v1::EXPORT_FORMAT_JSON:
      fill(ToJson(state, true), "application/json", ".json");
      return out;
    case v1::EXPORT_FORMAT_SCORES_CSV:
      fill(ScoresCsv(state), "text/csv; charset=utf-8", "-scores.csv");
      return out;
    default:
      return absl::InvalidArgumentError("format: give notation, jcz, json or scores-csv");
  }
}

}  // namespace tilewarden::services
