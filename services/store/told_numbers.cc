#include "services/store/told_numbers.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "services/base/whole_file.h"
#include "services/store/log_checksum.h"

namespace tilewarden::services {
namespace {

// "3f2a... 17 game-id": a line that is torn or altered says nothing.
std::string Line(const std::string& game, std::uint64_t number) {
  const std::string text = absl::StrCat(number, " ", game);
  return absl::StrCat(absl::Hex(static_cast<std::uint64_t>(Checksum(text)), absl::kZeroPad16), " ",
                      text, "\n");
}

}  // namespace

ToldNumbers::~ToldNumbers() {
  if (file_ >= 0) close(file_);
}

std::map<std::string, std::uint64_t> ToldNumbers::Open(const std::filesystem::path& file) {
  std::map<std::string, std::uint64_t> last;
  std::istringstream lines(ReadFile(file).value_or(""));
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream words(line);
    std::string checksum, game;
    std::uint64_t number = 0;
    if (!(words >> checksum >> number >> game) || Line(game, number) != line + "\n") continue;
    if (number == 0) {
      last.erase(game);  // it was deleted
    } else {
      last[game] = std::max(last[game], number);
    }
  }
  file_ = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, S_IRUSR | S_IWUSR);
  return last;
}

void ToldNumbers::Add(const std::vector<std::pair<std::string, std::uint64_t>>& told) {
  if (file_ < 0 || told.empty()) return;
  std::string lines;
  for (const auto& [game, number] : told) lines += Line(game, number);
  // If it cannot be written, a loss may go untold; the change itself is safe.
  if (write(file_, lines.data(), lines.size()) < 0) return;
}

void ToldNumbers::Clear() {
  if (file_ >= 0 && ftruncate(file_, 0) != 0) return;
}

}  // namespace tilewarden::services
