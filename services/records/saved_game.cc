#include "services/records/saved_game.h"

#include <fstream>
#include <string>
#include <utility>

#include "services/base/whole_file.h"
#include "services/records/jcz.h"

namespace tilewarden::services {
namespace {

bool IsTheirs(const std::filesystem::path& path) { return path.extension() == ".jcz"; }

absl::Status InFile(const std::filesystem::path& path, const absl::Status& status) {
  return absl::Status(status.code(), path.string() + ": " + std::string(status.message()));
}

}  // namespace

absl::StatusOr<engine::GameRecord> ReadSavedGame(const std::filesystem::path& path) {
  const auto text = ReadFile(path);
  if (!text) return absl::NotFoundError("cannot read " + path.string());
  if (!IsTheirs(path)) {
    absl::StatusOr<engine::GameRecord> record = engine::ParseNotation(*text);
    if (!record.ok()) return InFile(path, record.status());
    return record;
  }
  absl::StatusOr<JczGame> saved = ReadJcz(*text);
  if (!saved.ok()) return InFile(path, saved.status());
  return std::move(saved->record);
}

absl::Status WriteSavedGame(const engine::GameRecord& record, const std::filesystem::path& path) {
  absl::StatusOr<std::string> text = IsTheirs(path) ? WriteJcz(record) : PrintNotation(record);
  if (!text.ok()) return InFile(path, text.status());
  std::ofstream out(path, std::ios::binary);
  out << *text << std::flush;
  if (!out) return absl::UnavailableError("cannot write " + path.string());
  return absl::OkStatus();
}

}  // namespace tilewarden::services
