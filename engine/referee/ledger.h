// The part of the referee that is the log: folding a game's events, oldest
// first, gives exactly this state. Everything the referee concludes goes through
// Fold, live as on restart, so a restarted referee cannot differ.
//
// A value; not thread safe.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/game/figure_kind.h"
#include "engine/referee/order.h"
#include "engine/referee/referee.h"

namespace tilewarden::engine {

// A figure that a completed feature sent home.
struct SentHome {
  std::string colour;
  FigureKind kind = FigureKind::kFollower;
  Cell cell;
  int segment = 0;
  int turn = 0;  // that completed it
};

// People answered that the game is played with a kind of figure, or with a river.
struct PlayedWith {
  FigureKind kind = FigureKind::kFollower;
  std::map<std::string, std::string> before;  // the options that set back what this changed
  int turn = 0;                               // turns played by then
  std::string tiles_before{};                 // the tile set that had no river; else empty
};

class Ledger {
 public:
  // INVALID_ARGUMENT: wrong rules or colours.
  static absl::StatusOr<Ledger> Start(std::shared_ptr<const TileSet> tiles,
                                      const GameStarted& started,
                                      FindTileSet find_tile_set = RefereeOptions().find_tile_set);

  // DATA_LOSS: does not fit; nothing has changed then.
  absl::Status Fold(const Event& event);

  const std::shared_ptr<const TileSet>& tiles() const { return tiles_; }
  const Rules& rules() const { return rules_; }
  // Null until the start tile lies.
  const Game* game() const { return game_ ? &*game_ : nullptr; }
  const std::vector<Finding>& findings() const { return findings_; }
  const std::vector<Question>& questions() const { return questions_; }
  std::uint32_t next_question_id() const { return next_question_id_; }
  // Whether this turn's tile was asked about before.
  bool Asked(Cell cell) const { return asked_.contains(cell); }
  // Which tile lies there was asked: nothing else about its turn.
  bool AskedWhichTile(Cell cell) const { return asked_tiles_.contains(cell); }
  // Whether the game is played with this kind was asked before.
  bool AskedIfPlayedWith(FigureKind kind) const { return asked_kinds_.contains(kind); }
  bool AskedAboutRiver() const { return asked_river_; }
  // Such answers that changed the rules, oldest first.
  const std::vector<PlayedWith>& played_with() const { return played_with_; }
  // The last one; null: there is none, or a turn was played since.
  const PlayedWith* LastPlayedWith() const;
  // Claims whose player is not known yet, by the tile they are on.
  const std::map<Cell, Deployment>& pending_claims() const { return pending_claims_; }
  std::uint32_t next_finding_id() const { return next_finding_id_; }
  const std::vector<PointsChanged>& points_by_hand() const { return points_by_hand_; }
  bool ended() const { return ended_; }
  // What people changed since: each is scored anew.
  int corrected_after_end() const { return corrected_after_end_; }
  const std::vector<ScoreItem>& final_items() const { return final_items_; }
  // Who plays, as far as the game was told when it was made.
  const std::vector<std::string>& colours() const { return colours_; }
  // The game was already under way, and starts from the board as it is found.
  bool joined() const { return joined_; }
  // That board, once it was seen: Game::Found.
  const std::vector<Turn>& found() const { return found_; }
  // All that play were told when the game was made.
  bool players_given() const { return !colours_.empty(); }
  const TurnOrder& order() const { return order_; }
  const std::vector<SentHome>& sent_home() const { return sent_home_; }
  // How many figures of all kinds lie beside the board for this player, after 0 turns, 1 turn and
  // so on.
  const std::vector<int>& SuppliesOf(int player) const {
    return supplies_[static_cast<std::size_t>(player)];
  }
  // Tiles that a person laid or corrected: the camera does not contradict a person.
  bool SetByHand(Cell cell) const { return set_by_hand_.contains(cell); }
  // A person said which tile this is, and maybe nothing of what stands on it.
  bool TileByHand(Cell cell) const { return SetByHand(cell) || answered_tiles_.contains(cell); }
  // A person said what stands on this tile.
  bool FigureByHand(Cell cell) const { return SetByHand(cell) || answered_.contains(cell); }
  // A claim on this tile was concluded, not seen, and nobody has said that it was so. It is of
  // whoever laid the tile.
  bool Concluded(Cell cell) const { return concluded_.contains(cell) && !FigureByHand(cell); }
  // The evidence of whose turn each turn was: the player of its figure, or -1.
  std::vector<int> EvidenceOf(const std::vector<Turn>& turns) const;
  // What such evidence tells of the order of play.
  TurnOrder OrderOf(const std::vector<int>& evidence) const;
  // By turn: the same player takes the next one too.
  const std::vector<bool>& extra_turns() const { return extra_turns_; }
  // The turn that a person took back last on this cell, if it lies there still
  // as far as the log knows.
  const std::map<Cell, Placement>& taken_back() const { return taken_back_; }

