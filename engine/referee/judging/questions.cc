// Questions: asked where what was seen leaves more than one story with real
// probability. The likeliest is taken meanwhile, so play goes on.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/referee/judging/judging.h"
#include "engine/referee/model.h"
#include "engine/tiles/text.h"

namespace tilewarden::engine {

int PointsBetween(const Game& one, const Game& other) {
  const auto totals = [](const Game& game) {
    std::map<std::string, int> points;
    for (const PlayerState& player : game.players()) points[player.colour] += player.score;
    for (const ScoreItem& item : game.ScoreIfEndedNow()) {
      points[game.players()[static_cast<std::size_t>(item.player)].colour] += item.points;
    }
    return points;
  };
  std::map<std::string, int> in_one = totals(one), in_other = totals(other);
  int most = 0;
  for (const auto& [colour, points] : in_one) {
    most = std::max(most, std::abs(points - in_other[colour]));
  }
  return most;
}

namespace {

// The most that two of the answers, or one and the game as it is, may differ by.
int PointsAtStake(const Ledger& ledger, const std::vector<Question::Answer>& answers) {
  std::vector<Game> stories = {*ledger.game()};
  int most = 0;
  for (const Question::Answer& answer : answers) {
    const std::vector<Turn>& turns = ledger.game()->turns();
    const auto had = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) {
      return turn.cell == answer.turn.cell && !turn.set_aside;
    });
    if (had == turns.end()) continue;
    const int number = static_cast<int>(had - turns.begin()) + 1;
    const auto instead = TurnsIf(ledger, number, answer.turn);
    std::optional<Game> story = instead ? ledger.Replay(*instead) : std::nullopt;
    if (!story) continue;
    for (const Game& other : stories) most = std::max(most, PointsBetween(*story, other));
    stories.push_back(*std::move(story));
  }
  return most;
}

// The turn as it was if this is the answer. Which tile lies there says nothing of the figure.
Turn TurnBy(const TileSet& tiles, const Question& question, const Turn& answer, const Turn& had) {
  return question.which_tile ? WithTile(tiles, had, answer.tile, answer.rotation) : answer;
}

// No look was sure of the tile yet, and nobody has said which it is.
bool StillUnsure(const Mind& mind, Cell cell) {
  const CellMemory* seen = mind.cells.Find(cell);
  return !mind.ledger.SetByHand(cell) && (seen == nullptr || !seen->OnceRead());
}

// The tile lies there, and its turn is still what one of the answers says: no look has told since
// that it was something else.
bool StillOpen(const Mind& mind, const Question& question) {
  const Ledger& ledger = mind.ledger;
  int laid = 0, same = 0;
  for (const Question::Answer& answer : question.answers) {
    const std::vector<Turn>& turns = ledger.game()->turns();
    const auto is = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) {
      return turn.cell == answer.turn.cell && !turn.set_aside;
    });
    if (is == turns.end()) continue;
    const Turn as = TurnBy(mind.tiles(), question, answer.turn, *is);
    ++laid;
    same += is->tile == as.tile && is->rotation == as.rotation && is->player == as.player &&
            is->deployment == as.deployment && is->recall == as.recall &&
            is->ark_path == as.ark_path;
  }
  if (question.which_tile && !StillUnsure(mind, question.answers.front().turn.cell)) return false;
  // Which of several tiles it is: none has been taken for it.
  const Cell first = question.answers.front().turn.cell;
  const bool of_several = question.answers.back().turn.cell != first;
  return of_several ? laid == static_cast<int>(question.answers.size()) && same == 0 : same > 0;
}

}  // namespace

Conclusions Ask(Ledger* ledger, int number, Doubt doubt) {
  const Cell cell = ledger->game()->turns()[static_cast<std::size_t>(number - 1)].cell;
  const bool which_tile = doubt.about == Doubt::About::kWhichTile;
  const bool asked = which_tile ? ledger->AskedWhichTile(cell) : ledger->Asked(cell);
  if (doubt.answers.size() < 2 || asked || ledger->SetByHand(cell)) return {};
  if (doubt.answers.size() > kMostAnswers) doubt.answers.resize(kMostAnswers);
  Question question;
  question.id = ledger->next_question_id();
  question.text = std::move(doubt.text);
  question.cells = std::move(doubt.besides);
  question.cells.insert(question.cells.begin(), cell);
  question.answers = std::move(doubt.answers);
  question.points_at_stake = PointsAtStake(*ledger, question.answers);
  question.which_tile = which_tile;
  question.figure_taken = doubt.about == Doubt::About::kFigureTaken;
  return Conclude(ledger, QuestionAsked{std::move(question)});
}

