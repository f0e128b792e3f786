#include "services/boxes/own_tiles.h"

#include <algorithm>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "calibration/common/save_file.h"
#include "engine/tiles/tile_set.h"
#include "engine/tiles/tile_set_overlay.h"
#include "services/base/file_stamp.h"
#include "services/base/whole_file.h"

namespace tilewarden::services {
namespace {

// Several times what 500 tiles need.
constexpr std::uintmax_t kLargestFile = 1 << 20;

using Set = engine::TileSetFile::Set;

std::vector<Set>::iterator HomeSet(engine::TileSetFile* file) {
  return std::find_if(file->sets.begin(), file->sets.end(),
                      [](const Set& set) { return set.id == OwnTiles::kHomeSet; });
}

// Every box's file, read again only when one of them changed: a tile that is being drawn
// is judged together with all of them at each stroke.
absl::StatusOr<std::shared_ptr<const engine::TileSetFolder>> Boxes() {
  static std::mutex mutex;
  static Stamped<engine::TileSetFolder> boxes;
  const std::lock_guard lock(mutex);
  const auto folder = engine::TileSet::DefaultFolder();
  const FileStamp stamp = FileStamp::OfFolder(folder);
  if (boxes.Is(stamp)) return boxes.value;
  auto read = engine::TileSetFolder::Read(folder);
  if (!read.ok()) return read.status();
  boxes = {stamp, std::make_shared<const engine::TileSetFolder>(*std::move(read))};
  return boxes.value;
}

}  // namespace

absl::StatusOr<engine::TileSetFolder> AllTileSets(const engine::TileSetFile* own) {
  const auto boxes = Boxes();
  if (!boxes.ok()) return boxes.status();
  return own == nullptr ? **boxes : engine::Overlaid(**boxes, *own);
}

absl::StatusOr<OwnTiles::Content> OwnTiles::Read() const {
  Content content;
  content.file.path = kFile;
  content.file.correction = true;
  std::error_code error;
  if (file_.empty() || !std::filesystem::exists(file_, error)) return content;
  if (std::filesystem::file_size(file_, error) > kLargestFile || error) {
    return absl::FailedPreconditionError(
        absl::StrCat(file_.string(), ": too large for a tile set file; make it smaller"));
  }
  const auto text = ReadFile(file_);
  content.text = text.value_or("");
  auto parsed = engine::ParseTileSetFile(content.text, file_);
  if (!text || !parsed.ok()) {
    return absl::FailedPreconditionError(
        parsed.ok() ? absl::StrCat("cannot read ", file_.string())
                    : absl::StrCat(parsed.status().message(), "; fix this file"));
  }
  content.file = *std::move(parsed);
  return content;
}

absl::StatusOr<engine::TileSetFile> OwnTiles::Judge(const std::string& text) {
  auto parsed = engine::ParseTileSetFile(text, kFile);
  if (!parsed.ok()) return parsed.status();
  if (auto all = AllTileSets(&*parsed); !all.ok()) return all.status();
  return parsed;
}

absl::StatusOr<OwnTiles::Content> OwnTiles::Change(const Edit& edit) {
  const std::lock_guard lock(mutex_);
  if (file_.empty()) {
    return absl::FailedPreconditionError("this service has no data folder to keep tiles in");
  }
  auto content = Read();
  if (!content.ok()) return content.status();
  const bool was = !content->text.empty();
  if (auto status = edit(&content->file); !status.ok()) return status;
  // An owner's file that holds nothing does nothing; it stays, for the owner's notes.
  std::string text = engine::ToText(content->file);
  if (content->file.tiles.empty() && content->file.sets.empty() && !was) return content;
  auto judged = Judge(text);
  if (!judged.ok()) return judged.status();
  if (text != content->text) {
    if (auto status = Write(text); !status.ok()) return status;
  }
  return Content{std::move(text), *std::move(judged)};
}

absl::Status OwnTiles::Write(const std::string& text) const {
  const absl::Status saved = calibration::SaveFile(file_, text);
  if (saved.ok()) return saved;
  return absl::UnavailableError(absl::StrCat(saved.message(), "; nothing was changed"));
}

void PutTile(const engine::TileType& tile, int copies, engine::TileSetFile* file) {
  file->correction = true;
  const auto known = std::find_if(file->tiles.begin(), file->tiles.end(),
                                  [&](const auto& other) { return other.id == tile.id; });
  if (known != file->tiles.end()) {
    *known = tile;
  } else {
    file->tiles.push_back(tile);
  }
  if (copies == 0) return;
  auto home = HomeSet(file);
  if (home == file->sets.end()) {
    home = file->sets.insert(home, Set{});
    home->id = OwnTiles::kHomeSet;
    home->name = "Home-made tiles";
  }
  const auto counted = std::find_if(home->tiles.begin(), home->tiles.end(),
                                    [&](const auto& pair) { return pair.first == tile.id; });
  if (counted != home->tiles.end()) {
    counted->second = copies;
  } else {
    home->tiles.emplace_back(tile.id, copies);
  }
}

void TakeTile(const std::string& id, engine::TileSetFile* file) {
  std::erase_if(file->tiles, [&](const auto& tile) { return tile.id == id; });
  const auto home = HomeSet(file);
  if (home == file->sets.end()) return;
  std::erase_if(home->tiles, [&](const auto& pair) { return pair.first == id; });
  if (home->tiles.empty()) file->sets.erase(home);
}

}  // namespace tilewarden::services
