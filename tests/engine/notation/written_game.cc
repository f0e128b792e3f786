#include "tests/engine/notation/written_game.h"

#include <stdexcept>

namespace tilewarden::engine {

GameRecord Record(const std::string& set, const Lines& options, const Lines& turns) {
  std::string text = "tilewarden 1\nset " + set + "\n";
  for (const std::string& option : options) text += "option " + option + "\n";
  text += "player red\nplayer blue\nplayer green\nstart 0\n";
  int number = 0;
  for (const std::string& turn : turns) text += std::to_string(++number) + " " + turn + "\n";
  const auto record = ParseNotation(text);
  if (!record.ok()) throw std::runtime_error(std::string(record.status().message()));
  return *record;
}

Game Played(const std::string& set, const Lines& options, const Lines& turns) {
  const auto game = Replay(Record(set, options, turns));
  if (!game.ok()) throw std::runtime_error(std::string(game.status().message()));
  return *game;
}

std::string Refused(const std::string& set, const Lines& options, const Lines& turns) {
  return RefusalOf(set, options, turns).code;
}

Refusal RefusalOf(const std::string& set, const Lines& options, const Lines& turns) {
  GameRecord record = Record(set, options, turns);
  const Turn last = record.turns.back();
  record.turns.pop_back();
  const auto game = Replay(record);
  if (!game.ok()) throw std::runtime_error(std::string(game.status().message()));
  return game->Check(last).value_or(Refusal{});
}

Points Scores(const Game& game) {
  Points scores;
  for (const PlayerState& player : game.players()) scores.push_back(player.score);
  return scores;
}

Points FinalScores(const Game& game) {
  Points scores = Scores(game);
  for (const ScoreItem& item : game.ScoreIfEndedNow()) {
    scores[static_cast<std::size_t>(item.player)] += item.points;
  }
  return scores;
}

Lines After(Lines turns, const Lines& more) {
  turns.insert(turns.end(), more.begin(), more.end());
  return turns;
}

}  // namespace tilewarden::engine
