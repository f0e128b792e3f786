// One game at its table: the referee, the log and the viewers.
//
//   command or sighting -> referee -> events -> log (on the disk) -> viewers
//
// Thread safe. Changes are made one at a time and block on the disk; a change
// that is not on the disk is neither answered nor shown, and the referee goes
// back to what the log says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/referee/referee.h"
#include "services/base/request_key.h"
#include "services/boxes/tile_sets.h"
#include "services/convert/convert.h"
#include "services/store/store.h"
#include "services/table/camera_view.h"
#include "services/table/clips.h"
#include "services/table/evidence.h"
#include "services/table/fanout.h"
#include "services/table/watch_message.h"

namespace tilewarden::services {

class Table {
 public:
  struct NewGame {
    std::string name;
    engine::Rules rules;
    std::vector<std::string> colours;
    std::map<std::string, std::string> names;  // by colour
    bool lay_start_tile = false;
    bool begun = false;    // by others: the board is taken as it lies
    bool by_hand = false;  // no camera follows it
  };
  // Starts a game and logs its beginning.
  // `tile_sets` outlives it: people may turn out to play with a river.
  static absl::StatusOr<std::shared_ptr<Table>> Create(Store* store, TileSets* tile_sets,
                                                       std::shared_ptr<const TileArt> art,
                                                       const NewGame& game, const RequestKey& key);
  // The game as its log tells it, led in this term of Store::Lead. NOT_FOUND, DATA_LOSS.
  static absl::StatusOr<std::shared_ptr<Table>> Open(Store* store, TileSets* tile_sets,
                                                     const std::string& game_id,
                                                     std::uint64_t term);

  const std::string& id() const { return header_.id; }
  // The name that it began with, by which cameras and topics know the table; may be empty.
  const std::string& table_name() const { return header_.table; }
  // Milliseconds since 1970.
  std::int64_t created_ms() const { return created_ms_; }
  // The tiles it is played with.
  std::shared_ptr<const TileArt> art();
  std::uint64_t term() const { return term_; }
  // UNAVAILABLE: the log could not be read again after a failure.
  absl::StatusOr<v1::GameState> State();

  // Another engine service leads the game now, or will: whatever is asked from here
  // on is answered with this, and the viewers are told to leave.
  void Leave(const absl::Status& why);
  // Why, if it has happened; else OK.
  absl::Status left();

  // What a command did: the first of its events, or the refusal.
  using Judgement = std::variant<std::vector<engine::Event>, engine::Refusal>;
  using Judge = std::function<absl::StatusOr<Judgement>(engine::Referee&)>;
  // Makes the serialised answer from the events told (or the refusal).
  struct Told {
    std::vector<v1::GameEvent> events;
    std::optional<engine::Refusal> refusal;
  };
  using Answer = std::function<std::string(Table&, const Told&)>;
  // Judges, logs, answers, tells. Returns the serialised answer.
  absl::StatusOr<std::string> Command(const RequestKey& key, const Judge& judge,
                                      const Answer& answer);
  // What people say of the game besides play, as a record for the log; none: nothing would change.
  using Remarking = std::function<absl::StatusOr<std::optional<v1::LogRecord>>(
      const GameHeader& header, std::int64_t now_ms)>;
  // Makes the serialised answer from the summary after it.
  using RemarkAnswer = std::function<std::string(const v1::GameSummary& summary)>;
  // Logs, answers, tells. Returns the serialised answer.
  absl::StatusOr<std::string> Remark(const RequestKey& key, const Remarking& remark,
                                     const RemarkAnswer& answer);
  // For an Answer: the state with the events just told.
  v1::GameState StateWhileAnswering() const;

  // Shows the game to `ask`, which must not keep what it is given; nothing changes.
  using Asking = std::function<absl::Status(const engine::Referee&, const TileArt&)>;
  absl::Status Ask(const Asking& ask);
  // What a command would lead to: judged by a referee made from the log, and
  // forgotten again.
  absl::StatusOr<std::variant<v1::GameState, engine::Refusal>> Preview(const Judge& judge);

