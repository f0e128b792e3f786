#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "services/convert/causes.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

using engine::Event;

v1::LoggedScore ScoreToProto(const engine::ScoreItem& item) {
  v1::LoggedScore out;
  out.set_player(item.player);
  out.set_points(item.points);
  out.set_kind(item.kind);
  out.set_reason(item.reason);
  for (const engine::Cell cell : item.cells) *out.add_cells() = ToProto(cell);
  out.set_turn(static_cast<std::uint32_t>(item.turn));
  return out;
}

v1::LoggedFigure FigureToProto(const engine::PlacedFigure& figure) {
  v1::LoggedFigure out;
  out.set_player(figure.player);
  out.set_kind(ToProto(figure.kind));
  *out.mutable_cell() = ToProto(figure.cell);
  out.set_segment(static_cast<std::uint32_t>(figure.segment));
  return out;
}

v1::Finding FindingToLog(const engine::Finding& finding) {
  v1::Finding out;
  out.set_id(finding.id);
  out.set_code(finding.code);
  out.set_severity(ToProto(finding.severity));
  for (const engine::Cell cell : finding.cells) *out.add_cells() = ToProto(cell);
  out.set_text(finding.text);
  if (finding.marker) {
    out.mutable_marker()->set_colour(finding.marker->colour);
    out.mutable_marker()->set_field(static_cast<std::uint32_t>(finding.marker->field));
    out.mutable_marker()->set_points(finding.marker->points);
  }
  if (finding.placement) {
    *out.mutable_tile()->mutable_cell() = ToProto(finding.placement->cell);
    out.mutable_tile()->set_rotation(static_cast<std::uint32_t>(finding.placement->rotation));
    out.mutable_tile()->set_tile(finding.tile);
  } else if (!finding.tile.empty()) {
    out.mutable_tile()->set_tile(finding.tile);
  }
  return out;
}

struct ToLogVisitor {
  const engine::TileSet& set;
  v1::LogRecord* out;

