// Inside of the referee: the ledger (what the log says), the memory (what the
// camera showed and no conclusion has used up yet), and the steps that Observe
// is made of. The model and its constants stand in referee_model.h.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/referee/ark_hands.h"
#include "engine/referee/batches.h"
#include "engine/referee/claim_memory.h"
#include "engine/referee/conclusions.h"
#include "engine/referee/hands.h"
#include "engine/referee/ledger.h"
#include "engine/referee/look.h"
#include "engine/referee/recent_sightings.h"
#include "engine/referee/referee.h"
#include "engine/referee/score_track.h"
#include "engine/referee/suspicions.h"
#include "engine/referee/tiles_aside.h"
#include "engine/tiles/figure_segments.h"

namespace tilewarden::engine {

// What is remembered of one cell between conclusions.
struct CellMemory {
  // Log likelihood of each reading (tile, rotation), from settled looks.
  std::map<std::pair<int, int>, double> log_evidence;
  int looks = 0;
  // The best that the present reading ever was; a reading that was once clear
  // does not turn into a misreading later.
  double clearest = 0;
  int absent_looks = 0;
  // This referee took the turn from what it saw here: only then can the reading
  // have been wrong from the start.
  bool taken_by_sight = false;
  // Numbers of the sightings that last showed the known tile, and that first and
  // last showed something over the cell.
  std::uint64_t last_right = 0;
  std::uint64_t first_covered = 0;
  std::uint64_t last_covered = 0;
  // Number of the sighting that first showed a tile here; 0: none yet.
  std::uint64_t first_seen = 0;
  // The same of a settled one.
  std::uint64_t first_settled = 0;

  // From sightings with a hand in view, since the last settled look that
  // concluded something about this cell.
  int covered_looks = 0;             // something was over the cell
  std::int64_t covered_from_ms = 0;  // first and last of them
  std::int64_t covered_to_ms = 0;
  // Sightings that showed something over the cell, or the tile beside a hand.
  struct HandView {
    std::uint64_t sighting = 0;
    int coverage = 0;  // covered cells among the nine around this one
    bool laid = false;
    std::vector<TileReading> readings;
  };
  std::vector<HandView> hands;
  bool laid_open = false;      // the tile lay there with nothing over it,
  bool covered_again = false;  // and then something came over it
  std::vector<FigureView> figures;

  void ForgetHands();
};

// How a figure of the game was seen so far, in settled looks.
struct FigureTrack {
  int looks = 0;       // that showed it
  int misses = 0;      // that did not, though later ones showed it again
  int missed_now = 0;  // in a row, up to now
  std::uint64_t last_seen = 0;
  double clearest = 0;              // best share of the segment it is on in the game
  std::vector<double> log_segment;  // by segment
  std::map<std::string, double> log_colour;
  int right_pose = 0;  // looks in which it stood or lay as its segment asks
};

// What the referee thinks a figure on a tile is.
struct FigureChoice {
  std::string colour;
  int player = -1;  // -1: a colour that has not joined yet
  Deployment deployment;
  std::optional<Refusal> refusal;  // not legal there
  double probability = 0;
};

// A board that lies on the table, by its start tile.
struct StartSeen {
  Cell cell;  // in the lattice
  int rotation = 0;
  std::size_t tiles = 0;  // that hang together with it
};
// Every board that lies apart. `start_tile`: the tile that begins; -1: whichever lies
// there first.
std::vector<StartSeen> FindStarts(const Sighting& sighting, const TileSet& tiles, int start_tile,
                                  double certainty);

struct Referee::State {
  State(Ledger book, RefereeOptions tunables);

  bool Emit(Event event);

  // --- referee_observe.cc: the story of one sighting
  std::vector<Event> Observe(const Sighting& sighting);
  KnownBoard Known() const;
  // `number`: of the sighting.
  void Remember(const Look& look, std::uint64_t number);
  void RememberUnplaced(const BoardFromLattice& now);
  void Judge(const Look& look);

  // --- referee_start.cc
  // Starts the game if the start tile lies alone (or with a few tiles laid
  // since the first look).
  bool TryStart(const Sighting& sighting);