  // Judges a sighting. False: it was judged before. FAILED_PRECONDITION: the
  // game has ended.
  absl::StatusOr<bool> Observe(const std::string& session, engine::Sighting sighting);
  bool ended();
  // It goes on, and a camera's stream is open.
  bool followed() { return camera_.followed() && !ended(); }
  // How the lattice of the sighting just observed lies on the board.
  std::optional<engine::BoardFromLattice> Alignment();
  CameraView& camera() { return camera_; }
  const Evidence& evidence() const { return evidence_; }
  // What the camera saw, after it was judged: for the pictures of what is open, and their clips.
  void Saw(const v1::Sighting& sighting, const std::optional<engine::BoardFromLattice>& lies);
  // Where the clips of its disputed turns are kept. To be called before others know the table.
  void KeepClipsIn(Clips* clips) { clips_ = clips; }

  using Cursor = services::Cursor;
  using Message = std::shared_ptr<const WatchMessage>;
  // The state as it was last told. Does not wait while a change is brought to the disk, unless
  // nobody has asked since the change before. Errors as State.
  absl::StatusOr<Message> StateTold();
  // The next message for a viewer, and moves its cursor; null: nothing new, or
  // nothing certain while the log cannot be read. A
  // cursor older than what is kept gets the state.
  Message Next(Cursor* cursor);
  // The game's summary, if it is newer than what the viewer has, and moves its cursor.
  Message NextSummary(Cursor* cursor);
  std::uint64_t last_number() const { return fanout_.last_number(); }
  // The events that follow this one are kept for viewers that come back.
  bool Keeps(std::uint64_t number) const { return fanout_.Keeps(number); }

  void AddViewer(const std::shared_ptr<Viewer>& viewer) { fanout_.AddViewer(viewer); }
  std::vector<std::shared_ptr<Viewer>> viewers() const { return fanout_.viewers(); }

 private:
  Table(Store* store, TileSets* tile_sets, std::shared_ptr<const TileArt> art, std::uint64_t term);

  // An entry of the log and the event of play that it holds; none: a remark. `art`: of the tiles
  // before it, and then after it. DATA_LOSS.
  absl::StatusOr<std::optional<engine::Event>> EventOf(const LogEntry& entry, v1::LogRecord* record,
                                                       std::shared_ptr<const TileArt>* art) const;
  engine::RefereeOptions Judging() const { return JudgingWith(tile_sets_, *begun_with_); }
  // False: the record is no remark.
  bool TakeRemarkLocked(const v1::LogRecord& record, std::int64_t time_ms);
  // What viewers are told of a remark: the state, without a reason.
  v1::GameEvent RemarkEventLocked(std::uint64_t number, std::int64_t time_ms) const;
  absl::Status RestoreLocked();
  // Whether the game is as its log says, after another try if it was not.
  absl::Status ReadyLocked();
  absl::Status LogLocked(const std::vector<engine::Event>& events, const RequestKey& key,
                         std::optional<engine::Refusal> refusal, const Answer& answer,
                         std::string* answered);
  // The last one made, if it is the state that was last told; else null.
  Message StateAtHand(std::uint64_t* number);
  Message MakeStateLocked();
  void ForgetState();
  v1::GameSummary SummaryLocked() const;
  void TellSummary(v1::GameSummary summary);
  // Other findings and questions may be open now.
  void FollowOpenLocked();
  // Of what has just got its pictures.
  void KeepClip(Matter matter);
  void SettleClipsLocked(const std::vector<engine::Event>& events, bool by_hand);
  // What people call the game and its players, and the owner's tiles, for the log.
  void CompleteStartLocked(v1::LoggedStart* start) const;

  Store* const store_;
  TileSets* const tile_sets_;
  const std::shared_ptr<const TileArt> begun_with_;
  const std::uint64_t term_;
  GameHeader header_;
  std::int64_t created_ms_ = 0;

  // Held while something changes; never together with a viewer's own lock
  // taken after it.
  std::mutex change_mutex_;
  std::shared_ptr<const TileArt> art_;
  std::optional<engine::Referee> referee_;  // judges
  std::optional<engine::Referee> told_;     // has each event of the log as it is told
  std::uint64_t logged_ = 0;                // number of the last event in the log
  std::string session_;                     // the camera's, and its last sighting judged
  std::uint64_t sequence_ = 0;
  std::uint64_t observed_ = 0;
  absl::Status broken_;  // not OK: the log could not be read again
  absl::Status left_;    // not OK: this table is given up

  CameraView camera_;
  Evidence evidence_;
  Clips* clips_ = nullptr;  // null: none are kept

  std::mutex state_mutex_;  // taken last
  Message state_;           // as of this event
  std::uint64_t state_number_ = 0;
  Message summary_;
  std::uint64_t summary_number_ = 0;
  Fanout<WatchMessage> fanout_;
};

}  // namespace tilewarden::services
