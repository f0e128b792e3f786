#include "services/base/whole_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "services/base/secrets.h"

namespace tilewarden::services {

std::optional<std::string> ReadFile(const std::filesystem::path& file) {
  std::error_code error;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, error)) return std::nullopt;
  std::string text((std::istreambuf_iterator<char>(in)), {});
  if (in.bad()) return std::nullopt;
  return text;
}

absl::Status WritePrivateFile(const std::filesystem::path& file, std::string_view text,
                              IfThere if_there) {
  const std::string made = absl::StrCat(file.string(), ".", RandomSymbols(8));
  const int handle = open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
  bool kept = handle >= 0 &&
              write(handle, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
              fsync(handle) == 0;
  if (handle >= 0) close(handle);
  if (if_there == IfThere::kReplace) {
    kept = kept && rename(made.c_str(), file.c_str()) == 0;
  } else {
    kept = kept && (link(made.c_str(), file.c_str()) == 0 || errno == EEXIST);
  }
  const int error = errno;
  unlink(made.c_str());
  if (kept) return absl::OkStatus();
  return absl::UnavailableError(absl::StrCat(file.string(), " cannot be written (",
                                             std::system_category().message(error), ")"));
}

}  // namespace tilewarden::services
