// The referee's model and its constants, in one place.
//
// The referee weighs two things: how likely the camera
// is to show this if that lies there (the sighting's own probabilities), and how
// likely players are to do that (the rates below). Mistakes have a rate that is
// small but not zero, so a clear sight of an illegal move is believed at once
// and a doubtful one is not. Repeated looks at a thing that nobody touches are
// not independent, so they count less than the first one.
//
// Units: rates, shares and probabilities are from 0 to 1; "log" is the natural logarithm of a
// likelihood or of a ratio of two; looks and sightings are counted; distances say theirs. What a
// value was measured on stands with it. All others were set by judgement, and any change of one
// has to keep what `referee_simulation` prints: games followed exactly, mistakes missed, false
// accusations.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tilewarden::engine {

// --- Tiles

// Players lay about one tile in fifty against the rules.
inline constexpr double kIllegalTileRate = 0.02;
// Factor for a type of which every copy lies already: a misreading far more often than a
// foreign tile.
inline constexpr double kNoCopiesLeft = 0.05;
// Least likelihood of a reading that the camera listed at all: what keeps one
// bad look from being final.
inline constexpr double kReadingFloor = 0.003;
// Least log likelihood: however long a stream, it stays possible to change one's mind.
inline constexpr double kLeastLogLikelihood = -40;
// Share of what the camera names by no candidate that counts against all of them: it is mostly
// one of the unlisted tiles that do not fit either.
inline constexpr double kUnlisted = 0.2;
// The camera saw an illegal placement clearly, whatever the rules make of it:
// when it is this sure in the first look, or kClearReading sure in several.
inline constexpr double kClearAtOnce = 0.95;
// Where the camera is surer than this of an illegal reading, the rules do not
// break the tie at once but wait for more looks, so many in all.
inline constexpr double kRulesMayDecide = 0.8;
inline constexpr int kPatience = 3;
// What the second and later looks at an untouched tile add, as a share of an
// independent look.
inline constexpr double kRepeatedLook = 0.5;
// And where a figure stood on it before and does so still.
inline constexpr double kRepeatedLookUnderFigure = 0.05;
// Posterior from which an illegal placement is reported. Below it, more looks decide.
inline constexpr double kSureIllegal = 0.8;
// A known tile reads as another one: its own share is below the first, the other's above the
// second.
inline constexpr double kNotThisTile = 0.05;
inline constexpr double kThatTile = 0.8;
// The other's share, where the known tile is not seen at all in several looks after a hand
// was there.
inline constexpr double kLikelyThatTile = 0.5;
// A reading that was once this clear was not a misreading.
inline constexpr double kClearReading = 0.9;
// Log likelihood by which another reading must lead to revise a turn.
inline constexpr double kRevisingLead = 3.0;
// Share of the figures that are taken for another kind, where a look says only which it is. Set by
// judgement: 2 of 216 on stills of the virtual table, and more where tiles are small.
inline constexpr double kWrongKind = 0.01;
// Least likelihood of a kind in one look; so many looks are kept.
inline constexpr double kKindFloor = 0.003;
inline constexpr std::size_t kKeptLooks = 32;
// Log odds from which a figure is of another kind than the game has it; as far below, people are
// asked which it is.
inline constexpr double kKindLead = 1;
// Looks before anybody is asked about a kind that may not stand there: the figure may soon be gone.
inline constexpr int kKindLooks = 2;
// Log odds from which a figure is surely a follower and no abbot.
inline constexpr double kSurelyFollower = 2;
// A look in which so many places differ at once is doubted until another one agrees.
inline constexpr std::size_t kMuchDiffers = 3;
// A tile farther than this many cells from the board lies beside it.
inline constexpr int kBoardReach = 2;
// At most this share of the board, or so many tiles, may differ from what is known; beyond it the
// look is of something else: a cropped picture, a cleared table.
inline constexpr double kMostDiffering = 0.25;
inline constexpr double kFewDiffering = 2;
// Looks in a row without the last tile after which it was taken up again: one may have missed it.
inline constexpr int kLooksWithout = 2;
// A tile of which this share is covered lies under a hand.
inline constexpr double kUnderHand = 0.5;

// Looks at a board that is joined, of which no two agree, before it is taken as it was
// seen last.
inline constexpr int kJoiningLooks = 4;

// --- Figures