  void operator()(const engine::GameStarted& event) const {
    v1::LoggedStart* started = out->mutable_started();
    started->set_tile_set(event.tile_set);
    started->mutable_rules()->insert(event.rules.begin(), event.rules.end());
    for (const std::string& colour : event.colours) started->add_colours(colour);
    started->set_start_tile_laid(event.start_tile_laid);
    started->set_joined(event.joined);
  }
  void operator()(const engine::StartTileLaid& event) const {
    out->mutable_start_tile_laid()->set_rotation(static_cast<std::uint32_t>(event.rotation));
  }
  void operator()(const engine::BoardFound& event) const {
    v1::LoggedBoard* board = out->mutable_board_found();
    for (const std::string& colour : event.colours) board->add_colours(colour);
    for (const auto& tile : event.tiles) *board->add_tiles() = ToLog(tile, set);
    board->set_reason(event.reason);
    board->set_by_hand(event.cause == engine::RevisionCause::kCorrectedByHand);
    if (event.cause) board->set_cause(ToProto(*event.cause));
  }
  void operator()(const engine::PlayerJoined& event) const {
    out->mutable_player_joined()->set_colour(event.colour);
    out->mutable_player_joined()->set_position(static_cast<std::uint32_t>(event.position));
  }
  void operator()(const engine::TurnPlayed& event) const {
    v1::LoggedTurn* turn = out->mutable_turn_played();
    *turn->mutable_move() = ToLog(event.turn, set);
    if (event.turn.deployment) {
      turn->mutable_move()->mutable_deployment()->set_inferred(event.inferred);
    }
    turn->set_by_hand(event.by_hand);
    for (const auto& item : event.outcome.items) *turn->add_scores() = ScoreToProto(item);
    for (const auto& figure : event.outcome.returned) {
      *turn->add_returned() = FigureToProto(figure);
    }
  }
  void operator()(const engine::TurnsRevised& event) const {
    v1::LoggedRevision* revision = out->mutable_turns_revised();
    revision->set_number(static_cast<std::uint32_t>(event.number));
    for (const auto& turn : event.turns) *revision->add_moves() = ToLog(turn, set);
    revision->set_reason(event.reason);
    revision->set_cause(ToProto(event.cause));
  }
  void operator()(const engine::FindingRaised& event) const {
    *out->mutable_finding_raised() = FindingToLog(event.finding);
  }
  void operator()(const engine::FindingCleared& event) const {
    out->mutable_finding_cleared()->set_id(event.id);
  }
  void operator()(const engine::PlayersArranged& event) const {
    for (const std::string& colour : event.colours) {
      out->mutable_players_arranged()->add_colours(colour);
    }
  }
  void operator()(const engine::ClaimPending& event) const {
    *out->mutable_claim_pending()->mutable_cell() = ToProto(event.cell);
    *out->mutable_claim_pending()->mutable_deployment() = ToProto(event.deployment);
  }
  void operator()(const engine::QuestionAsked& event) const {
    v1::LoggedQuestion* question = out->mutable_question_asked();
    question->set_id(event.question.id);
    question->set_text(event.question.text);
    question->set_points_so_far(event.question.points_so_far);
    question->set_points_at_stake(static_cast<std::uint32_t>(event.question.points_at_stake));
    question->set_table_cleared(event.question.table_cleared);
    if (event.question.playing_with)
      question->set_playing_with(ToProto(*event.question.playing_with));
    question->set_which_tile(event.question.which_tile);
    question->set_figure_taken(event.question.figure_taken);
    for (const engine::Cell cell : event.question.cells) *question->add_cells() = ToProto(cell);
    for (const engine::Question::Answer& answer : event.question.answers) {
      v1::LoggedAnswer* logged = question->add_answers();
      logged->set_text(answer.text);
      for (const engine::Cell cell : answer.cells) *logged->add_cells() = ToProto(cell);
      *logged->mutable_move() = ToLog(answer.turn, set);
      logged->set_probability(answer.probability);
      logged->set_tile_set(answer.tile_set);
    }
  }
  void operator()(const engine::QuestionClosed& event) const {
    out->mutable_question_closed()->set_id(event.id);
    out->mutable_question_closed()->set_answer(event.answer);
  }
  void operator()(const engine::PointsChanged& event) const {
    v1::LoggedPoints* points = out->mutable_points_changed();
    points->set_colour(event.colour);
    points->set_points(event.points);
    points->set_reason(event.reason);
    points->set_turn(static_cast<std::uint32_t>(event.turn));
  }
  void operator()(const engine::RulesChanged& event) const {
    v1::LoggedRules* changed = out->mutable_rules_changed();
    changed->set_playing_with(ToProto(event.playing_with));
    changed->mutable_rules()->insert(event.rules.begin(), event.rules.end());
    changed->set_reason(event.reason);
    changed->set_taken_back(event.taken_back);
    changed->set_number(static_cast<std::uint32_t>(event.number));
    for (const auto& turn : event.turns) *changed->add_moves() = ToLog(turn, set);
    changed->set_tile_set(event.tile_set);
  }
  void operator()(const engine::GameEnded& event) const {
    v1::LoggedEnd* ended = out->mutable_ended();
    for (const auto& item : event.final_items) *ended->add_final_scores() = ScoreToProto(item);
  }
};

// Thrown inside this file only; FromLog turns it into DATA_LOSS.
struct Unreadable {
  std::string why;
};

template <typename Value>
Value OrUnreadable(absl::StatusOr<Value> value) {
  if (!value.ok()) throw Unreadable{std::string(value.status().message())};
  return *std::move(value);
}

engine::FigureKind KindFromLog(v1::FigureKind kind) {
  const auto out = FromProto(kind);
  if (!out.ok()) throw Unreadable{"it has a figure of no kind"};
  return *out;
}

engine::ScoreItem ScoreFromLog(const v1::LoggedScore& score) {
  engine::ScoreItem out;
  out.player = score.player();
  out.points = score.points();
  out.kind = score.kind();
  out.reason = score.reason();
  for (const v1::Cell& cell : score.cells()) out.cells.push_back(FromProto(cell));
  out.turn = static_cast<int>(score.turn());
  return out;
}