  // --- referee_join.cc
  // Goes on from the board as it lies, once two looks agree on it or a hand comes.
  bool TryJoin(const Sighting& sighting);
  // What lies on the board in this look, as Ledger::found; and the colours of those
  // who play: those given, and those of its figures.
  BoardFound ReadBoard(const Look& look) const;
  // Who stands on this tile of the board, if it is clear. Nobody, where the figure's
  // feature is complete: it scored just before, and goes home.
  void PutFigure(Turn* tile, const CellView& view, const Game& board,
                 std::vector<std::string>* colours) const;
  void AskPointsSoFar();
  // What was found on this cell; a turn without a tile where nothing was.
  Turn FoundOn(Cell cell) const;
  // The board with this tile in the place of the one on its cell.
  BoardFound FoundWith(const Turn& tile, std::string reason,
                       RevisionCause cause = RevisionCause::kObserved) const;
  // What was found on this tile's cell was read better, or put right by a person.
  bool SetFound(const Turn& tile, std::string reason);
  bool ReadFoundAgain(Cell cell, const TileReading& reading, const CellView& view);
  std::variant<std::vector<Event>, Refusal> CorrectFound(const Turn& tile);
  // A figure that is not in the game stands on a tile that was found. False: that is
  // no wonder of the joining.
  bool ReviewFound(Cell cell, const FigureView& figure);

  // --- referee_tile_reading.cc
  bool NearBoard(Cell cell) const;
  void AddEvidence(Cell cell, const CellView& view);
  struct Decision {
    enum class Kind { kWait, kLegal, kIllegal } kind = Kind::kWait;
    TileReading reading;  // probability: posterior
    std::optional<Refusal> refusal;
  };
  // Patient: rather waits for more looks where camera and rules disagree.
  Decision Decide(Cell cell, const CellView& view, bool patient);

  // --- referee_known_tiles.cc
  // False: so much differs that the look cannot be of this board.
  bool ReviewBoard(const Look& look);
  bool ReviewLastTile(const Look& look);
  void ReviewTile(const PlacedTile& laid, const Look& look);
  // Weight of a look that shows a change since a sighting: little when the
  // stream shows hands, but none over this cell, or cells within `reach` of it, since then.
  double Touched(Cell cell, std::uint64_t since, int reach = 0) const;
  bool ReadAgain(const PlacedTile& laid, const TileReading& reading, const CellView& view);

  // --- referee_new_tiles.cc
  bool Plays(const std::string& colour, int player) const;
  void TakeNewTiles(const Look& look);
  void AssertIllegal(Cell cell, const Decision& decision);
  void ReviewAside(const Look& look);

  // --- referee_turns.cc
  bool TakeDown(Cell cell, const TileReading& reading, const Look& look, int expected);
  // The turn that laid the tile on this cell.
  Turn TurnAt(Cell cell) const;
  // A tile that was seen before the last turns' tiles, but read after them, was
  // laid before them. The number that its turn should have.
  int NumberByFirstSight(Cell cell) const;
  // Completes a turn with its mover and deployment from all evidence; emits
  // PlayerJoined when the colour is new.
  Turn CompleteTurn(Turn turn, const Game& before, int number, int expected, const CellView& view,
                    bool* inferred);
  // One more look at a figure on this turn's tile that is not in the game.
  void FollowUnplaced(const Turn& turn, const FigureView& figure);
  // There were too few looks at it, with this one.
  bool StillStranger(Cell cell) const;
  int Join(const std::string& colour, int turn_number);
  bool SetTurn(int number, const Turn& turn, std::string reason,
               RevisionCause cause = RevisionCause::kObserved);
  void AmendTurn(int number, const FigureView& figure);
  // A figure stands clearly where the game says it may not. Whether that is so
  // because an earlier figure, doubtful then, was read on the wrong segment: if
  // so, puts that right.
  bool Reconsider(int number, const FigureChoice& choice);
  // The player has none of these figures left: was another one meant by a claim that was
  // concluded, not seen?
  bool ReconsiderKind(int number, const FigureChoice& choice);