// Share of figures set against the rules.
inline constexpr double kIllegalFigureRate = 0.02;
// Share of figures that are of another kind than they look, and may stand where that kind may not:
// builders and pigs above all. Set by judgement.
inline constexpr double kOtherKindRate = 0.3;
// Players set figures out of turn, and colours turn up though every place in
// the order seems taken, less often than this; but a colour that is seen
// clearly is believed, so these are not small.
inline constexpr double kOutOfTurnRate = 0.1;
inline constexpr double kForeignColour = 0.05;
// Share of figures that scored and are not taken home before the next tile.
inline constexpr double kForgottenFigureRate = 0.02;
// When a clear deployment is refused, an earlier figure may have been read on the
// wrong segment: other readings of it down to this log likelihood ratio are more
// likely than a deployment against the rules (the log of kIllegalFigureRate).
inline constexpr double kReconsider = 3.9;
// Least share of a segment in one look.
inline constexpr double kSegmentFloor = 0.01;
// A figure that stands where the game has it has at least this share; below the
// second one it may have been moved, which several looks decide.
inline constexpr double kNotThere = 0.02;
inline constexpr double kHardlyThere = 0.1;
// Once this clear, the segment was not a misreading.
inline constexpr double kClearSegment = 0.9;
// A figure may be of a known colour if the camera gives that at least this probability.
inline constexpr double kColourPossible = 0.2;
// Readers name colours more surely than they say: where they give the best colour
// 85 to 100 %, it is wrong in far fewer looks than that. The likelihood of a colour
// is its probability to this power.
inline constexpr double kColourTrust = 1.5;
// Log likelihood by which a colour must lead for a look to speak fully for a breach
// of the turn order.
inline constexpr double kColourSure = 3.0;
// Least likelihood of a colour in one look, and what another colour must lead by,
// with its prior, to be the one that was there all along.
inline constexpr double kColourFloor = 0.005;
inline constexpr double kColourLead = 1.5;
// Looks at a figure in a colour that nobody plays before it is a new player's.
inline constexpr int kStrangerLooks = 2;
// A foot this far (tile sizes) beyond the tile that the figure was set on is set over its seam:
// two and a half times as far as feet stand off their places (figure_segments.cc).
inline constexpr double kOverSeam = 0.1;
// Share of the segment from which a figure stands in the same place.
inline constexpr double kSamePlace = 0.5;
// A pose of this probability is clear.
inline constexpr double kClearPose = 0.85;
// The right pose at most this likely in two looks, once it was clear: the figure was laid down or
// stood up. In 26,600 pairs of looks at figures of virtual tables what had been clear came below a
// half only where somebody had done so: 11 times, 0 to 0.2.
inline constexpr double kWrongPose = 0.3;
// An older tile seldom gets a new figure, so this asks for more than figure_certainty.
inline constexpr double kSureFigure = 0.65;
// A figure that stands in plain view is missed in about one look of 200. A game tells its own share
// of each colour; this one weighs as much as so many looks.
inline constexpr double kMissRate = 0.005;
inline constexpr double kMissPrior = 100;
// A figure that was missed before is missed more often: looks at it that the share of its like
// weighs as much as.
inline constexpr double kMissPriorLooks = 20;
// A colour of which so much of the cloth is, by which one look moves what is known of the cloth,
// and the share of looks at a figure near cloth of its colour that miss it. Set by judgement.
inline constexpr double kOwnClothShare = 0.4;
inline constexpr double kClothMoves = 0.1;
inline constexpr double kMissRateOnOwnCloth = 0.3;
// Near bare cloth, or on a roof, a colour may be seen worse: its own share weighs this much of what
// the share of all cameras weighs.
inline constexpr double kPlacePrior = 0.25;
// A figure that is seen with this probability, too little to be believed, is not missed.
inline constexpr double kWeakFigure = 0.15;
// Log likelihood at which a figure counts as gone: two misses in a row, also of one
// that was missed once before among ten looks.
inline constexpr double kGone = 6.5;
// Looks without a figure that scored after which one that stands there came since.
inline constexpr int kSurelyGone = 2;
// Players need this long to take scored figures home before it is a mistake,
// if the next tile is not laid before.
inline constexpr std::int64_t kTakingHome_ms = 8000;

