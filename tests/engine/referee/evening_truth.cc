// An evening's referee held against the truth: how its board lies, whether its turns are those
// that were played, what people answer it, and the report.
#include <algorithm>
#include <set>
#include <utility>

#include "engine/game/box_rules.h"
#include "engine/tiles/index.h"
#include "tests/engine/referee/evening.h"

namespace tilewarden::engine {
namespace {}  // namespace

// Whether the board was found as it lay.
bool Evening::CompareFound(const Game& game) {
  const std::vector<Turn> found = game.Found();
  std::map<Cell, PlacedFigure> figures;
  for (const PlacedFigure& figure : at_join_->Figures()) figures[figure.cell] = figure;
  bool right = found.size() == at_join_->PlacedTiles().size();
  for (const PlacedTile& laid : at_join_->PlacedTiles()) {
    ++report_.placements;
    const auto there = std::find_if(found.begin(), found.end(), [&](const Turn& tile) {
      return tile.cell == OnBoard(laid.cell);
    });
    const auto figure = figures.find(laid.cell);
    bool same = there != found.end() && there->tile == laid.tile &&
                faces_.Same(laid.tile, there->rotation, laid.rotation + turned_) &&
                there->deployment.has_value() == (figure != figures.end());
    if (same && there->deployment) {
      // A tile whose faces look the same may count its segments the other way round.
      same = game.players()[At(there->player)].colour == Colour(figure->second.player) &&
             there->deployment->kind == figure->second.kind &&
             (there->rotation != ((laid.rotation + turned_) & 3) ||
              there->deployment->segment == figure->second.segment);
    }
    if (same) continue;
    right = false;
    ++report_.wrong_placements;
    Note("found " + (there == found.end() ? std::string("nothing") : Describe(game, *there)) +
         ", not " + Type(laid.tile).id +
         (figure == figures.end() ? ""
                                  : " with " + Colour(figure->second.player) + " on segment " +
                                        std::to_string(figure->second.segment)));
  }
  return right;
}

Cell Evening::OnBoard(Cell in_truth) const {
  const Cell cell = Turned(in_truth, turned_);
  return {cell.x + shift_.x, cell.y + shift_.y};
}

void Evening::Locate() {
  const Game& game = *referee_.game();
  if (truth_.PlacedTiles().empty()) return;
  const PlacedTile& first = truth_.PlacedTiles().front();
  int most = -1;
  for (const PlacedTile& found : game.PlacedTiles()) {
    for (int turn = 0; turn < 4; ++turn) {
      if (found.tile != first.tile ||
          !faces_.Same(first.tile, found.rotation, first.rotation + turn))
        continue;
      const Cell there = Turned(first.cell, turn);
      const Cell shift = {found.cell.x - there.x, found.cell.y - there.y};
      int same = 0;
      for (const PlacedTile& laid : truth_.PlacedTiles()) {
        const Cell cell = Turned(laid.cell, turn);
        const PlacedTile* is = game.TileAt({cell.x + shift.x, cell.y + shift.y});
        same += is != nullptr && is->tile == laid.tile &&
                faces_.Same(laid.tile, is->rotation, laid.rotation + turn);
      }
      if (same <= most) continue;
      most = same;
      turned_ = turn;
      shift_ = shift;
    }
  }
}

std::optional<std::map<std::string, int>> Evening::PaidAtOnce(const Game& game, std::size_t turn,
                                                              const Turn& played) {
  if (game.turns().size() < turn) return std::nullopt;
  Game before = game;
  while (before.turns().size() > turn) before.Undo();
  const std::optional<Outcome> outcome = before.Apply(played);
  if (!outcome || std::none_of(outcome->returned.begin(), outcome->returned.end(),
                               [&](const PlacedFigure& f) { return f.cell == played.cell; })) {
    return std::nullopt;
  }
  std::map<std::string, int> points;
  for (const ScoreItem& item : outcome->items) {
    points[before.players()[At(item.player)].colour] += item.points;
  }
  return points;
}

bool Evening::SamePlay(const Game& game, const Turn& is, std::size_t number) const {
  const Turn& should = truth_.turns()[number];
  // Of two equal tiles that begin, nothing hangs on which was first.
  const PlacedTile& start = truth_.PlacedTiles().front();
  if (number == 0 && !is.deployment && !should.deployment && is.tile == should.tile &&
      start.tile == should.tile && start.turn == 0 && is.cell == OnBoard(start.cell) &&
      game.PlacedTiles().front().cell == OnBoard(should.cell)) {
    return true;
  }
  if (is.tile != should.tile || is.cell != OnBoard(should.cell) ||
      !faces_.Same(is.tile, is.rotation, should.rotation + turned_) || is.player < 0 ||
      game.players()[At(is.player)].colour != Colour(should.player) ||
      is.deployment.has_value() != should.deployment.has_value() ||
      is.recall.has_value() != should.recall.has_value() ||
      is.ark_landing.has_value() != should.ark_landing.has_value() ||
      is.ark_path.empty() != should.ark_path.empty()) {
    return false;
  }
  if (is.recall && *is.recall != OnBoard(*should.recall)) return false;
  if (is.ark_landing && *is.ark_landing != OnBoard(*should.ark_landing)) return false;
  if (!is.ark_path.empty() && is.ark_path.back() != OnBoard(should.ark_path.back())) {
    return false;
  }
  // A tile whose faces look the same may count its segments the other way round.
  if (!is.deployment || is.rotation != ((should.rotation + turned_) & 3) ||
      *is.deployment == *should.deployment) {
    return true;
  }
  const auto alike = [](FigureKind kind) {
    return kind == FigureKind::kLargeFollower ? FigureKind::kFollower : kind;
  };
  if (alike(is.deployment->kind) != alike(should.deployment->kind)) return false;
  const auto paid = PaidAtOnce(game, number - At(options_.join_after), is);
  return paid && paid == PaidAtOnce(truth_, number, should);
}

std::map<std::string, int> Evening::ArkPoints(const Game& game, std::size_t turn,
                                              const Turn& played) {
  std::map<std::string, int> points;
  Game before = game;
  while (before.turns().size() > turn) before.Undo();
  const std::optional<Outcome> outcome = before.Apply(played);
  if (!outcome) return points;
  for (const ScoreItem& item : outcome->items) {
    if (item.kind.starts_with("ark")) {
      points[before.players()[At(item.player)].colour] += item.points;
    }
  }
  return points;
}

// People answer what they are asked by what really happened.
void Evening::AnswerIfPlayedWith(const Question& question) {
  const std::vector<RuleOption> ways = OptionsThatBring(*question.playing_with, *tiles_);
  const auto is = std::find_if(ways.begin(), ways.end(), [&](const RuleOption& way) {
    return truth_.rules().ToMap().at(way.name) == way.value;
  });
  auto answered = referee_.Answer(question.id, static_cast<int>(is - ways.begin()));
  for (Event& event : std::get<std::vector<Event>>(answered)) log_.push_back(std::move(event));
}

void Evening::Answer() {
  if (referee_.questions().empty()) return;
  Locate();
  const std::vector<Question> open = referee_.questions();
  for (const Question& question : open) {
    if (question.playing_with) {
      if (table_.Chance() < 0.3) AnswerIfPlayedWith(question);
      continue;
    }
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
      const Turn& turn = question.answers[i].turn;
      std::size_t number = At(options_.join_after);
      while (number < truth_.turns().size() && !SamePlay(*referee_.game(), turn, number)) ++number;
      if (number == truth_.turns().size()) continue;
      if (!turn.ark_path.empty() && number < referee_.game()->turns().size() &&
          ArkPoints(*referee_.game(), number, turn) !=
              ArkPoints(truth_, number, truth_.turns()[number])) {
        continue;
      }
      auto answered = referee_.Answer(question.id, static_cast<int>(i));
      if (auto* events = std::get_if<std::vector<Event>>(&answered)) {
        for (Event& event : *events) log_.push_back(std::move(event));
      } else {
        Note("an answer was refused: " + std::get<Refusal>(answered).text);
      }
      break;
    }
  }
}

