// The last numbers that were acknowledged, kept apart from the log: SQLite takes a damaged
// write-ahead log for one that ends earlier and says nothing, so that changes would be gone without
// a word. A small file of lines; written after a change is on the disk and before anybody hears of
// it, emptied once everything lies in the log's own file.
//
// For one thread at a time. Blocks on the disk for microseconds: it is not brought to it, because
// what a power cut takes from it is on the disk in the log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tilewarden::services {

class ToldNumbers {
 public:
  ToldNumbers() = default;
  ToldNumbers(const ToldNumbers&) = delete;
  ToldNumbers& operator=(const ToldNumbers&) = delete;
  ~ToldNumbers();

  // Opens the file, or makes it, and returns the last number of each game in it. Without it (a full
  // disk) nothing is kept.
  std::map<std::string, std::uint64_t> Open(const std::filesystem::path& file);
  // Game and number; 0: the game was deleted.
  void Add(const std::vector<std::pair<std::string, std::uint64_t>>& told);
  void Clear();

 private:
  int file_ = -1;
};

}  // namespace tilewarden::services
