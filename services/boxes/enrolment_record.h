// What a person is shown of an enrolment and can correct: a small TOML file of
// the tiles found in each picture, read back once it is confirmed.
//
//   format = 1
//   set = "base.c1"
//   [[look]]
//   picture = "look.jpg"
//   checksum = "9a0364b9e99bb480"
//   tiles = [
//     { number = 1, tile = "B.V", corners_px = [[10, 20], [98, 21], [97, 109], [9, 108]] },
//     # unsure, 61 %: or B.U (30 %)
//     { number = 2, tile = "B.V", turns = 1, confirmed = true, corners_px = [...] },
//   ]
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "opencv2/core.hpp"

namespace tilewarden::services {

struct EnrolmentRecord {
  struct Tile {
    int number = 0;    // as drawn in the picture, from 1 over all pictures
    std::string tile;  // code in the set; empty: no tile of it
    // Quarter turns clockwise from canonical; absent: to be found by the program.
    std::optional<int> turns;
    std::array<cv::Point2f, 4> corners_px;
    std::string doubt;       // for a person; one line, empty: none
    bool confirmed = false;  // by a person
  };
  struct Look {
    std::string picture;   // file name, as given
    std::string checksum;  // of its bytes
    std::vector<Tile> tiles;
  };

  std::string tile_set;
  std::vector<Look> looks;

  // NOT_FOUND: no such file. INVALID_ARGUMENT: not such a file; the message names
  // the line and what to do. Names are not compared with the set. Blocks.
  static absl::StatusOr<EnrolmentRecord> Load(const std::filesystem::path& file);
  // `head`: lines for the person who reads it, without comment signs.
  // PERMISSION_DENIED: cannot be written. Blocks.
  absl::Status Save(const std::filesystem::path& file, const std::vector<std::string>& head) const;
};

// Of a file's bytes, as sixteen hexadecimal digits. NOT_FOUND: cannot be read.
absl::StatusOr<std::string> FileChecksum(const std::filesystem::path& file);

}  // namespace tilewarden::services