engine::Finding FindingFromLog(const v1::Finding& finding) {
  engine::Finding out;
  out.id = finding.id();
  out.code = finding.code();
  const auto severity = FromProto(finding.severity());
  if (!severity.ok()) throw Unreadable{"it has a finding without severity"};
  out.severity = *severity;
  for (const v1::Cell& cell : finding.cells()) out.cells.push_back(FromProto(cell));
  out.text = finding.text();
  if (finding.has_marker()) {
    const v1::MarkerAstray& marker = finding.marker();
    out.marker = {marker.colour(), static_cast<int>(marker.field()), marker.points()};
  }
  out.tile = finding.tile().tile();
  if (finding.tile().has_cell()) {
    out.placement = engine::Placement{FromProto(finding.tile().cell()),
                                      static_cast<int>(finding.tile().rotation() & 3)};
  }
  return out;
}

engine::Question QuestionFromLog(const v1::LoggedQuestion& question, const engine::TileSet& set) {
  engine::Question out;
  out.id = question.id();
  out.text = question.text();
  out.points_so_far = question.points_so_far();
  out.points_at_stake = static_cast<int>(question.points_at_stake());
  out.table_cleared = question.table_cleared();
  if (question.playing_with() != v1::FIGURE_KIND_UNSPECIFIED) {
    out.playing_with = KindFromLog(question.playing_with());
  }
  out.which_tile = question.which_tile();
  out.figure_taken = question.figure_taken();
  for (const v1::Cell& cell : question.cells()) out.cells.push_back(FromProto(cell));
  for (const v1::LoggedAnswer& answer : question.answers()) {
    engine::Question::Answer& a = out.answers.emplace_back();
    a.text = answer.text();
    for (const v1::Cell& cell : answer.cells()) a.cells.push_back(FromProto(cell));
    a.turn = OrUnreadable(FromLog(answer.move(), set));
    a.probability = answer.probability();
    a.tile_set = answer.tile_set();
  }
  return out;
}