// Of figures that were set, this share is not seen in the looks after: 1 of 45 in the three
// rendered games, a farmer over the tile's edge on a cloth of his colour. A game tells its own
// share of each colour; this one weighs as much as so many figures.
inline constexpr double kSeenLaterRate = 0.02;
inline constexpr double kSeenLaterPrior = 20;
// And near cloth of their colour: 2 of 2, there and on a table of a second edition. The middle of
// what so few leave possible.
inline constexpr double kSeenLaterOnOwnCloth = 0.75;
// A foot within a fifth of a tile of where no tile lies stands near bare cloth. Feet stand a little
// off the middle of their segment, which is all that is known of one that no look showed.
inline constexpr double kNearCloth = 0.24;
// Of coats of arms under followers this share is not read: 1 of 4 in the three rendered games. A
// game tells its own; this one weighs as much as so many.
inline constexpr double kHiddenCoatRate = 0.25;
inline constexpr double kHiddenCoatPrior = 4;
// Of the figures beside the board: that looks show all of them at first; that they show none all
// evening; and what is weighed, how often from one turn to the next another number stays missing,
// and how often looks count wrongly, with how likely each is. Set by judgement, after eight games
// of the virtual table: most colours were counted alike in nearly every look; the others passed for
// something on the table, or hid one another, for a while or now and then.
inline constexpr double kSupplyInView = 0.5;
inline constexpr double kSupplyOutOfView = 0.2;
inline constexpr std::array<double, 3> kSupplyChanges = {0.002, 0.03, 0.25};
inline constexpr std::array<double, 3> kSupplyWrong = {0.01, 0.08, 0.4};
inline constexpr std::array<double, 3> kSupplyRates = {0.6, 0.25, 0.15};
// Looks with a hand in view show that a figure is away in this share of the turns that set one, and
// of the others. A game tells its own; these weigh as much as so many turns.
inline constexpr double kAwayWhenSet = 0.5;
inline constexpr double kAwayForNothing = 0.1;
inline constexpr double kAwayPrior = 4;
// How much one that was away and is not back speaks for a claim that was taken home at once: it
// stands somewhere. Odds; set by judgement.
inline constexpr double kNotBack = 0.01;
// Odds from which a supply alone tells whether a figure went home. Set by judgement.
inline constexpr double kSupplyTells = 20;
// Looks at such a figure before it is believed.
inline constexpr int kLaterLooks = 2;
// A figure that was set brings a hand back to its tile; this share of the looks misses that.
inline constexpr double kReturnUnseen = 0.1;
// Share of the turns in which somebody sets a figure on an older tile, against the rules; in
// another's turn, or besides the one that was set in this turn, so much less often.
inline constexpr double kOnOlderTile = 0.002;
inline constexpr double kNotTheirTurn = 0.05;
// Share of the turns in which a figure that has not scored is taken from an older tile as the new
// one is laid. Set by judgement: so few that one in plain view must have missed another chance to
// be seen before anybody is asked.
inline constexpr double kTakenWhileLaying = 0.0002;
// Share of the looks before which a hand was over a tile for nothing.
inline constexpr double kIdleHand = 0.05;

// The Ark and the Gingerbread Man are one of a kind: where one is rather seen than not, it is it.
inline constexpr double kNeutralSeen = 0.5;

// A figure of a kind that nobody expects: told with this probability, in so many looks at it or in
// two turns, and in this share of all looks at it, it is worth asking whether the game has its
// kind.
inline constexpr double kSureUnexpected = 0.95;
inline constexpr int kUnexpectedLooks = 3;
inline constexpr double kMostlyUnexpected = 0.8;

// --- Claims that a hand hid

// A visit of a hand that gave at most this many sightings is sparse: then each
// sighting stands for seconds, and one with the tile laid and the hand over it,
// or two with the cell covered, mean that the hand came back. When several
// tiles came since, a covered cell may mean another one's hand.
inline constexpr int kSparseVisit = 3;
// Where one hand laid the tile and put the Gingerbread Man beside it, so many covered looks leave
// open whether it set a figure, too.
inline constexpr int kLooksAtTwoHands = 2;
// Otherwise a hand over the cell for this long did more than lay a tile (which
// takes one to two seconds).
inline constexpr std::int64_t kLongVisit_ms = 4000;
// Sightings of hands, and figures in them, that are kept for one cell: a few seconds of a stream.
inline constexpr int kKeptViews = 8;

// --- Questions