void Evening::Compare() {
  report_.games = 1;
  report_.events = log_.size();
  std::set<Cell> asked_about;
  for (const Event& event : log_) {
    const auto* asked = std::get_if<QuestionAsked>(&event);
    if (asked == nullptr || asked->question.points_so_far) continue;
    ++report_.questions;
    asked_about.insert(asked->question.cells.begin(), asked->question.cells.end());
  }
  bool exact = referee_.game() != nullptr;
  bool all_asked = exact;  // about each turn that is wrong
  std::map<std::string, int> scores, found_scores;
  for (const PlayerState& player : truth_.players()) {
    if (player.score != 0) scores[player.colour] = player.score;
  }
  if (exact) {
    const Game& game = *referee_.game();
    found_scores = joined_scores_;
    for (const PlayerState& player : game.players()) found_scores[player.colour] += player.score;
    for (const PointsChanged& change : referee_.points_by_hand()) {
      found_scores[change.colour] += change.points;
    }
    std::erase_if(found_scores, [](const auto& entry) { return entry.second == 0; });
    Locate();
    const std::size_t turns = truth_.turns().size();
    const std::size_t unseen = At(options_.join_after);
    exact = game.turns().size() + unseen == turns;
    report_.placements = static_cast<int>(turns - unseen);
    if (at_join_) exact = CompareFound(game) && exact;
    for (std::size_t i = unseen; i < turns; ++i) {
      const std::size_t k = i - unseen;
      if (k < game.turns().size() && SamePlay(game, game.turns()[k], i)) {
        continue;
      }
      ++report_.wrong_placements;
      exact = false;
      Turn should = truth_.turns()[i];
      should.cell = OnBoard(should.cell);
      should.rotation = (should.rotation + turned_) & 3;
      const bool told = k < game.turns().size();
      const bool asked =
          asked_about.contains(should.cell) || (told && asked_about.contains(game.turns()[k].cell));
      all_asked = all_asked && asked;
      Note("turn " + std::to_string(i + 1) + " should be " + Describe(truth_, should) +
           (told ? ", is " + Describe(game, game.turns()[k]) : "") +
           (asked ? "" : " (not asked about)"));
    }
    all_asked = all_asked && report_.wrong_placements > 0;
  }
  const bool scores_right = scores == found_scores;
  exact = exact && scores_right;
  report_.exact = exact;
  report_.exact_unasked = exact && report_.questions == 0;
  report_.exact_or_asked = exact || all_asked;
  report_.exact_one_asked = exact && report_.questions <= 1;
  report_.scores_right = scores_right;
  report_.wrong_unasked = !scores_right && !all_asked;
  const auto add_final = [](const Game& game, std::map<std::string, int>* totals) {
    for (const ScoreItem& item : game.ScoreIfEndedNow()) {
      (*totals)[game.players()[At(item.player)].colour] += item.points;
    }
    std::erase_if(*totals, [](const auto& entry) { return entry.second == 0; });
  };
  add_final(truth_, &scores);
  if (referee_.game() != nullptr) add_final(*referee_.game(), &found_scores);
  report_.totals_right = scores == found_scores;
  report_.totals_wrong_unasked = scores != found_scores && !all_asked;
  if (!exact && report_.notes.empty()) Note("scores or number of turns differ");
}

}  // namespace tilewarden::engine
