#include "vision/options.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace tilewarden::vision {

absl::Status Options::Check() const {
  for (const std::string& colour : colours) {
    const bool word =
        !colour.empty() && std::all_of(colour.begin(), colour.end(),
                                       [](unsigned char c) { return std::islower(c) != 0; });
    if (!word) {
      return absl::InvalidArgumentError(
          absl::StrCat("colours: '", colour, "' is not the name of a colour"));
    }
  }
  std::error_code error;
  if (!debug_folder.empty() && !std::filesystem::is_directory(debug_folder, error)) {
    return absl::InvalidArgumentError(
        absl::StrCat("debug_folder: ", debug_folder, " is not a folder"));
  }
  return absl::OkStatus();
}

}  // namespace tilewarden::vision