std::variant<Conclusions, Refusal> Answer(Mind& mind, std::uint32_t id, int answer) {
  Ledger* const ledger = &mind.ledger;
  const auto& open = ledger->questions();
  const auto found =
      std::find_if(open.begin(), open.end(), [&](const Question& q) { return q.id == id; });
  if (found == open.end()) {
    return Refusal{"no-such-question", Text("Question ", id, " is not open."), {}};
  }
  if (answer < 0 || answer >= static_cast<int>(found->answers.size())) {
    return Refusal{"no-such-answer", Text("Question ", id, " has no such answer."), found->cells};
  }
  if (found->points_so_far) return Conclude(ledger, QuestionClosed{id, answer});
  if (found->table_cleared) {
    Conclusions concluded = Conclude(ledger, QuestionClosed{id, answer});
    if (answer == 0) concluded += EndGame(ledger);
    return concluded;
  }
  if (found->OfARiver()) return PlayWithRiver(mind, Question(*found), answer);
  if (found->playing_with) {
    const FigureKind kind = *found->playing_with;
    const std::vector<RuleOption> ways = OptionsThatBring(kind, mind.tiles());
    Conclusions concluded = Conclude(ledger, QuestionClosed{id, answer});
    if (answer < static_cast<int>(ways.size())) {
      concluded += PlayWith(mind, kind, ways[static_cast<std::size_t>(answer)]);
    }
    return concluded;
  }
  const Turn& chosen = found->answers[static_cast<std::size_t>(answer)].turn;
  const std::vector<Turn>& turns = ledger->game()->turns();
  const auto had = std::find_if(turns.begin(), turns.end(), [&](const Turn& turn) {
    return turn.cell == chosen.cell && !turn.set_aside;
  });
  if (had == turns.end()) {
    return Refusal{
        "no-such-turn", "The tile that was asked about no longer lies there.", {chosen.cell}};
  }
  const Turn is = TurnBy(mind.tiles(), *found, chosen, *had);
  Conclusions concluded;
  if (*had != is) {
    const int number = static_cast<int>(had - turns.begin()) + 1;
    Refusal refusal;
    int refused_at = 0;
    auto changed = TurnsIf(*ledger, number, is, &refusal, &refused_at);
    // Such a figure may not stand there: it is in no turn, and the next look says so.
    if (!changed && refused_at + 1 == number && is.deployment) {
      Turn without = is;
      without.deployment.reset();
      changed = TurnsIf(*ledger, number, without, &refusal, &refused_at);
    }
    if (!changed) {
      refusal.text = Text("Then turn ", refused_at + 1, " would not be legal: ", refusal.text);
      return refusal;
    }
    changed->erase(changed->begin(), changed->begin() + number - 1);
    concluded += Conclude(ledger, TurnsRevised{number, *std::move(changed), "answered by a player",
                                               RevisionCause::kAnswered});
  }
  concluded += Conclude(ledger, QuestionClosed{id, answer});
  return concluded;
}

Conclusions AskWhetherOver(Ledger* ledger) {
  const std::vector<Question>& open = ledger->questions();
  if (std::any_of(open.begin(), open.end(), [](const Question& q) { return q.table_cleared; })) {
    return {};
  }
  Question question;
  question.id = ledger->next_question_id();
  question.text = "The table has been cleared. Is the game over?";
  question.table_cleared = true;
  Turn nobodys;
  nobodys.player = -1;
  question.answers = {{"Yes, score it", {}, nobodys, 0.9}, {"No, we play on", {}, nobodys, 0.1}};
  return Conclude(ledger, QuestionAsked{std::move(question)});
}

Conclusions EndGame(Ledger* ledger) {
  const std::vector<Question> open = ledger->questions();
  Conclusions concluded;
  for (const Question& question : open) {
    if (question.table_cleared || question.playing_with || question.OfARiver()) {
      concluded += Conclude(ledger, QuestionClosed{question.id, -1});
    }
  }
  concluded += Conclude(ledger, GameEnded{ledger->game()->ScoreIfEndedNow()});
  return concluded;
}

Conclusions CloseQuestions(Mind& mind) {
  Ledger* const ledger = &mind.ledger;
  const std::vector<Question> open = ledger->questions();
  Conclusions concluded;
  for (const Question& question : open) {
    if (question.points_so_far || question.playing_with) continue;
    if (question.OfARiver() && ledger->game()->turns().empty()) continue;
    if (question.table_cleared || question.OfARiver()) {
      concluded += Conclude(ledger, QuestionClosed{question.id, -1});
      continue;
    }
    const bool back =
        question.figure_taken && mind.shown.figures.contains(question.answers.front().turn.cell);
    if (question.answers.size() >= 2 && !back && StillOpen(mind, question)) continue;
    concluded += Conclude(ledger, QuestionClosed{question.id, -1});
  }
  return concluded;
}

}  // namespace tilewarden::engine
