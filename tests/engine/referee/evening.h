// People at a table: the truth, the table, and the referee that watches. The
// inside of referee_simulation.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/referee/referee.h"
#include "tests/engine/referee/simulation.h"

namespace tilewarden::engine {

Cell Turned(Cell cell, int turns);

class Evening {
 public:
  explicit Evening(const SimulatedGame& options);
  SimulationReport Play();

  // A kind of mistake, and how to make it before this turn is taken. False:
  // it cannot be made now.
  struct Mistake {
    const char* kind;
    bool (Evening::*make)(const Turn& turn);
  };
  static const std::vector<Mistake>& Mistakes();

 private:
  std::string Colour(int player) const;
  const TileType& Type(int tile) const;
  void Observe(const Sighting& sighting);
  void Settle() { LookOn(std::nullopt); }
  void Hand(Cell cell) { LookOn(cell); }
  void LookOn(std::optional<Cell> hand);
  std::optional<Turn> NextTurn();
  void Note(const std::string& text);
  std::string Describe(const Game& game, const Turn& turn) const;
  void Restart();
  // Somebody sets up the camera now, and enters the points so far.
  void Join();

  void TakeTurn(const Turn& turn);
  void MoveNeutralFigures(const Turn& turn);
  void TakeHome(const std::vector<PlacedFigure>& figures, Cell hand);

  // evening_truth.cc
  // Finds how the referee's board lies: turned, and begun with another tile where
  // any may be the first.
  void Locate();
  Cell OnBoard(Cell in_truth) const;
  // Whether this turn is the truth's with this number (from 0). Claims of the same
  // worth that came home in their own turn are the same: no look tells them apart.
  bool SamePlay(const Game& game, const Turn& is, std::size_t number) const;
  // What this turn of this game pays by colour, if its own figure comes home in it.
  static std::optional<std::map<std::string, int>> PaidAtOnce(const Game& game, std::size_t turn,
                                                              const Turn& played);
  // What the Ark paid in this turn of this game, by colour.
  static std::map<std::string, int> ArkPoints(const Game& game, std::size_t turn,
                                              const Turn& played);
  void Answer();
  void AnswerIfPlayedWith(const Question& question);
  void Compare();
  bool CompareFound(const Game& game);

  // mistakes*.cc
  // True: the turn was taken with it.
  bool MakeMistake(const Turn& turn);
  // The mistake lies there for two settled looks; then it is put right.
  bool Plant(const std::string& kind, std::set<std::string> codes, Cell hand,
             const std::function<void()>& wrong, const std::function<void()>& right);
  void Expect(const std::string& kind, std::set<std::string> codes);
  void ExpectTold();
  void ExpectCleared();
  bool IllegalTile(const Turn& turn, const std::string& code);
  bool IllegalFigure(const Turn& turn, const std::string& code, FigureKind kind);
  SimulatedTable::Tile* OldTile();
  bool FalseTurn(const Turn& turn, const std::string& code, int by);

  bool EdgeMismatch(const Turn& turn) { return IllegalTile(turn, "edge-mismatch"); }
  bool NotAdjacent(const Turn& turn) { return IllegalTile(turn, "not-adjacent"); }
  bool OutOfArea(const Turn& turn) { return IllegalTile(turn, "out-of-area"); }
  bool RiverUturn(const Turn& turn) { return IllegalTile(turn, "river-uturn"); }
  bool RiverMustContinue(const Turn& turn) { return IllegalTile(turn, "river-must-continue"); }
  bool NoCopiesLeft(const Turn& turn);
  bool SetAside(const Turn& turn);
  bool TileTaken(const Turn& turn);
  bool TileTurned(const Turn& turn);
  bool TileMoved(const Turn& turn);
  bool SecondTile(const Turn& turn);
  bool OutOfTurn(const Turn& turn);
  bool OccupiedFeature(const Turn& turn);
  bool NoneInSupply(const Turn& turn);
  bool OnGarden(const Turn& turn);
  bool AbbotWrong(const Turn& turn);
  bool ProphetWrong(const Turn& turn);
  bool OnTemple(const Turn& turn);
  bool FigureTaken(const Turn& turn);
  bool FigureTakenWhileLaying(const Turn& turn);
  bool FigureMoved(const Turn& turn);
  bool FigureOnOldTile(const Turn& turn);
  bool TwoFigures(const Turn& turn);
  bool NotReturned(const Turn& turn);
  bool WrongPose(const Turn& turn);
  bool ArkMoved(const Turn& turn);
  bool GingerbreadMoved(const Turn& turn);

  SimulatedGame options_;
  Game truth_;
  std::shared_ptr<const TileSet> tiles_;
  TileFaces faces_;
  SimulatedTable table_;
  RandomPlayer people_;
  std::vector<Event> log_;
  std::vector<Sighting> sightings_;  // for the replay
  Referee referee_;
  bool unwatched_ = false;      // there is no camera yet
  bool leave_figures_ = false;  // this turn's players forget to take home what scored
  std::vector<PlacedFigure> left_;
  std::optional<Game> at_join_;  // the truth then
  // Points so far of players who had no figure on the board that was joined.
  std::map<std::string, int> joined_scores_;
  std::string kind_;  // of the mistake that lies on the table
  Cell planted_;      // where
  std::set<std::string> expected_, told_;
  int turned_ = 0;  // from the truth to the referee's board, and then
  Cell shift_;
  SimulationReport report_;
};

}  // namespace tilewarden::engine