// That the mover claimed what the tile completed, when a hand surely came back to
// it; when it was there longer than to lay a tile; and when it may have been there
// for the next tile. Players claim what a tile of theirs completes nearly always. A game tells for
// itself how often such a longer visit sets a figure; the second value weighs as much as so many.
inline constexpr double kSureVisit = 0.97;
inline constexpr double kLikelyVisit = 0.85;
inline constexpr double kVisitPrior = 3;
inline constexpr double kDoubtfulVisit = 0.35;
// For each claim of what a tile completes so many are of something else on it.
inline constexpr double kElsewhere = 3;
// In a stream of which this share of the turns came several in a look, or without a hand that
// laid the tile or set its figure, looks are missed (two of three, where every third frame of
// the rendered games is; none, where all are there); and so often at least.
inline constexpr double kMissingStream = 0.3;
inline constexpr int kFewMissed = 3;
// There, what a turn completes was claimed this often, times the share that is missed. Set by
// judgement: of two chances in the rendered games one was taken.
inline constexpr double kClaimsOwn = 0.85;
// The way of the Ark, told by where hands were: how much the share of the nine
// cells around it that a hand covers speaks for the cell (a power), and the log
// likelihoods of a hand that was there for something else and of a step that no
// look shows. Set by judgement: there is no footage of an Ark to measure them on.
inline constexpr double kHandOverArk = 12;
inline constexpr double kHandElsewhere = -3;
inline constexpr double kStepUnseen = -3;
// Share of the turns in which nothing else is done that take the Ark round to where it stood.
inline constexpr double kRoundTrip = 0.02;
// Half of the turns set a figure, and in this share of the others a hand comes back to the tile for
// nothing, until the game tells its own shares: as much as so many turns weigh. A return that
// nothing explains was for nothing this often. Set by judgement.
inline constexpr double kClaimsPrior = 6;
inline constexpr double kIdleReturn = 0.05;
inline constexpr double kIdlePrior = 10;
inline constexpr double kIdleIfUnexplained = 0.6;
// A claim that goes home with its own turn is in no look this often.
inline constexpr double kUnseenAtOnce = 0.5;
// A question pays from so many points on, times the chance that they hang on it; and nobody is
// asked what is less likely than this.
inline constexpr double kWorthAsking = 0.25;
inline constexpr double kLeastDoubt = 0.1;
// Near bare cloth figures are missed so many times as often as its colour is on the average, in
// plain view so much less often; and at most this often. One that was missed is missed again though
// a tile came beside it. Set by judgement: of the three rendered games the figures that were missed
// lay over the tile's edge.
inline constexpr double kMoreAtEdge = 2;
inline constexpr double kLessInView = 0.3;
inline constexpr double kMostUnseen = 0.9;
inline constexpr double kMissedAnewAtEdge = 0.6;
inline constexpr double kMissedAnewOnOwnCloth = 0.75;
inline constexpr double kMissedAnewInView = 0.15;
// Points that a figure is worth to its player while turns are left.
inline constexpr int kFigureWorth = 1;
// Once no more tiles than these are left, what no look showed will hardly show any more; some may
// fit nowhere and be set aside.
inline constexpr int kLastTiles = 8;
// A story this likely is taken without asking. Set by judgement: of 48 claims of what a tile
// completed that were asked about in 38 whole games of the virtual table, 47 had been made. No
// command counts that, and people there claim what pays.
inline constexpr double kSureStory = 0.8;
// A claim that the supply alone shows is taken down from this on.
inline constexpr double kSureOfSupply = 0.97;

// So many answers fit beside each other on a tablet.
inline constexpr std::size_t kMostAnswers = 3;

// --- The score track

// Where the reader gives the best colour and field of a marker at least this, one of them
// was wrong in 2 of 192 on the pictures of score_track_evaluation. A pose must be surer.
inline constexpr double kSureMarker = 0.8;
inline constexpr double kSurePoseOnTrack = 0.95;
// People move their markers while the next tile is laid, and later. It is told once a
// marker stood wrong over a turn's end, in several looks, and this long since. Set by
// judgement: there is no footage of people at a score track to measure it on.
inline constexpr int kTrackLooks = 3;
inline constexpr std::int64_t kMovingMarkers_ms = 5000;

// --- Findings

// Weight of one look (a finding is raised at 1) for what a single bad look could show: it takes two
// looks.
inline constexpr double kHalf = 0.5;
// The most that such a look weighs, however plain: one is never enough.
inline constexpr double kMostOfOneLook = 0.9;
// Turns after which a breach of the turn order no longer matters, and is no longer told.
inline constexpr int kOrderMemory = 2;
// With so many breaches in so many rounds the order itself is in doubt, and nobody is told of any.
inline constexpr int kBreachesOfDoubt = 2;
inline constexpr int kRoundsOfOrder = 3;
// Several turns in one look: so many can be put into another order later (the
// number of orders is its factorial), and so many such looks are kept.
inline constexpr int kLargestBatch = 5;
inline constexpr int kKeptBatches = 4;
// What an order of such turns costs, up to a factor: each player out of turn, and each tile before
// one that was seen earlier (a hand may have hidden it).
inline constexpr double kBreachCost = 3;
inline constexpr double kSeenEarlierCost = 1;
// Repeated sightings are recognised among this many last ones: minutes of a stream.
inline constexpr int kRecentSightings = 256;

}  // namespace tilewarden::engine
