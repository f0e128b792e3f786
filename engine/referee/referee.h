// The referee: from what the camera saw to a game that is right, and a fair
// word when it is not. Takes sightings and commands, holds the game, and says
// what it concluded as events. Probabilities and rules meet here and only here.
//
// Deterministic: the same inputs in the same order give the same events. Not
// thread safe. Never blocks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/game/game.h"
#include "engine/referee/sighting.h"

namespace tilewarden::engine {

enum class Severity { kNote, kWarning, kIllegal };

// A marker on the score track that does not show its player's points.
struct MarkerAstray {
  std::string colour;
  int field = 0;   // that it is on
  int points = 0;  // that it should show
};

struct Finding {
  std::uint32_t id = 0;
  std::string code;  // edge-mismatch, not-adjacent, feature-occupied, two-tiles,
                     // figure-not-returned, figure-taken-early, tile-moved, ...
  Severity severity = Severity::kWarning;
  std::vector<Cell> cells;
  std::string text;  // one sentence that says how to put it right
  // The tile as it lies, where the game does not accept it.
  std::optional<Placement> placement;
  std::string tile;
  std::optional<MarkerAstray> marker;
};

// Asked where what was seen leaves more than one story with real probability.
// The game goes on with the first answer until somebody answers.
struct Question {
  std::uint32_t id = 0;
  std::string text;  // one short sentence
  std::vector<Cell> cells;
  struct Answer {
    std::string text;         // a few words
    std::vector<Cell> cells;  // to show with it
    Turn turn;                // the whole turn, if it was so
    double probability = 0;
    // With a river: the tiles that the game is played with from its beginning on.
    std::string tile_set{};
  };
  std::vector<Answer>
      answers;  // two or three, most likely first; of the Ark's editions and of rivers four
  // Asks for each player's points when the game was joined: they are entered with
  // ChangePoints, and the only answer, without a turn, says that all are.
  bool points_so_far = false;
  // What hangs on the answer: by so many points a player's total may differ, as if the game ended
  // now. 0: none that are known of yet.
  int points_at_stake = 0;
  // The table was cleared: the first answer ends the game, the second says that it goes on.
  bool table_cleared = false;
  // A figure that the rules do not have seems to stand on the board: each answer but the last gives
  // the game a rule for it from the beginning on (OptionsThatBring), the last leaves the rules as
  // they are.
  std::optional<FigureKind> playing_with;
  // Which tile lies there: no look tells for sure. An answer gives the turn that tile; what stands
  // on it is as the game has it then.
  bool which_tile = false;
  // Whether a figure that no look shows any more was taken back before what it stood on scored.
  bool figure_taken = false;

