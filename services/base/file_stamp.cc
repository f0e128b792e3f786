#include "services/base/file_stamp.h"

#include <sys/stat.h>

#include <algorithm>
#include <ctime>
#include <system_error>

namespace tilewarden::services {

FileStamp::FileStamp(const std::vector<std::filesystem::path>& files) {
  // File systems tell times to between 10 ms and 2 s.
  constexpr std::int64_t kMoment_s = 3;
  const std::int64_t now_s = std::time(nullptr);
  for (const std::filesystem::path& path : files) {
    File& file = files_.emplace_back();
    file.path = path;
    struct stat about = {};
    if (stat(path.c_str(), &about) != 0) continue;
    file.inode = about.st_ino;
    file.size = static_cast<std::uint64_t>(about.st_size);
    file.changed_s = about.st_ctim.tv_sec;
    file.changed_ns = about.st_ctim.tv_nsec;
    settled_ = settled_ && file.changed_s + kMoment_s <= now_s;
  }
}

FileStamp FileStamp::OfFolder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  return FileStamp(files);
}

}  // namespace tilewarden::services