  // --- referee_claims.cc
  // A claim that its own turn completes, so that no figure is left to be seen.
  // Claims that pay the same are one story: nothing ever tells them apart.
  struct Claim {
    Deployment deployment;
    int points = 0;  // for the mover
    int ways = 1;    // claims that pay the same with the same kind of figure
  };
  // Those of this turn's mover, the one worth most first.
  std::vector<Claim> ClaimsTakenHome(const Turn& turn, const Game& before) const;
  // Whether a hand came back to the tile after it was laid.
  enum class Visit { kNone, kDoubtful, kLikely, kSure };
  // `neutral_hands`: looks at a hand that set the Gingerbread Man on or beside it.
  Visit HandCameBack(Cell cell, const TileReading& tile, bool others_went_home,
                     int neutral_hands) const;
  void ConcludeClaim(Turn* turn, const Game& before, bool* inferred);
  // Where the order of several turns is open: the same claim by the player after the next.
  void AddNextMover(const Game& before, std::vector<Question::Answer>* answers);
  // A turn was taken down: whether looks showed it come about.
  void CountLooks(const Turn& turn);
  // Tells what was concluded or doubted of the turn with this number.
  void NoteClaim(int number);
  void AmendFromMemory(const Look& look, int number);

  // --- referee_figure_reading.cc
  // The most likely reading of a figure on a tile laid by this turn (its
  // deployment aside) in this game; nothing without likelihood.
  std::optional<FigureChoice> ReadFigure(const FigureView& figure, const Game& before,
                                         const Turn& turn, int expected) const;
  // Likelihood of the foot's place and the pose for each segment, up to a factor:
  // figures stand anywhere on their segment, so a foot on a narrow road speaks
  // for the road more than for the wide field beside it.
  std::vector<double> SegmentLikelihoods(const FigureView& figure, int tile, int rotation) const;

  // That figure stands there in the game.
  bool IsColourOf(const PlacedFigure& known, const FigureView& figure) const;
  // None is seen on this tile, but the figure may be the one that was set there.
  bool MayBelongTo(Cell cell, const FigureView& figure, const Look& look, int amendable_from) const;
  // The look with figures that stand over a seam put on the tile that they were set on.
  Look FiguresOverSeams(const Look& look, int amendable_from) const;

  // --- referee_figures.cc
  void ReviewFigures(const Look& look, int amendable_from);
  void ReviewCellFigures(const PlacedTile& laid, const CellView& view, const Look& look,
                         int amendable_from);
  // One more look at a figure: what its colour looks like.
  void AddLook(FigureTrack* track, const FigureView& figure) const;
  // And on which segment it stands: their shares, which add up to 1.
  static void AddSegments(FigureTrack* track, const std::vector<double>& shares);
  // A known figure as it is seen now.
  void Follow(const PlacedFigure& known, const FigureView& figure, int turn, int amendable_from);
  void Miss(const PlacedFigure& known);
  // A figure that scored and still stands: was it on another segment of its tile,
  // that is not complete? If so, puts that right.
  bool StoodElsewhere(const SentHome& home, const FigureView& figure);
  void ReviewStray(Cell cell, const FigureView& figure, const Look& look);

  // --- referee_order_review.cc
  void FillMovers();
  // Drops colours that nobody played after all, and puts the players in order.
  void ArrangePlayers();
  // Another colour has become likelier for this figure.
  bool RereadColour(const PlacedFigure& known, const FigureTrack& track, int turn);
  // Turns that came up in one look, in whatever order: once the order of play
  // tells which, puts them right.
  void ReorderBatches();

  // --- referee_neutral.cc
  // Whether the tile may be laid there; where neutral figures go is not asked.
  std::optional<Refusal> CheckLaying(const Turn& turn) const { return CheckOn(game(), turn); }
  static std::optional<Refusal> CheckOn(const Game& game, const Turn& turn);
  // Where this turn moves the Gingerbread Man and where the Ark enters, from where
  // they stand now.
  void FillNeutral(Turn* turn, const Game& before, const Look& look) const;
  void ReviewNeutral(const Look& look, int amendable_from);
  // The Ark stands elsewhere than in the game.
  bool ArkElsewhere(const Look& look) const;
  // How well hands fit that this turn took the Ark there; less than any other: it may not.
  double FitOfMover(int number, int amendable_from, Cell to) const;
  // It stands where it stood, but hands may have taken it round.
  void ReviewRoundTrip(int number);
  void ReviewArk(Cell seen, int amendable_from);
  // Whether a hand came back to the tile that brought the Ark.
  Visit HandsBesideArk(Cell cell, Cell landing, bool others_went_home) const;
  // The Ark was moved there in this turn, if the rules allow it.
  bool MoveArkInTurn(int number, Cell to);
  void ReviewGingerbreadMan(const FigureView& figure, Cell cell, int amendable_from);
  // The abbot is gone: called home in the last turn?
  bool Recalled(const PlacedFigure& known, int amendable_from);
  // He stands there still: he was not.
  bool NotRecalled(Cell cell, const FigureView& figure);