  // A river's tile lies on the table, and the game has none: the answers but the last are its tiles
  // with each river that it may be, the last leaves them as they are.
  bool OfARiver() const { return !answers.empty() && !answers.front().tile_set.empty(); }
  // What happened in a turn; else its answers have none.
  bool OfATurn() const { return !points_so_far && !table_cleared && !playing_with && !OfARiver(); }
};

// What the referee concluded. Folding a game's events, oldest first, gives its
// state (Referee::Restore): the log is the game.
struct GameStarted {
  std::string tile_set;
  std::map<std::string, std::string> rules;
  std::vector<std::string> colours;  // in turn order; may be empty
  // False until the start tile has been seen.
  bool start_tile_laid = false;
  // The game is already under way: the board is taken as it is first seen (BoardFound).
  bool joined = false;
};
struct StartTileLaid {
  int rotation = 0;
};
// Why turns that were taken down already, or a board that was found, are told again.
// The sentence beside it (`reason`) is for people: nothing reads a meaning out of it.
enum class RevisionCause : std::uint8_t {
  kObserved,         // what the camera shows, or the order of play, tells it now
  kClaimConcluded,   // by a hand that came back, or by the supply: concluded, not seen
  kCorrectedByHand,  // the camera does not contradict a person
  kTakenBackByHand,
  kAnswered,  // a player answered a question
};
// The board that a game goes on from that was joined in the middle: as Game::AsFound
// takes it, players as indices into `colours`, which are all who are known by now.
// Told again, whole, when one of its tiles or figures was read better or corrected.
struct BoardFound {
  std::vector<std::string> colours;
  std::vector<Turn> tiles;
  std::string reason;                  // why it was told again; else empty
  std::optional<RevisionCause> cause;  // likewise
};
struct PlayerJoined {
  std::string colour;
  int position = 0;  // in the turn order
};
// The players as they are known now: a colour that was misread and never played
// is gone, and all sit in the order of play.
struct PlayersArranged {
  std::vector<std::string> colours;
};
struct TurnPlayed {
  // Turn::player is an index in the order of the moment; -1: a player whose
  // colour nobody has seen yet, filled in by a TurnRevised once known.
  Turn turn;
  bool inferred = false;  // the deployment was concluded, not seen
  bool by_hand = false;   // a person entered it: the camera does not contradict
  Outcome outcome;        // told, not folded: applying the turn gives it again
};
// A turn already taken down was different (a figure set after it, a correction):
// turns from `number` on are replaced by these.
struct TurnsRevised {
  int number = 0;  // from 1
  std::vector<Turn> turns;
  std::string reason;
  RevisionCause cause = RevisionCause::kObserved;
};
// A claim was concluded on this tile, by whoever laid it: it becomes part of the
// turn once the mover is known.
struct ClaimPending {
  Cell cell;
  Deployment deployment;
};
struct QuestionAsked {
  Question question;
};
// Answered by a person, or (answer -1) no longer worth asking.
struct QuestionClosed {
  std::uint32_t id = 0;
  int answer = -1;
};
struct FindingRaised {
  Finding finding;
};
struct FindingCleared {
  std::uint32_t id = 0;
};
struct GameEnded {
  std::vector<ScoreItem> final_items;
};
// A person gave or took points that the turns do not explain. They stand beside
// the turns, whatever becomes of those.
struct PointsChanged {
  std::string colour;
  int points = 0;      // added; below 0: taken away
  std::string reason;  // as that person put it
  int turn = 0;        // turns played by then
};
// People answered that the game is played with this kind of figure, or with a river, or took that
// answer back.
struct RulesChanged {
  FigureKind playing_with = FigureKind::kFollower;
  // Options as they are from the game's beginning on, those alone that differ from before.
  std::map<std::string, std::string> rules;
  std::string reason;  // for people
  bool taken_back = false;
  // By these rules the turns are these from `number` on (from 1). 0: they are as they were.
  int number = 0;
  std::vector<Turn> turns{};
  // Not empty: it was about a river, and the tiles are these from the beginning on. No turn was
  // played yet; the game waits for its start tile again.
  std::string tile_set{};
};
using Event = std::variant<GameStarted, StartTileLaid, PlayerJoined, TurnPlayed, TurnsRevised,
                           FindingRaised, FindingCleared, GameEnded, PlayersArranged, ClaimPending,
                           QuestionAsked, QuestionClosed, PointsChanged, BoardFound, RulesChanged>;

// Finds a tile set by its id; errors as TileSet::Load.
using FindTileSet =
    std::function<absl::StatusOr<std::shared_ptr<const TileSet>>(const std::string& id)>;

struct RefereeOptions {
  // Tile candidates below this are not believed without the rules' help.
  double tile_certainty = 0.5;
  // Figures below this are not believed.
  double figure_certainty = 0.5;
  // Where the tiles of a river come from that people turn out to play with.
  FindTileSet find_tile_set = [](const std::string& id) { return TileSet::Load(id); };
};

// What it knows and remembers (judging/mind.h).
struct Mind;

class Referee {
 public:
  // A new game. Its first event (GameStarted) is returned by TakeStartEvents.
  // With an empty colour list players are known by the colours that appear.
  // `lay_start_tile` false waits until the start tile is seen.
  static absl::StatusOr<Referee> Create(std::shared_ptr<const TileSet> tiles, Rules rules,
                                        std::vector<std::string> colours, bool lay_start_tile,
                                        std::vector<Event>* events, RefereeOptions options = {});
  // A game that is already under way: the first board that is seen whole is taken as it
  // lies, with its figures, and a question asks for the points so far. Whose turn it
  // is cannot be seen: the first figure after that tells. Tiles that were set aside
  // before are not known. INVALID_ARGUMENT: as Create; also with the Ark or the
  // Gingerbread Man, whose ways nobody saw, and where the table's edge counts, which
  // is agreed on from the start tile.
  static absl::StatusOr<Referee> Join(std::shared_ptr<const TileSet> tiles, Rules rules,
                                      std::vector<std::string> colours, std::vector<Event>* events,
                                      RefereeOptions options = {});
  // The referee as it was after these events. DATA_LOSS: they do not fit
  // together; the message says at which one.
  static absl::StatusOr<Referee> Restore(std::shared_ptr<const TileSet> tiles,
                                         const std::vector<Event>& events,
                                         RefereeOptions options = {});
  // Takes one more event of a log as it happened; Restore is this for each
  // event after the first. DATA_LOSS as Restore; the referee is then unchanged.
  absl::Status Fold(const Event& event);

