#include "services/base/folders.h"

#include <cstdlib>
#include <system_error>

namespace tilewarden::services {
namespace {

// The value of an environment variable; empty when it is not set.
std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path ThisProgram() {
  std::error_code error;
  return std::filesystem::read_symlink("/proc/self/exe", error);
}

std::filesystem::path DefaultDataFolder() {
  if (const auto home = Environment("XDG_DATA_HOME"); !home.empty()) {
    return std::filesystem::path(home) / "tilewarden";
  }
  const auto home = Environment("HOME");
  return std::filesystem::path(home.empty() ? "." : home) / ".local/share/tilewarden";
}

std::filesystem::path DefaultPageFolder() {
  std::error_code error;
  for (const std::filesystem::path& folder :
       {std::filesystem::path(Environment("TILEWARDEN_PAGE")),
        ThisProgram().parent_path().parent_path() / "share/tilewarden/page"}) {
    if (!folder.empty() && std::filesystem::is_regular_file(folder / "index.html", error)) {
      return folder;
    }
  }
  return {};
}

std::filesystem::path DefaultRecording() {
  std::error_code error;
  for (const std::filesystem::path& folder :
       {ThisProgram().parent_path().parent_path() / "share/tilewarden/recorded",
        std::filesystem::path(TILEWARDEN_SOURCE_DIR) / "tests/recorded"}) {
    const auto recording = folder / "two_players.mp4";
    if (std::filesystem::is_regular_file(recording, error)) return recording;
  }
  return {};
}

}  // namespace tilewarden::services