  // --- referee_score_track.cc
  // By colour, with what people gave and took.
  std::map<std::string, int> Scores() const;
  void ReviewScoreTrack(const Look& look);

  // --- referee_questions.cc
  // Asks which of these turns it was, unless it was asked before. `turns`: the
  // alternatives to the turn with this number, most likely first, with their
  // probabilities.
  void Ask(int number, std::string text, std::vector<Question::Answer> answers);
  std::optional<Refusal> Answer(std::uint32_t id, int answer);
  // Questions about tiles that no longer lie there are over.
  void CloseQuestions();

  // --- referee_findings.cc
  void Assert(std::string code, Severity severity, std::vector<Cell> cells, std::string text,
              double weight);
  void AssertOrder();
  void AssertCounts();
  void SettleFindings(const Look& look);

  const Game& game() const { return *ledger.game(); }
  const TileSet& tiles() const { return *ledger.tiles(); }
  const TileFace& FaceOf(int tile) const;
  CellMemory& MemoryOf(Cell cell) { return memory[cell]; }

  Ledger ledger;
  RefereeOptions options;
  TileFaces faces;
  std::vector<Event>* out = nullptr;  // during a call

  // Transient: lost on a restart, and soon seen again.
  std::uint64_t sightings = 0;
  RecentSightings recent;
  Hands hands;
  std::optional<BoardFromLattice> alignment;
  bool aligned = false;  // the last sighting was
  // Looks at hands that left nothing to tell how the lattice lies, and those after them.
  std::deque<std::pair<std::uint64_t, Sighting>> unplaced_looks;
  // The board that is about to be joined, as it was seen last.
  struct ToJoin {
    BoardFromLattice alignment;
    Look look;
    BoardFound board;
    int looks = 0;
  };
  std::optional<ToJoin> to_join;
  int starting_looks = 0;  // settled ones at tiles, before the game began
  std::map<Cell, CellMemory> memory;
  std::map<Cell, FigureTrack> tracks;
  // Figures on the last tile that the game has not taken, in a colour that nobody plays or
  // where none may stand, by its cell.
  std::map<Cell, FigureTrack> unplaced;
  TilesAside aside;
  // Figures that ought to go home: when they were first seen still standing,
  // and in how many visits of a hand they were left.
  struct Lingering {
    std::int64_t since_ms = 0;
    int visits = 0;
  };
  std::map<std::pair<Cell, std::string>, Lingering> lingering;
  // Looks that showed a tile without the figure that a turn (its number) sent home.
  std::map<std::pair<Cell, int>, int> seen_gone;
  Batches batches;
  // Concluded for a turn that is being taken down.
  std::optional<ClaimPending> claim_for_later;
  struct Doubt {
    std::string text;
    std::vector<Question::Answer> answers;
  };
  std::optional<Doubt> doubt;
  ArkHands ark_hands;
  ClaimMemory claims;
  std::vector<Condition> conditions;
  Suspicions suspicions;
  ScoreTrackMemory score_track;
  bool several_new = false;  // this look shows more than one new tile
  bool ark_moved = false;    // this look shows the Ark elsewhere
  bool undecided = false;    // and one that could not be read yet
  bool may_take_back = false;
  mutable std::map<int, TileFace> face_cache;
};

// A turn that lays this tile and does nothing else. Where house rules let people
// shift the board, a tile beyond the table's edge tells that they did.
Turn Laying(const Game& on, int tile, Cell cell, int rotation);
// The figure that this turn set went home in it.
bool WentHomeAtOnce(const Turn& turn, const Outcome& outcome);
double ProbabilityOfColour(const SightedFigure& figure, const std::string& colour);
// What one look says for this colour.
double ColourLikelihood(double probability);

}  // namespace tilewarden::engine
