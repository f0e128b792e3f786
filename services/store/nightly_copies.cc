#include "services/store/nightly_copies.h"

#include <algorithm>
#include <ctime>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/base/clock.h"
#include "services/store/sqlite_file.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

// A little less, so that whoever plays every evening gets one every evening.
constexpr std::chrono::hours kDay{20};

// "games-2026-11-24-1930.sqlite": by name is by age.
std::string NameAt(std::int64_t now_ms) {
  const auto now = static_cast<std::time_t>(now_ms / 1000);
  std::tm utc{};
  char text[64] = "";
  if (gmtime_r(&now, &utc) != nullptr) {
    std::strftime(text, sizeof text, "games-%Y-%m-%d-%H%M.sqlite", &utc);
  }
  return text;
}

std::vector<fs::path> CopiesIn(const fs::path& folder) {
  std::vector<fs::path> copies;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (absl::StartsWith(name, "games-") && absl::EndsWith(name, ".sqlite")) {
      copies.push_back(it->path());
    }
  }
  std::sort(copies.begin(), copies.end());
  return copies;
}

}  // namespace

std::mutex& CopyingMutex() {
  static std::mutex mutex;
  return mutex;
}

NightlyCopies::NightlyCopies(Options options) : options_(std::move(options)) {
  if (options_.keep > 0) thread_ = std::thread([this] { Run(); });
}

NightlyCopies::~NightlyCopies() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stop_.notify_all();
  if (thread_.joinable()) thread_.join();
}

absl::StatusOr<fs::path> NightlyCopies::CopyIfDue(const Options& options, std::int64_t now_ms) {
  const std::lock_guard copying(CopyingMutex());
  const fs::path folder = options.log.parent_path() / "backups";
  std::error_code error;
  auto copies = CopiesIn(folder);
  if (!copies.empty()) {
    const std::int64_t day_ms = std::chrono::milliseconds(kDay).count();
    if (copies.back().filename().string() > NameAt(now_ms - day_ms)) return fs::path();
    const auto copied = fs::last_write_time(copies.back(), error);
    const auto newest = [&](const char* beside) {
      const auto time = fs::last_write_time(options.log.string() + beside, error);
      return error ? fs::file_time_type::min() : time;
    };
    if (std::max(newest(""), newest("-wal")) < copied) return fs::path();
  }
  if (!fs::exists(options.log, error)) return fs::path();
  fs::create_directories(folder, error);
  fs::permissions(folder, fs::perms::owner_all, error);
  const fs::path made = folder / NameAt(now_ms);
  if (auto status = CopySqliteFile(options.log, made); !status.ok()) return status;
  copies.push_back(made);
  while (copies.size() > static_cast<std::size_t>(options.keep)) {
    fs::remove(copies.front(), error);
    copies.erase(copies.begin());
  }
  return made;
}

void NightlyCopies::Run() {
  std::unique_lock lock(mutex_);
  std::string told;
  while (!stop_.wait_for(lock, options_.between, [this] { return stopped_; })) {
    lock.unlock();
    const auto made = CopyIfDue(options_, NowMs());
    lock.lock();
    // Once for each reason.
    const std::string problem(made.ok() ? "" : made.status().message());
    if (problem != told && !problem.empty()) spdlog::error("no copy of the games: {}", problem);
    told = problem;
  }
}

}  // namespace tilewarden::services
