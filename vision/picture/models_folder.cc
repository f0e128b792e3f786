#include "vision/picture/models_folder.h"

#include <cstdlib>
#include <system_error>

namespace tilewarden::vision {

std::filesystem::path ModelsFolder() {
  if (const char* folder = std::getenv("TILEWARDEN_MODELS"); folder != nullptr && *folder != 0) {
    return folder;
  }
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (!error) {
    const auto installed = program.parent_path().parent_path() / "share" / "tilewarden" / "models";
    if (std::filesystem::is_directory(installed, error)) return installed;
  }
  return TILEWARDEN_SOURCE_MODELS;
}

}  // namespace tilewarden::vision
