// The steps of judging, in the order of a look's story (Observe). A step takes what it
// needs to know, changes what is remembered only by asking its owner, and returns what it
// concluded. `number`: of a turn, from 1. `amendable_from`: the first turn that may still
// change as play goes on: a figure may be set on its tile, the Ark may have moved in it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/game/box_rules.h"
#include "engine/referee/conclusions.h"
#include "engine/referee/judging/mind.h"

namespace tilewarden::engine {

// --- observe.cc: the story of one sighting. Lays it on the board; while a hand is in view only
// remembers; on a still table concludes.
std::vector<Event> Observe(Mind& mind, const Sighting& sighting);

// --- start.cc: how a game begins
// A board that lies on the table, by its start tile.
struct StartSeen {
  Cell cell;  // in the lattice
  int rotation = 0;
  std::size_t tiles = 0;  // that hang together with it
};
// Every board that lies apart. `start_tile`: the tile that begins, also where it is taken for a
// twin; -1: whichever lies there first.
std::vector<StartSeen> FindStarts(const Sighting& sighting, const TileSet& tiles,
                                  const TileFaces& faces, int start_tile, double certainty);
// Starts the game if the start tile lies alone, or with a few tiles laid since the first look.
// Done: there is a game, and the lattice lies on its board.
Conclusions TryStart(Mind& mind, const Sighting& sighting);

// --- join.cc: goes on from the board as it lies, once two looks agree on it or a hand comes
Conclusions TryJoin(Mind& mind, const Sighting& sighting);

// --- found.cc: the board that a game was joined on
// Who stands on this tile of the board, if it is clear. Nobody, where the figure's
// feature is complete: it scored just before, and goes home.
void PutFigure(const Mind& mind, Turn* tile, const CellView& view, const Game& board,
               std::vector<std::string>* colours);
// What was found on this cell; a turn without a tile where nothing was.
Turn FoundOn(const Ledger& ledger, Cell cell);
// What was found on this tile's cell was read better.
Conclusions SetFound(Ledger* ledger, const Turn& tile, std::string reason);
Conclusions ReadFoundAgain(Mind& mind, Cell cell, const TileReading& reading, const CellView& view);
// A person puts it right.
std::variant<Conclusions, Refusal> CorrectFound(Mind& mind, const Turn& turn);
// A figure that is not in the game stands on a tile that was found. Done: that comes of the
// joining.
Conclusions ReviewFound(Mind& mind, Cell cell, const FigureView& figure);

// --- doubtful_look.cc: looks in which much differs at once
// The look does not differ from the game in much that the look before did not show.
bool Believed(Mind& mind, const Look& look);
// Two looks agree that several tiles look otherwise: asks people to see to it, accuses nobody.
Conclusions NoteMuchDiffers(const Mind& mind, const Look& look);

// --- known_tiles.cc: whether tiles lie as they were laid
// Whether the look can be of this board at all; then its tiles are looked at once more.
bool ShowsBoard(Mind& mind, const Look& look);
// The last tile may be taken up again, turned or moved until the next one is laid: that is no
// mistake, only a turn that was not over.
Conclusions ReviewLastTile(Mind& mind, const Look& look);
// A hand that lay still was taken for a tile: no look was sure of it, and more show none.
Conclusions TakeOutWhatNeverLay(Mind& mind, const Look& look);
Conclusions ReviewTile(Mind& mind, const PlacedTile& laid, const Look& look);
// Whether somebody may have done something on this cell since a sighting: a hand was over it, or
// nobody can say what hands did. Only then has anything changed there; else it is seen better now.
bool MayHaveTouched(const Mind& mind, Cell cell, std::uint64_t since);
// The same of a tile: fingers turn one from beside it.
bool MayHaveTouchedTile(const Mind& mind, Cell cell, std::uint64_t since);
// A hand came back to this tile: a figure may cover something on it, seen or not.
bool MayHaveFigure(const Mind& mind, Cell cell);

// --- laying.cc: what one tile is, and whether it may lie there
// A turn that lays this tile and does nothing else. Where house rules let people
// shift the board, a tile beyond the table's edge tells that they did.
Turn Laying(const Game& on, int tile, Cell cell, int rotation);
// The turn with another type of tile that differs only in small things: its claim is on the same
// segment, which may have another number, or gone.
Turn WithTile(const TileSet& tiles, Turn turn, int tile, int rotation);
// Why the tile may not be laid there; where neutral figures go is not asked.
std::optional<Refusal> CheckLaying(const Game& game, const Turn& turn);
bool NearBoard(const Game& game, Cell cell);
// Coats of arms and scrolls of a city: small, and covered by a figure that stands there.
int CityMarks(const Segment& segment);
struct Decision {
  enum class Kind { kWait, kLegal, kIllegal } kind = Kind::kWait;
  TileReading reading;  // probability: posterior
  std::optional<Refusal> refusal;
};
// Of a tile that was seen there. Patient: rather waits for more looks where camera and rules
// disagree.
Decision Decide(const Mind& mind, Cell cell, const CellView& view, bool patient);
// Which tiles of those that it may be may lie there, likeliest first: where no reading is sure.
std::vector<TileReading> LegalReadings(const Mind& mind, Cell cell, const CellView& view);

// --- new_tiles.cc: tiles that came
// `wrong`: what was found in this look so far.
Conclusions TakeNewTiles(Mind& mind, const Look& look, const std::vector<Condition>& wrong);
// Tiles that lie beside the board since a turn: set aside, as the next one is laid.
Conclusions ReviewAside(Mind& mind, const Look& look);

// --- unsure_tiles.cc: tiles that no look is sure of
struct UnsureTile {
  Cell cell;
  std::vector<TileReading> readings;  // that may lie there, likeliest first
};
// Of these new tiles the first that looks enough in a row were not sure of, and for which some
// reading may lie there.
std::optional<UnsureTile> LongUnsure(Mind& mind, const std::vector<Cell>& fresh, const Look& look);
// It was taken down as its likeliest reading: asks which tile it is.
Conclusions AskWhichTile(Mind& mind, const UnsureTile& unsure);
// This reading may not lie here beside a tile that people are asked about. Done: beside another of
// its answers it may, so it was that one.
Conclusions ReadBesideAgain(Mind& mind, Cell cell, const TileReading& reading);
// Tells of tiles beside the board that cannot be read.
Conclusions NoteUnread(Mind& mind, const Look& look);
// It hangs on which tile lies somewhere, and people are asked that: so nobody is accused.
bool HangsOnUnsure(const Mind& mind, const Finding& finding);

// --- played_with.cc: figures of kinds that the rules do not have
// The look with figures of the kinds that the rules have, whatever the camera was told to expect.
// Nobody's is nobody's while it is open whether the game is played with it.
Look WithKindsOf(const Mind& mind, Look look);
// Such a one stands on this tile: so looks do not tell what else does.
bool MayBeNobodys(const Mind& mind, Cell cell, const Look& look);
// Remembers such figures, and once they are sure asks, once for each kind, whether the game is
// played with it.
Conclusions AskIfPlayedWith(Mind& mind, const Look& look);
// Asks that of this kind.
Conclusions AskIfPlayingWith(Mind& mind, FigureKind kind, std::vector<Cell> cells);
// It comes of such a figure, and nobody has said that the game is not played with it: so nobody is
// accused.
bool MayBeOfUnexpected(const Mind& mind, const Finding& finding);

// --- other_rules.cc: the game by other rules from its beginning on
// The answer is yes: figures that most looks took for this kind are of it, and nobody's went where
// it was seen, as far as the rules allow it.
Conclusions PlayWith(Mind& mind, FigureKind kind, const RuleOption& option);
// Takes the last such answer back, and asks again.
Conclusions TakeBackPlayedWith(Mind& mind);

// --- played_with_river.cc: a river's tile on the table of a game without one
// Remembers such tiles. Once they are sure, and no turn was played yet, asks once whether the game
// is played with a river. Done: one lies there, and people may still say that it belongs to the
// game, which so does not begin.
Conclusions AskIfPlayedWithRiver(Mind& mind, const Sighting& sighting);
// One lies there, and it is too late to change the tiles: a note.
Conclusions NoteRiver(const Mind& mind);
// The answer is yes: the game is played with these tiles, and begins anew.
std::variant<Conclusions, Refusal> PlayWithRiver(Mind& mind, const Question& question, int answer);
// Takes that answer back, and asks again.
Conclusions TakeBackRiver(Mind& mind);
// The tiles are others now: what looks showed of the board before means nothing any more.
void BeginAnew(Mind& mind);

// --- questions.cc
// More than one story has real probability: the alternatives to a turn, most likely first.
struct Doubt {
  std::string text;
  std::vector<Question::Answer> answers;
  enum class About { kOther, kWhichTile, kFigureTaken } about = About::kOther;
  std::vector<Cell> besides{};  // tiles of other turns that an answer changes, too
};
// What hangs on which of two stories is true: the points by which a player's total may differ at
// most, as if the game ended now.
int PointsBetween(const Game& one, const Game& other);
// Asks which it was, unless that was asked before.
Conclusions Ask(Ledger* ledger, int number, Doubt doubt);
std::variant<Conclusions, Refusal> Answer(Mind& mind, std::uint32_t id, int answer);
// The table lies clear: is the game over?
Conclusions AskWhetherOver(Ledger* ledger);
// Ends the game, and with it that question and those about its rules; others can still be answered.
Conclusions EndGame(Ledger* ledger);
// Questions about tiles that no longer lie there are over, or about which tile it is once a look
// tells, and whether a cleared table was the end: the board is seen.
Conclusions CloseQuestions(Mind& mind);

// --- claims.cc: claims that a hand hid
// What hands tell of the claim of a turn that left no figure to be seen.
struct HiddenClaim {
  std::optional<Deployment> deployment;   // the likeliest; nothing: none
  std::optional<ClaimPending> for_later;  // its player is not known yet
  std::optional<Doubt> doubt;
};
HiddenClaim ReadHiddenClaim(const Mind& mind, const Turn& turn, const Game& before);
// Tells what was concluded or doubted of the turn with this number.
Conclusions NoteClaim(Ledger* ledger, int number, HiddenClaim claim);
// The figure that this turn set went home in it.
bool WentHomeAtOnce(const Turn& turn, const Outcome& outcome);
// A hand came back to the turn's tile: it may have set a figure that no look shows. `before`: the
// game without it.
bool MayHaveSet(const Mind& mind, const Turn& turn, const Game& before);
// The turn is about to be played: what a long visit of its hand did. `inferred`: its claim was
// concluded.
void CountVisit(Mind& mind, const Turn& turn, bool inferred);
// A turn was taken down: whether looks showed it come about.
void CountLooks(Mind& mind, const Turn& turn);
// A turn was taken down without a figure; then a hand came and went.
Conclusions AmendFromMemory(Mind& mind, const Look& look, int number);

// --- turns.cc: turns taken down
// The index of who plays this colour; -1: nobody yet.
int PlayerOf(const Game& game, const std::string& colour);
// The turn that laid the tile on this cell.
Turn TurnAt(const Ledger& ledger, Cell cell);
// Takes down the turn that laid this tile; where later tiles were read before
// it, in front of their turns. `expected`: whose turn it is; -1: nobody knows.
Conclusions TakeDown(Mind& mind, Cell cell, const TileReading& reading, const Look& look,
                     int expected);
struct CompletedTurn {
  Turn turn;
  bool inferred = false;  // its claim was concluded, not seen
  HiddenClaim claim;
  Conclusions joined;  // a player whose colour is new
};
// A turn with its mover and deployment, from all evidence.
CompletedTurn CompleteTurn(Mind& mind, Turn turn, const Game& before, int number, int expected,
                           const CellView& view);
struct Joined {
  int player = -1;  // -1: nobody can join any more
  Conclusions concluded;
};
Joined Join(Ledger* ledger, const std::string& colour, int turn_number);
// Number 0: of a tile that was found.
Conclusions SetTurn(Ledger* ledger, int number, const Turn& turn, std::string reason,
                    RevisionCause cause = RevisionCause::kObserved);
// The game's turns as they were if the one with this number was `turn`. A later claim that was only
// concluded gives way to it, and so does the kind of a later figure that its place alone told.
// Nothing if something else contradicts it; then `refusal` says what, and `at` in which turn, from
// 0.
std::optional<std::vector<Turn>> TurnsIf(const Ledger& ledger, int number, const Turn& turn,
                                         Refusal* refusal = nullptr, int* at = nullptr);

// --- amend.cc: turns put right by a figure
// The figure stands against the rules where it is.
Condition MayNotStand(const std::string& colour, Cell cell, const Refusal& refusal, double weight);
// A figure that is not in the game stands on the tile of this turn.
Conclusions AmendTurn(Mind& mind, int number, const FigureView& figure);
// One more look at a figure on this turn's tile that is not in the game.
void TrackUnplaced(Mind& mind, const Turn& turn, const FigureView& figure);
// There were too few looks at the figure there, with this one, to believe in a new player.
bool StillStranger(const Mind& mind, Cell cell);

// --- seen_later.cc: figures on older tiles that no look showed until now
// Turns were laid since a look showed the tile without the figure, and in none of them its player
// can have set it.
bool NobodysTurn(const Mind& mind, Cell cell, const FigureView& figure);
// `may_have_come`: somebody may have set it since a look showed the tile without it. Done: it was
// set in its tile's turn, or somebody is asked whether it was, or one more look is waited for.
Conclusions SeenLater(Mind& mind, int number, const FigureView& figure, bool may_have_come);
// Asks whether the figure of the turn with this number was set in it, and not later.
Conclusions AskIfSetInTurn(Mind& mind, int number);

// --- supply_review.cc
// What the look shows beside the board, before anything is concluded from it.
void SeeSupplies(Mind& mind, const Look& look);
// The same, for the game with the tiles that the look shows.
void CountSupplies(Mind& mind, const Look& look);
// The settled look is over: what looks with a hand in view showed is remembered for its turns.
void NoteAway(Mind& mind, int last_before);
// How much looks at the hands of this turn speak for a figure that it set and took home: a factor
// of odds.
double SupplySpeaksForOneAtOnce(const Mind& mind, const Turn& turn);
// How much this player's supply speaks for one more figure on the board than the game has there,
// until after the turn `to`: factors of odds, by the turn that set it. `but_for`: as if the game
// did not have the one that this turn set, which stands there still; 0: as it is.
std::vector<double> SupplySpeaksForAnother(const Mind& mind, int player, int to, int but_for = 0);
// How much it speaks for one of this player's figures that has been back home since the turn
// `from`, though the game has it on the board until before the turn `until`, 0: to this day. A
// factor of odds.
double SupplySpeaksForLeaving(const Mind& mind, int player, int from, int until = 0);

// --- unseen.cc
// How likely what this turn completes was claimed before, by a figure that no look showed: then a
// hand took that home. `before`: the game without the turn.
double ChanceOfEarlierClaim(const Mind& mind, const Turn& turn, const Game& before);
// Asks whether the turn with this number set the figure that the game has there.
Conclusions AskIfSet(Mind& mind, int number);
// Asks about claims that no look showed, once points hang on them. `turn_came`: in this look.
Conclusions AskUnseen(Mind& mind, bool turn_came);
// The turn's tile is part of a complete feature.
bool OnCompleteFeature(const Game& game, const Turn& turn);
// Whichever types the tiles were read as. Some of the last fit nowhere, and people set them aside.
bool NearlyOver(const Mind& mind);

// --- figure_reading.cc: whose a figure is, of which kind, on which segment
struct FigureChoice {
  std::string colour;
  int player = -1;  // -1: a colour that has not joined yet
  Deployment deployment;
  std::optional<Refusal> refusal;  // not legal there
  double probability = 0;
};
// The most likely reading of a figure on a tile laid by this turn (its
// deployment aside) in this game; nothing without likelihood.
std::optional<FigureChoice> ReadFigure(const Mind& mind, const FigureView& figure,
                                       const Game& before, const Turn& turn, int expected);
// The turn's figure may not stand there, but one that looks like it may: the turn is with that one
// then. Only by its place is a builder or a pig told from a follower, since it joins its owner's
// figure; and people have few large followers, which are told from followers by their size alone.
bool TakenForAnother(const Game& game, Turn* turn);
// The look with figures that stand over a seam put on the tile that they were set on.
Look FiguresOverSeams(const Mind& mind, const Look& look, int amendable_from);

// The sides of this cell beyond which no tile lies.
OpenSides SidesOpen(const Game& game, Cell cell);
// The figure that this turn set stands near this side of its tile.
bool IsNear(const Mind& mind, const Turn& turn, Side side);
// What is behind the figure that this turn set, if it is of this colour: what makes it harder to
// see.
Backdrop BackdropOf(const Mind& mind, const Turn& turn, const std::string& colour);

// --- figures.cc: what figures on the table tell
Conclusions ReviewFigures(Mind& mind, const Look& look, int amendable_from);

// --- taken_while_laying.cc: figures that are gone in the look that shows a new tile
// The figure on this tile is gone since the look before, and a hand was over it that was nowhere
// near the new tile: it took the figure. `last_before`: the last turn before this look.
bool TakenBesidesLaying(const Mind& mind, Cell figure, int last_before);
// Where that is not sure: asks once the turn that came in this look scores it, or the last tiles
// are drawn.
Conclusions AskIfTakenWhileLaying(Mind& mind, int last_before);

// --- left_behind.cc
// Who was sent home from here and may be this figure; null: nobody.
const SentHome* LeftBehind(const Mind& mind, Cell cell, const FigureView& figure);
// It still stands there, though it has scored.
Conclusions ReviewLeftBehind(Mind& mind, const SentHome& home, const FigureView& figure,
                             const Look& look);

// --- abbot.cc
// An abbot of the game is gone. Done: he was called home in one of the last turns.
Conclusions Recalled(Mind& mind, const PlacedFigure& known, int amendable_from);
// A follower of the game left an unfinished monastery or garden, as only an abbot may: looks may
// have misread him. The game then has an abbot there, and people are asked whether he was called
// home.
Conclusions AskIfAnAbbotLeft(Mind& mind, const PlacedFigure& known);
// No look is sure that a follower of the game, which is gone from there, was none.
bool RatherCalledHome(const Mind& mind, const PlacedFigure& known);
// A figure is an abbot, or stands where only one may, though the game has its player's abbot
// elsewhere. Done: that one was called home in a turn that did nothing else; or, where it still
// stands, it is a follower.
Conclusions HisAbbotIsHere(Mind& mind, int number, const FigureChoice& choice);
// A figure stands where an abbot was called home from. Done: he was not.
Conclusions NotRecalled(Mind& mind, Cell cell, const FigureView& figure);

// --- neutral.cc: figures that belong to nobody
// The figure of this kind that the look shows best, and its cell.
std::optional<std::pair<Cell, const FigureView*>> SeenNeutral(const Look& look, FigureKind kind);
// Where this turn moves the Gingerbread Man and where the Ark enters, from where
// they stand now.
void FillNeutral(const Mind& mind, Turn* turn, const Game& before, const Look& look);
// Segments of the tile under the Gingerbread Man that are cities, the likeliest first.
std::vector<Place> CitiesUnder(const Mind& mind, const FigureView& man, Cell cell, int tile,
                               int rotation);
// What the turn with this number did with them by rules that came later, if it says nothing of
// them, the likeliest first: as looks saw them after it, or later, else whatever the rules allow.
std::vector<Turn> WithNobodys(const Mind& mind, int number, const Game& before, const Turn& turn);
// The moves that looks showed before these rules came need not be asked about.
void NoteMovesSeen(Mind& mind);
// Whether people can be told that nobody's figure of this kind stands elsewhere than it should:
// where an answer brought it, a look has shown it where the game has it since.
bool MayTellMoved(const Mind& mind, FigureKind kind);
Conclusions ReviewGingerbreadMan(Mind& mind, const Look& look, int amendable_from);

// --- ark.cc
// The Ark stands elsewhere than in the game.
bool ArkElsewhere(const Game& game, const Look& look);
// WithNobodys for the Ark alone.
std::vector<Turn> WithArk(const Mind& mind, int number, const Game& before, const Turn& turn);
Conclusions ReviewArk(Mind& mind, const Look& look, int amendable_from);

// --- order_review.cc: what the order of play tells of turns that are taken down already
// Who took the turns without a figure.
Conclusions FillMovers(Ledger* ledger);
// Turns that came up in one look, in whatever order: once the order of play
// tells which, puts them right.
Conclusions ReorderBatches(Ledger* ledger, const Batches& batches);
// Drops colours that nobody played after all, and puts the players in order.
Conclusions ArrangePlayers(Ledger* ledger);
// Done: another colour has become likelier for this figure.
Conclusions RereadColour(Ledger* ledger, const PlacedFigure& known, const FigureTrack& track,
                         int turn);

// --- score_track_review.cc
Conclusions ReviewScoreTrack(Mind& mind, const Look& look);
// Everybody's score by colour, with what people gave and took.
std::map<std::string, int> Scores(const Ledger& ledger);

// --- counts.cc
// More copies of a tile lie on the table than the box has: one was rather read wrongly under its
// figure than brought from elsewhere.
Conclusions ReviewCounts(Mind& mind);
// The last tiles are drawn: asks about coats of arms that followers may cover, where that pays.
Conclusions AskCoats(Mind& mind);

// --- findings.cc
// Somebody played out of turn.
Conclusions WrongOrder(const Mind& mind);
// What is odd about the last turn though the rules allow it: notes.
Conclusions RemarkOnLastTurn(const Game& game);
// Raises and clears findings. `wrong`: all that is not right in this look.
Conclusions SettleFindings(Mind& mind, const Look& look, const std::vector<Condition>& wrong);

// --- put_right.cc
// Clears the findings that a change by hand has put right. `before`: the game before it; nothing:
// there was none. `touched`: a person said what is right on this cell, changed or not.
Conclusions PutRight(Mind& mind, const std::optional<Game>& before, std::optional<Cell> touched);

}  // namespace tilewarden::engine
