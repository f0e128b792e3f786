#include "services/table/clips.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/base/message_json.h"
#include "services/base/whole_file.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostClips = 100;  // of a game: at most 10 MB
constexpr char kWords[] = "clip.json", kBefore[] = "before.jpg", kNow[] = "now.jpg";

Matter MatterOf(const v1::Clip& clip) {
  return clip.has_question() ? Matter{Matter::Kind::kQuestion, clip.question().id()}
                             : Matter{Matter::Kind::kFinding, clip.finding().id()};
}

std::vector<fs::path> FoldersIn(const fs::path& folder) {
  std::vector<fs::path> folders;
  if (folder.empty()) return folders;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    folders.push_back(it->path());
  }
  return folders;
}

// Nothing: it was not finished, or somebody changed it.
std::optional<v1::Clip> WordsIn(const fs::path& folder) {
  const auto text = ReadFile(folder / kWords);
  v1::Clip clip;
  if (!text || !FromJson(*text, &clip)) return std::nullopt;
  return clip;
}

// Without the pictures, which are files of their own.
std::string WordsOf(v1::Clip clip) {
  if (clip.has_before()) clip.mutable_before()->clear_jpeg();
  clip.mutable_now()->clear_jpeg();
  return ToJson(clip, true);
}

absl::Status Write(const fs::path& folder, const v1::Clip& clip) {
  std::error_code error;
  fs::create_directories(folder, error);
  const auto write = [&](const char* file, const std::string& bytes) {
    return WritePrivateFile(folder / file, bytes, IfThere::kReplace);
  };
  if (clip.has_before()) {
    if (auto status = write(kBefore, clip.before().jpeg()); !status.ok()) return status;
  }
  if (auto status = write(kNow, clip.now().jpeg()); !status.ok()) return status;
  // Last: with it, the clip is there.
  return write(kWords, WordsOf(clip));
}

}  // namespace

Clips::Clips(Options options) : options_(std::move(options)) {}

fs::path Clips::FolderOf(const std::string& game_id, Matter matter) const {
  const bool question = matter.kind == Matter::Kind::kQuestion;
  return options_.folder / game_id / absl::StrCat(question ? "question-" : "finding-", matter.id);
}

void Clips::Keep(const v1::Clip& clip) {
  if (!wanted()) return;
  const std::lock_guard lock(mutex_);
  const fs::path folder = FolderOf(clip.game_id(), MatterOf(clip));
  std::error_code error;
  if (fs::exists(folder / kWords, error)) return;
  if (FoldersIn(folder.parent_path()).size() >= kMostClips) return;
  std::string problem = options_.room.Warning().value_or("");
  if (problem.empty()) {
    const absl::Status status = Write(folder, clip);
    fs::permissions(options_.folder, fs::perms::owner_all, error);
    if (!status.ok()) {
      problem = std::string(status.message());
      fs::remove_all(folder, error);
    }
  }
  // Once for each reason.
  if (problem != told_ && !problem.empty()) spdlog::warn("no clip was kept: {}", problem);
  told_ = std::move(problem);
}

void Clips::Settle(const std::string& game_id, Matter matter, const v1::ClipSettled& settled) {
  if (!wanted()) return;
  const std::lock_guard lock(mutex_);
  const fs::path folder = FolderOf(game_id, matter);
  auto clip = WordsIn(folder);
  if (!clip) return;
  *clip->mutable_settled() = settled;
  const auto status =
      WritePrivateFile(folder / kWords, WordsOf(*std::move(clip)), IfThere::kReplace);
  if (!status.ok()) spdlog::warn("{}", std::string(status.message()));
}

std::vector<v1::Clip> Clips::List(const std::string& game_id) const {
  std::vector<v1::Clip> clips;
  if (!wanted()) return clips;
  const std::lock_guard lock(mutex_);
  for (const fs::path& folder : FoldersIn(options_.folder / game_id)) {
    if (auto clip = WordsIn(folder)) clips.push_back(*std::move(clip));
  }
  std::sort(clips.begin(), clips.end(), [](const v1::Clip& a, const v1::Clip& b) {
    return std::pair(a.time_ms(), MatterOf(a)) < std::pair(b.time_ms(), MatterOf(b));
  });
  return clips;
}

void Clips::AddPictures(v1::Clip* clip) const {
  const std::lock_guard lock(mutex_);
  const fs::path folder = FolderOf(clip->game_id(), MatterOf(*clip));
  if (auto jpeg = ReadFile(folder / kBefore))
    clip->mutable_before()->set_jpeg(*std::move(jpeg));
  else
    clip->clear_before();
  if (auto jpeg = ReadFile(folder / kNow))
    clip->mutable_now()->set_jpeg(*std::move(jpeg));
  else
    clip->clear_now();
}

absl::Status Clips::Delete(const std::string& game_id) {
  if (options_.folder.empty()) return absl::OkStatus();
  const std::lock_guard lock(mutex_);
  std::error_code error;
  const fs::path folder = options_.folder / game_id;
  fs::remove_all(folder, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      absl::StrCat(folder.string(), " cannot be deleted (", error.message(), ")"));
}

bool Clips::empty() const {
  const std::lock_guard lock(mutex_);
  return FoldersIn(options_.folder).empty();
}

void Clips::Sweep(std::int64_t now_ms, const std::set<std::string>& games) {
  const std::lock_guard lock(mutex_);
  std::string problem;
  const auto remove = [&](const fs::path& folder) {
    std::error_code error;
    fs::remove_all(folder, error);
    if (error)
      problem = absl::StrCat(folder.string(), " cannot be deleted (", error.message(), ")");
  };
  const std::int64_t oldest_ms =
      now_ms - std::chrono::milliseconds(std::chrono::hours(24)).count() * options_.days;
  for (const fs::path& game : FoldersIn(options_.folder)) {
    const bool here = wanted() && games.count(game.filename().string()) > 0;
    for (const fs::path& folder : FoldersIn(game)) {
      const auto clip = WordsIn(folder);
      if (!here || !clip || clip->time_ms() < oldest_ms) remove(folder);
    }
    if (FoldersIn(game).empty()) remove(game);
  }
  if (!problem.empty()) spdlog::warn("{}", problem);
}

}  // namespace tilewarden::services
