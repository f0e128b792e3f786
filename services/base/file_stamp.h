// Tells whether files are still as they were read, so that what was made of them can
// be kept.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace tilewarden::services {

// What changes when one of some files does: names, sizes, times of change.
class FileStamp {
 public:
  // Of these files; one that is not there counts as such. Blocks on the disk.
  explicit FileStamp(const std::vector<std::filesystem::path>& files);
  // Of all files of a folder.
  static FileStamp OfFolder(const std::filesystem::path& folder);

  bool operator==(const FileStamp& other) const { return files_ == other.files_; }
  // A file that was changed a moment ago may change again under the same stamp.
  bool settled() const { return settled_; }

 private:
  struct File {
    std::filesystem::path path;
    std::uint64_t inode = 0, size = 0;
    std::int64_t changed_s = 0, changed_ns = 0;
    bool operator==(const File&) const = default;
  };
  std::vector<File> files_;
  bool settled_ = true;
};

// A value made of files that had this stamp before they were read.
template <typename Value>
struct Stamped {
  std::optional<FileStamp> stamp;
  std::shared_ptr<const Value> value;

  // It would be the same if it were made now.
  bool Is(const FileStamp& now) const { return stamp && stamp->settled() && *stamp == now; }
};

}  // namespace tilewarden::services
