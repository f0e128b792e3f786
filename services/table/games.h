// The games of one store.
//
// Thread safe. Blocks on the disk where it opens or creates a game.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "services/store/disk_room.h"
#include "services/table/table.h"
#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

// What people call games and players, in bytes.
inline constexpr std::size_t kLongestName = 160;

// The games of one store: opens them when they are asked for.
class Games {
 public:
  // `own_tiles`: the owner's tile file. `room`: of the folder that the store is in.
  // `clips`: those of disputed turns.
  Games(Store* store, std::filesystem::path own_tiles, DiskRoom room = {},
        Clips::Options clips = {})
      : store_(store),
        tile_sets_(std::move(own_tiles)),
        room_(std::move(room)),
        clips_(std::move(clips)) {}

  // Errors as the CreateGame RPC.
  absl::StatusOr<std::shared_ptr<Table>> Create(const v1::CreateGameRequest& request,
                                                const RequestKey& key);
  // The same for a request that may be repeated: the first answer again.
  absl::Status CreateOnce(const v1::CreateGameRequest& request, v1::CreateGameResponse* response);
  // Empty: the newest game that is not archived. Leads it from now on. NOT_FOUND, DATA_LOSS,
  // LedElsewhere.
  absl::StatusOr<std::shared_ptr<Table>> Find(const std::string& id);
  // Takes a game away for good, with its clips and its viewers. FAILED_PRECONDITION: a camera
  // follows it. NOT_FOUND, LedElsewhere.
  absl::Status Delete(const std::string& id);
  // Takes a person's name out of a game (forgetting.h): true, or false where it does not stand. Who
  // watches the game or reports to it is sent to ask again. DATA_LOSS: its log is damaged.
  // LedElsewhere, UNAVAILABLE.
  absl::StatusOr<bool> Forget(const StoredGame& game, const std::string& name);
  // Gives up the tables that other engine services lead now. Does not block on the
  // database.
  void LeaveThoseLedElsewhere();
  // A game that people have begun and that waits for a camera: told to the camera of the table
  // with this name, or to one of no table, once.
  void Offer(const std::string& game_id, const std::string& name);
  // Whether another game than this one is on offer for the camera of this table; empty: of none.
  bool OffersAnother(const std::string& table, const std::string& than);
  // The newest game on offer for the camera of this table; empty: of none. With it go those
  // offered before. Empty: there is none.
  std::string TakeOffer(const std::string& table);
  // Takes games out of memory that nobody holds, and that nobody asked for in so long;
  // whoever asks for one again has it read from its log. Gives how many.
  std::size_t PutAside(std::chrono::milliseconds unused);
  // The newest game of all, or of those with this name, if it has not ended; else
  // null. Games by hand and archived ones are left out.
  absl::StatusOr<std::shared_ptr<Table>> FindOpen(const std::string& name);
  // That, or a new one.
  absl::StatusOr<std::shared_ptr<Table>> FindOpenOrCreate(const std::string& tile_set,
                                                          const std::string& name);
  // Those in memory.
  std::vector<std::shared_ptr<Table>> open_tables();
  // Tells whoever watches all games of each that comes into memory, before anybody can change
  // it, and whether it begins now; called with a lock held, so it must not call this. Until
  // Unwatch.
  using Opened = std::function<void(const std::shared_ptr<Table>&, bool begun)>;
  void Watch(const void* who, Opened opened);
  void Unwatch(const void* who);
  // The box of the camera that reported last; absent: none did.
  std::optional<v1::RecognisedBox> RecognisedBox();

  // What whoever keeps the games must hear now: what was lost, and that room is scarce.
  std::vector<std::string> Warnings() const;
  Store* store() { return store_; }
  TileSets& tile_sets() { return tile_sets_; }
  const Clips& clips() const { return clips_; }
  // Deletes clips that are too old or of games that are gone. Blocks on the store, if there are
  // any.
  void SweepClips();

 private:
  Store* const store_;
  TileSets tile_sets_;
  const DiskRoom room_;
  Clips clips_;
  std::mutex create_mutex_;
  std::mutex mutex_;
  struct Open {
    std::shared_ptr<Table> table;
    std::chrono::steady_clock::time_point used;
  };
  // With mutex_ held: the table, if it is open in this term, and notes that it is used.
  std::shared_ptr<Table> UseLocked(const std::string& id, std::uint64_t term);
  // With mutex_ held: keeps it in memory, in the place of the one returned.
  std::shared_ptr<Table> KeepLocked(const std::shared_ptr<Table>& table, bool begun);
  // Out of memory, because its log is written anew.
  void PutOut(const std::string& id);

  std::map<std::string, Open> tables_;
  std::uint64_t put_out_ = 0;  // tables, so far: one opened meanwhile may be of an old log
  std::map<const void*, Opened> watchers_;
  struct Offered {
    std::string game_id, name;
  };
  std::vector<Offered> offers_;  // oldest first
};

}  // namespace tilewarden::services