  Referee(Referee&&) noexcept;
  Referee& operator=(Referee&&) noexcept;
  ~Referee();

  // Judges one sighting. The same sequence number twice changes nothing.
  std::vector<Event> Observe(const Sighting& sighting);

  // By hand. A refusal leaves everything untouched.
  std::variant<std::vector<Event>, Refusal> PlayTurn(const Turn& turn);
  // Number 0: what was found on this turn's cell when the game was joined. A game that has
  // ended can be put right, too: it is scored anew.
  std::variant<std::vector<Event>, Refusal> CorrectTurn(int number, const Turn& turn);
  // Takes back the last turn; before it an answer since that changed the rules, which is asked
  // again. Empty: there is nothing to undo.
  std::vector<Event> UndoTurn();
  std::vector<Event> End();
  // The answer with this index is what happened: applied to the past, and what
  // follows is judged again.
  std::variant<std::vector<Event>, Refusal> Answer(std::uint32_t question, int answer);

  // Points for this colour besides those of its turns, also after the end. A refusal: nobody
  // plays it, or there is nothing to change.
  std::variant<std::vector<Event>, Refusal> ChangePoints(const std::string& colour, int points,
                                                         const std::string& reason);

  // As they are now, from the game's beginning on.
  const Rules& rules() const;
  const std::shared_ptr<const TileSet>& tile_set() const;
  // UndoTurn takes back the answer that the game is played with this kind, or with a river.
  // Neither: the last turn.
  std::optional<FigureKind> undo_playing_with() const;
  bool undo_river() const;
  // Null until the start tile lies, or the board was found.
  const Game* game() const;
  // By hand, oldest first. Not part of the game's own scores.
  const std::vector<PointsChanged>& points_by_hand() const;
  // Open findings, oldest first.
  const std::vector<Finding>& findings() const;
  // Open questions, oldest first.
  const std::vector<Question>& questions() const;
  // Index of the player whose turn it is; -1 while nobody can know.
  int to_move() const;
  bool ended() const;
  // What people changed after that.
  int corrected_after_end() const;
  // Final items once ended.
  const std::vector<ScoreItem>& final_items() const;
  // What settled looks made of the tile on this cell of the board, most likely
  // first, the probabilities adding up to 1. Empty: nothing was seen there since
  // the referee was made, or a person has put the cell right.
  std::vector<TileCandidate> Readings(Cell cell) const;
  // How the lattice of the last sighting lies on the board. Nothing while that is
  // not known.
  std::optional<BoardFromLattice> alignment() const;

 private:
  explicit Referee(std::unique_ptr<Mind> mind);
  static absl::StatusOr<Referee> Start(std::shared_ptr<const TileSet> tiles, GameStarted started,
                                       std::vector<Event>* events, RefereeOptions options);
  std::unique_ptr<Mind> mind_;
};

}  // namespace tilewarden::engine