  // The game as if these had been its turns. Nothing if one is not legal; then
  // `refusal` says why and `at` which one, from 0.
  std::optional<Game> Replay(const std::vector<Turn>& turns, Refusal* refusal = nullptr,
                             int* at = nullptr) const;
  // The game before its first turn, as if it had been played by these rules.
  Game BeginBy(const Rules& rules) const;

 private:
  absl::Status Take(const GameStarted&);
  absl::Status Take(const StartTileLaid& laid);
  absl::Status Take(const BoardFound& board);
  absl::Status Take(const PlayerJoined& joined);
  absl::Status Take(const PlayersArranged& arranged);
  absl::Status Take(const ClaimPending& claim);
  absl::Status Take(const QuestionAsked& asked);
  absl::Status Take(const QuestionClosed& closed);
  absl::Status Take(const TurnPlayed& played);
  absl::Status Take(const TurnsRevised& revised);
  absl::Status Take(const FindingRaised& raised);
  absl::Status Take(const FindingCleared& cleared);
  absl::Status Take(const PointsChanged& changed);
  absl::Status Take(const GameEnded& over);
  absl::Status Take(const RulesChanged& changed);
  absl::Status TakeTiles(const RulesChanged& changed);
  // What open questions say of a turn goes where its figures of nobody go by now.
  void TakeOverWays(const Turn& turn);
  std::vector<std::string> ColoursOfPlayers() const;
  // The game of these players before its first turn, and after these.
  Game Begin(std::vector<std::string> colours, const Rules& rules) const;
  std::optional<Game> ReplayWith(std::vector<std::string> colours, const std::vector<Turn>& turns,
                                 Refusal* refusal = nullptr, int* at = nullptr) const;
  void TurnsChanged();

  std::shared_ptr<const TileSet> tiles_;
  FindTileSet find_tile_set_;
  Rules rules_;
  std::vector<std::string> colours_;  // as given
  bool joined_ = false;
  bool start_laid_by_hand_ = false;
  int start_rotation_ = 0;
  std::vector<Turn> found_;
  std::optional<Game> game_;
  TurnOrder order_;
  std::vector<SentHome> sent_home_;
  std::vector<std::vector<int>> supplies_;  // by player
  std::map<Cell, bool> set_by_hand_;
  std::map<Cell, Placement> taken_back_;
  std::vector<Finding> findings_;
  std::uint32_t next_finding_id_ = 1;
  std::vector<Question> questions_;
  std::uint32_t next_question_id_ = 1;
  std::set<Cell> asked_, answered_, concluded_;
  std::set<Cell> asked_tiles_, answered_tiles_;  // which tile lies there
  std::set<FigureKind> asked_kinds_;
  bool asked_river_ = false;
  std::vector<PlayedWith> played_with_;  // oldest first
  std::map<Cell, Deployment> pending_claims_;
  std::vector<bool> extra_turns_;
  std::vector<PointsChanged> points_by_hand_;
  bool ended_ = false;
  int corrected_after_end_ = 0;
  std::vector<ScoreItem> final_items_;
};

}  // namespace tilewarden::engine
