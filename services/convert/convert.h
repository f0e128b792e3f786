// The only place that knows both worlds: the engine's and the camera's values
// on one side, the contract's messages on the other.
//
// ToProto never fails. FromProto checks everything that a stranger may have
// sent; its errors are INVALID_ARGUMENT with a sentence that names the field.
// Pure functions.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "engine/game/game.h"
#include "engine/referee/referee.h"
#include "engine/referee/sighting.h"
#include "services/boxes/tile_sets.h"
#include "services/convert/kinds.h"
#include "tilewarden/v1/game.pb.h"
#include "tilewarden/v1/log.pb.h"
#include "tilewarden/v1/tiles.pb.h"
#include "tilewarden/v1/vision.pb.h"
#include "vision/show/top_view.h"
#include "vision/sighting.h"

namespace tilewarden::services {

// Small words (convert.cc); kinds of figures and segments: kinds.h.
v1::Severity ToProto(engine::Severity severity);
v1::Cell ToProto(engine::Cell cell);
v1::Point ToProto(engine::Point point);
v1::PlayingArea ToProto(const engine::PlayingArea& area);
absl::StatusOr<engine::Severity> FromProto(v1::Severity severity);
engine::Cell FromProto(const v1::Cell& cell);
engine::PlayingArea FromProto(const v1::PlayingArea& area);

// Tile sets with what a display needs to draw them, and tiles as owners define
// them (convert_tiles.cc). The engine says whether there can be such a tile.
v1::GetTileSetResponse ToProto(const TileArt& art);
v1::TileType ToProto(const engine::TileType& type, const engine::TileLayout& layout, int count);
v1::TileDefinition ToProto(const engine::TileType& type);
absl::StatusOr<engine::TileType> FromProto(const v1::TileDefinition& definition);

// Sightings (convert_sighting.cc).
v1::Sighting ToProto(const vision::Sighting& sighting);
v1::TopView ToProto(const vision::TopView& view);
absl::StatusOr<engine::Sighting> FromProto(const v1::Sighting& sighting);

// Turns (convert_turn.cc): one function a direction for viewers, one for the log. Every
// field of a turn goes both ways; players are colours for viewers and places in the turn
// order in the log.
absl::Status StartTileNotSeen();
v1::Turn ToProto(const engine::Turn& turn, const engine::Game& game);
// A turn that somebody asked for; an empty colour takes the player to move.
// StartTileNotSeen: there is no game to play it in.
absl::StatusOr<engine::Turn> FromProto(const v1::Turn& turn, const engine::Referee& referee);
// Whether the figure was concluded is the event's to say, not the turn's.
v1::LoggedMove ToLog(const engine::Turn& turn, const engine::TileSet& set);
absl::StatusOr<engine::Turn> FromLog(const v1::LoggedMove& move, const engine::TileSet& set);
v1::Deployment ToProto(const engine::Deployment& deployment);
v1::SegmentPlace ToProto(const engine::Place& place);

// The log's records (convert_log.cc). Errors of FromLog are DATA_LOSS.
v1::LogRecord ToLog(const engine::Event& event, const engine::TileSet& set);
absl::StatusOr<engine::Event> FromLog(const v1::LogRecord& record, const engine::TileSet& set);
// People may turn out to play with a river: the tiles after this event, and how a referee finds
// them. `art`: before it; `begun_with`: as the game began. Errors as TileSets::Get.
absl::StatusOr<std::shared_ptr<const TileArt>> ArtAfter(const engine::Event& event,
                                                        std::shared_ptr<const TileArt> art,
                                                        TileSets* tile_sets);
engine::RefereeOptions JudgingWith(TileSets* tile_sets, const TileArt& begun_with);

// What the services know of a game besides what its referee knows.
// What a hall is told beside play (table/hall_facts.h). Times in milliseconds since 1970.
struct HallFacts {
  v1::GameClock clock;
  std::optional<v1::RefereeCall> call;
  // Something is open that a person must put right or answer; 0: nothing is.
  std::int64_t troubled_since_ms = 0;
  // As of the last event.
  int turns = 0;
  bool playing = false;
  // By the players, so far.
  int calls = 0;
};

struct GameHeader {
  std::string id;
  std::string name;   // that it has now
  std::string table;  // that it began with
  engine::GameStarted started;
  // What people call the players, by colour; who has no name is not in it.
  std::map<std::string, std::string> names;
  // No camera follows it.
  bool by_hand = false;
  bool archived = false;
  HallFacts hall;
};

// Games as displays see them (convert_game.cc).
//
// A state as of the referee; `event_number` is the last event that it holds.
v1::GameState StateToProto(const GameHeader& header, const TileArt& art,
                           const engine::Referee& referee, std::uint64_t event_number);
// An event, given the referee just after it.
v1::GameEvent EventToProto(const GameHeader& header, const TileArt& art, const engine::Event& event,
                           const engine::Referee& after, std::uint64_t number,
                           std::int64_t time_ms);
v1::GameSummary SummaryToProto(const GameHeader& header, const engine::Referee& referee,
                               std::int64_t created_ms);
v1::Refusal ToProto(const engine::Refusal& refusal);

}  // namespace tilewarden::services