Event Read(const v1::LogRecord& record, const engine::TileSet& set) {
  switch (record.event_case()) {
    case v1::LogRecord::kStarted: {
      engine::GameStarted out;
      out.tile_set = record.started().tile_set();
      out.rules.insert(record.started().rules().begin(), record.started().rules().end());
      out.colours.assign(record.started().colours().begin(), record.started().colours().end());
      out.start_tile_laid = record.started().start_tile_laid();
      out.joined = record.started().joined();
      return out;
    }
    case v1::LogRecord::kStartTileLaid:
      return engine::StartTileLaid{static_cast<int>(record.start_tile_laid().rotation())};
    case v1::LogRecord::kBoardFound: {
      const v1::LoggedBoard& board = record.board_found();
      engine::BoardFound out;
      out.colours.assign(board.colours().begin(), board.colours().end());
      for (const auto& tile : board.tiles()) out.tiles.push_back(OrUnreadable(FromLog(tile, set)));
      out.reason = board.reason();
      out.cause = OrUnreadable(CauseOf(board));
      return out;
    }
    case v1::LogRecord::kPlayerJoined:
      return engine::PlayerJoined{record.player_joined().colour(),
                                  static_cast<int>(record.player_joined().position())};
    case v1::LogRecord::kTurnPlayed: {
      engine::TurnPlayed out;
      out.turn = OrUnreadable(FromLog(record.turn_played().move(), set));
      out.inferred = record.turn_played().move().deployment().inferred();
      out.by_hand = record.turn_played().by_hand();
      for (const auto& score : record.turn_played().scores()) {
        out.outcome.items.push_back(ScoreFromLog(score));
      }
      for (const auto& figure : record.turn_played().returned()) {
        out.outcome.returned.push_back({figure.player(), KindFromLog(figure.kind()),
                                        FromProto(figure.cell()),
                                        static_cast<int>(figure.segment())});
      }
      return out;
    }
    case v1::LogRecord::kTurnsRevised: {
      engine::TurnsRevised out;
      out.number = static_cast<int>(record.turns_revised().number());
      for (const auto& move : record.turns_revised().moves()) {
        out.turns.push_back(OrUnreadable(FromLog(move, set)));
      }
      out.reason = record.turns_revised().reason();
      out.cause = OrUnreadable(CauseOf(record.turns_revised()));
      return out;
    }
    case v1::LogRecord::kFindingRaised:
      return engine::FindingRaised{FindingFromLog(record.finding_raised())};
    case v1::LogRecord::kFindingCleared:
      return engine::FindingCleared{record.finding_cleared().id()};
    case v1::LogRecord::kEnded: {
      engine::GameEnded out;
      for (const auto& score : record.ended().final_scores()) {
        out.final_items.push_back(ScoreFromLog(score));
      }
      return out;
    }
    case v1::LogRecord::kPlayersArranged: {
      const auto& colours = record.players_arranged().colours();
      return engine::PlayersArranged{{colours.begin(), colours.end()}};
    }
    case v1::LogRecord::kClaimPending:
      return engine::ClaimPending{
          FromProto(record.claim_pending().cell()),
          {KindFromLog(record.claim_pending().deployment().kind()),
           static_cast<int>(record.claim_pending().deployment().segment())}};
    case v1::LogRecord::kQuestionAsked:
      return engine::QuestionAsked{QuestionFromLog(record.question_asked(), set)};
    case v1::LogRecord::kQuestionClosed:
      return engine::QuestionClosed{record.question_closed().id(),
                                    record.question_closed().answer()};
    case v1::LogRecord::kPointsChanged:
      return engine::PointsChanged{
          record.points_changed().colour(), record.points_changed().points(),
          record.points_changed().reason(), static_cast<int>(record.points_changed().turn())};
    case v1::LogRecord::kRulesChanged: {
      const v1::LoggedRules& changed = record.rules_changed();
      engine::RulesChanged out{KindFromLog(changed.playing_with()),
                               {changed.rules().begin(), changed.rules().end()},
                               changed.reason(),
                               changed.taken_back(),
                               static_cast<int>(changed.number())};
      for (const auto& move : changed.moves()) {
        out.turns.push_back(OrUnreadable(FromLog(move, set)));
      }
      out.tile_set = changed.tile_set();
      return out;
    }
    // Nothing of play: the table takes them.
    case v1::LogRecord::kLabelled:
    case v1::LogRecord::kRefereeCalled:
    case v1::LogRecord::kThinkingLimited:
    case v1::LogRecord::EVENT_NOT_SET:
      break;
  }
  throw Unreadable{"this program does not know what it says"};
}

}  // namespace

v1::LogRecord ToLog(const engine::Event& event, const engine::TileSet& set) {
  v1::LogRecord out;
  std::visit(ToLogVisitor{set, &out}, event);
  return out;
}

absl::StatusOr<engine::Event> FromLog(const v1::LogRecord& record, const engine::TileSet& set) {
  try {
    return Read(record, set);
  } catch (const Unreadable& error) {
    return absl::DataLossError(absl::StrCat("a record of the log cannot be read: ", error.why));
  }
}

absl::StatusOr<std::shared_ptr<const TileArt>> ArtAfter(const engine::Event& event,
                                                        std::shared_ptr<const TileArt> art,
                                                        TileSets* tile_sets) {
  const auto* changed = std::get_if<engine::RulesChanged>(&event);
  if (changed == nullptr || changed->tile_set.empty()) return art;
  return tile_sets->Get(changed->tile_set, art->own);
}

engine::RefereeOptions JudgingWith(TileSets* tile_sets, const TileArt& begun_with) {
  engine::RefereeOptions options;
  options.find_tile_set =
      [tile_sets, own = begun_with.own](
          const std::string& id) -> absl::StatusOr<std::shared_ptr<const engine::TileSet>> {
    const auto art = tile_sets->Get(id, own);
    if (!art.ok()) return art.status();
    return (*art)->set;
  };
  return options;
}

}  // namespace tilewarden::services
