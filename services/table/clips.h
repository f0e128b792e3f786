// Clips of disputed turns: their two pictures and what was said, on the disk for as many days as
// whoever keeps the games wants.
//
//   DATA/clips/GAME/finding-7/  before.jpg  now.jpg  clip.json
//
// Off unless wanted. QueryService.ListClips alone reads them: no copy of the games, no export and
// nobody who is told of events has anything of them. They know players by their colours only.
// Games come first: where room is scarce no clip is made, and one that cannot be written is left
// out, with a word in the log.
//
// Thread safe. Blocks on the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "services/store/disk_room.h"
#include "services/table/evidence.h"
#include "tilewarden/v1/query.pb.h"

namespace tilewarden::services {

class Clips {
 public:
  struct Options {
    std::filesystem::path folder;  // made with the first clip
    int days = 0;                  // 0: none are kept
    DiskRoom room = {};
  };
  explicit Clips(Options options);

  bool wanted() const { return options_.days > 0; }
  // Keeps a clip of what it is about, with its pictures. If there is one already, that stays; a
  // game has at most a hundred.
  void Keep(const v1::Clip& clip);
  // What came of it, where a clip is kept.
  void Settle(const std::string& game_id, Matter matter, const v1::ClipSettled& settled);

  // Of a game, oldest first, without their pictures.
  std::vector<v1::Clip> List(const std::string& game_id) const;
  // Those that can be read.
  void AddPictures(v1::Clip* clip) const;

  // All of a game. UNAVAILABLE: something is left.
  absl::Status Delete(const std::string& game_id);
  // There is none of any game.
  bool empty() const;
  // Deletes those that are too old, those of other games than these, and what was not finished;
  // all of them where none are wanted.
  void Sweep(std::int64_t now_ms, const std::set<std::string>& games);

 private:
  std::filesystem::path FolderOf(const std::string& game_id, Matter matter) const;

  const Options options_;
  mutable std::mutex mutex_;
  std::string told_;  // the last reason why one was left out
};

}  // namespace tilewarden::services
