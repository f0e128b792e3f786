#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/numbers.h"
#include "engine/tiles/index.h"
#include "services/convert/convert.h"

namespace tilewarden::services {
namespace {

using engine::Game;
using engine::Referee;

// Everything that one message needs, looked up once.
class Writer {
 public:
  Writer(const GameHeader& header, const TileArt* art, const Referee& referee)
      : header_(header), art_(art), referee_(referee), game_(referee.game()) {
    if (game_ == nullptr) return;
    live_ = referee.ended() ? referee.final_items() : game_->ScoreIfEndedNow();
  }

  std::string Colour(int player) const {
    if (game_ == nullptr || player < 0 || engine::At(player) >= game_->players().size()) return "";
    return game_->players()[engine::At(player)].colour;
  }

  std::string ToMove() const { return referee_.ended() ? "" : Colour(referee_.to_move()); }

  v1::GamePhase Phase() const {
    if (referee_.ended()) return v1::GAME_PHASE_ENDED;
    return game_ == nullptr ? v1::GAME_PHASE_WAITING : v1::GAME_PHASE_PLAYING;
  }

  std::vector<v1::Player> Players() const {
    std::vector<v1::Player> out;
    if (game_ == nullptr) {
      for (const std::string& colour : header_.started.colours) {
        v1::Player& player = out.emplace_back();
        player.set_colour(colour);
        player.set_name(NameOf(colour));
        player.set_supply(StartingSupply());
      }
      return out;
    }
    for (std::size_t i = 0; i < game_->players().size(); ++i) {
      const engine::PlayerState& state = game_->players()[i];
      int live = state.score;
      for (const engine::ScoreItem& item : live_) {
        if (engine::At(item.player) == i) live += item.points;
      }
      int by_hand = 0;
      for (const engine::PointsChanged& change : referee_.points_by_hand()) {
        if (change.colour == state.colour) by_hand += change.points;
      }
      live += by_hand;
      v1::Player& player = out.emplace_back();
      player.set_colour(state.colour);
      player.set_name(NameOf(state.colour));
      player.set_score(referee_.ended() ? live : state.score + by_hand);
      player.set_live_score(live);
      player.set_supply(state.followers());
      player.set_abbot_in_supply(state.abbots() > 0);
      AddSpecialFigures(state, &player);
      for (const auto& [goods, count] : game_->TokensOf(static_cast<int>(i))) {
        (*player.mutable_goods())[std::string(engine::ToString(goods))] =
            static_cast<std::uint32_t>(count);
      }
    }
    return out;
  }

  // Of a game that has ended, in the order of the players.
  void AddResults(v1::GameSummary* out) const {
    if (!referee_.ended() || game_ == nullptr) return;
    int most = std::numeric_limits<int>::min();
    for (const v1::Player& player : out->players()) most = std::max(most, player.score());
    // Who plays alone beats nobody.
    const bool won = out->players_size() > 1;
    for (const v1::Player& player : out->players()) {
      out->add_results()->set_won(won && player.score() == most);
    }
    for (const engine::ScoreItem& item : game_->score_items()) AddToResult(item, out);
    for (const engine::ScoreItem& item : live_) AddToResult(item, out);
  }

  void AddSpecialFigures(const engine::PlayerState& state, v1::Player* out) const {
    for (const engine::FigureKindEntry& entry : engine::AllFigureKinds()) {
      const bool special = entry.kind != engine::FigureKind::kFollower;
      if (!special || entry.supply(game_->rules()) == 0) continue;
      v1::FigureSupply* supply = out->add_special_figures();
      supply->set_kind(ToProto(entry.kind));
      supply->set_count(static_cast<std::uint32_t>(std::max(0, state.Supply(entry.kind))));
    }
  }

  // Those that stand on the board, appended.
  template <typename Figures>
  void AddNeutralFigures(Figures* out) const {
    for (const engine::FigureKindEntry& entry : engine::AllFigureKinds()) {
      if (!entry.neutral) continue;
      const std::optional<engine::Place> place = game_->Standing(entry.kind);
      if (!place) continue;
      v1::PlacedFigure& figure = *out->Add();
      figure = Figure({-1, entry.kind, place->cell, place->segment});
      // The Ark stands on a tile and on none of its features.
      if (entry.kind == engine::FigureKind::kArk)
        *figure.mutable_spot() = ToProto(engine::Point{0.5, 0.5});
    }
  }

  v1::ScoreItem Item(const engine::ScoreItem& item) const {
    v1::ScoreItem out;
    out.set_colour(Colour(item.player));
    out.set_points(item.points);
    out.set_kind(item.kind);
    out.set_reason(item.reason);
    for (const engine::Cell cell : item.cells) *out.add_cells() = ToProto(cell);
    out.set_turn(static_cast<std::uint32_t>(item.turn));
    return out;
  }

  v1::ScoreItem Item(const engine::PointsChanged& change) const {
    v1::ScoreItem out;
    out.set_colour(change.colour);
    out.set_points(change.points);
    out.set_kind("by-hand");
    out.set_reason(change.reason);
    out.set_turn(static_cast<std::uint32_t>(std::max(1, change.turn)));
    return out;
  }

  // Points of the turns and by hand, oldest first.
  void AddItems(v1::GameState* out) const {
    auto by_hand = referee_.points_by_hand().begin();
    const auto end = referee_.points_by_hand().end();
    for (const auto& item : game_->score_items()) {
      for (; by_hand != end && by_hand->turn < item.turn; ++by_hand) {
        *out->add_score_items() = Item(*by_hand);
      }
      *out->add_score_items() = Item(item);
    }
    for (; by_hand != end; ++by_hand) *out->add_score_items() = Item(*by_hand);
  }

  v1::PlacedTile Tile(const engine::PlacedTile& tile) const {
    v1::PlacedTile out;
    *out.mutable_cell() = ToProto(tile.cell);
    out.set_tile(Type(tile.tile).id);
    out.set_rotation(static_cast<std::uint32_t>(tile.rotation));
    out.set_turn(static_cast<std::uint32_t>(tile.turn));
    out.set_colour(Colour(tile.player));
    return out;
  }

  v1::PlacedFigure Figure(const engine::PlacedFigure& figure) const {
    v1::PlacedFigure out;
    out.set_colour(Colour(figure.player));
    out.set_kind(ToProto(figure.kind));
    *out.mutable_cell() = ToProto(figure.cell);
    out.set_segment(static_cast<std::uint32_t>(figure.segment));
    const engine::PlacedTile* tile = game_->TileAt(figure.cell);
    if (tile == nullptr) return out;
    const auto segment = engine::At(figure.segment);
    const engine::SegmentKind feature = Type(tile->tile).segments[segment].kind;
    out.set_feature(ToProto(feature));
    const bool lies =
        feature == engine::SegmentKind::kField && figure.kind != engine::FigureKind::kPig;
    out.set_pose(lies ? v1::POSE_LYING : v1::POSE_STANDING);
    *out.mutable_spot() = ToProto(engine::RotatedPoint(
        art_->layouts[engine::At(tile->tile)].segments[segment].spot, tile->rotation));
    return out;
  }

  v1::Finding Finding(const engine::Finding& finding) const {
    v1::LogRecord record = ToLog(engine::FindingRaised{finding}, *art_->set);
    return std::move(*record.mutable_finding_raised());
  }

  v1::Question Question(const engine::Question& question) const {
    v1::Question out;
    out.set_id(question.id);
    out.set_text(question.text);
    for (const engine::Cell cell : question.cells) *out.add_cells() = ToProto(cell);
    out.set_points_so_far(question.points_so_far);
    out.set_points_at_stake(static_cast<std::uint32_t>(question.points_at_stake));
    out.set_table_cleared(question.table_cleared);
    if (question.playing_with) out.set_playing_with(ToProto(*question.playing_with));
    out.set_which_tile(question.which_tile);
    out.set_figure_taken(question.figure_taken);
    for (const engine::Question::Answer& answer : question.answers) {
      v1::Answer* a = out.add_answers();
      a->set_text(answer.text);
      for (const engine::Cell cell : answer.cells) *a->add_cells() = ToProto(cell);
      a->set_probability(answer.probability);
      a->set_tile_set(answer.tile_set);
      if (!question.OfATurn() || game_ == nullptr) continue;
      *a->mutable_turn() = ToProto(answer.turn, *game_);
    }
    return out;
  }

  v1::GameState State(std::uint64_t event_number) const {
    v1::GameState out;
    out.set_game_id(header_.id);
    out.set_name(header_.name);
    out.set_phase(Phase());
    out.set_tile_set(referee_.tile_set()->id());
    if (art_ != nullptr) out.set_tile_edition(art_->edition);
    for (const auto& [name, value] : referee_.rules().ToMap()) (*out.mutable_rules())[name] = value;
    if (const auto kind = referee_.undo_playing_with()) out.set_undo_playing_with(ToProto(*kind));
    out.set_undo_river(referee_.undo_river());
    for (v1::Player& player : Players()) *out.add_players() = std::move(player);
    out.set_to_move(ToMove());
    out.set_event_number(event_number);
    out.set_corrected_after_end(static_cast<std::uint32_t>(referee_.corrected_after_end()));
    out.set_by_hand(header_.by_hand);
    if (header_.hall.call) *out.mutable_call() = *header_.hall.call;
    *out.mutable_clock() = header_.hall.clock;
    // What was open at the end is of no use any more.
    if (!referee_.ended()) {
      for (const auto& finding : referee_.findings()) *out.add_findings() = Finding(finding);
      for (const auto& question : referee_.questions()) *out.add_questions() = Question(question);
    }
    if (game_ == nullptr) return out;
    out.set_turn(static_cast<std::uint32_t>(game_->turns().size()));
    for (const auto& tile : game_->PlacedTiles()) *out.add_tiles() = Tile(tile);
    for (const auto& figure : game_->Figures()) *out.add_figures() = Figure(figure);
    AddNeutralFigures(out.mutable_neutral_figures());
    AddItems(&out);
    for (const auto& item : live_) {
      *(referee_.ended() ? out.add_score_items() : out.add_live_items()) = Item(item);
    }
    for (std::size_t i = 0; i < art_->set->types().size(); ++i) {
      (*out.mutable_tiles_left())[art_->set->types()[i].id] =
          static_cast<std::uint32_t>(std::max(0, game_->TilesLeft(static_cast<int>(i))));
    }
    return out;
  }

  const Game* game() const { return game_; }

 private:
  std::string NameOf(const std::string& colour) const {
    const auto found = header_.names.find(colour);
    return found == header_.names.end() ? colour : found->second;
  }

  const engine::TileType& Type(int tile) const { return art_->set->types()[engine::At(tile)]; }

  static void AddToResult(const engine::ScoreItem& item, v1::GameSummary* out) {
    if (item.player < 0 || item.player >= out->results_size() || item.points <= 0) return;
    v1::PlayerResult* result = out->mutable_results(item.player);
    const auto points = static_cast<std::uint32_t>(item.points);
    const auto is = [&](engine::SegmentKind kind) {
      const std::string word(engine::ToString(kind));
      return item.kind == word || item.kind == word + ".incomplete";
    };
    if (is(engine::SegmentKind::kRoad)) {
      result->set_best_road(std::max(result->best_road(), points));
    } else if (is(engine::SegmentKind::kCity)) {
      result->set_best_city(std::max(result->best_city(), points));
    } else if (is(engine::SegmentKind::kField)) {
      result->set_farm_points(result->farm_points() + points);
    }
  }

  int StartingSupply() const {
    int followers = engine::Rules().followers;
    const auto option = header_.started.rules.find("followers");
    if (option != header_.started.rules.end()) (void)absl::SimpleAtoi(option->second, &followers);
    return followers;
  }

  const GameHeader& header_;
  const TileArt* art_;
  const Referee& referee_;
  const Game* game_;
  std::vector<engine::ScoreItem> live_;  // final items once ended
};

struct EventVisitor {
  const Writer& writer;
  v1::GameEvent* out;

  void Revised(std::string reason) const {
    out->mutable_revised()->set_reason(std::move(reason));
    *out->mutable_revised()->mutable_state() = writer.State(out->number());
  }

  void operator()(const engine::GameStarted&) const {
    *out->mutable_created() = writer.State(out->number());
  }
  void operator()(const engine::StartTileLaid&) const {
    Revised("The start tile is on the table.");
  }
  void operator()(const engine::BoardFound& event) const {
    Revised(event.cause ? event.reason : "The game starts from the board on the table.");
  }
  void operator()(const engine::PlayerJoined& event) const {
    for (v1::Player& player : writer.Players()) {
      if (player.colour() == event.colour) {
        *out->mutable_player_joined()->mutable_player() = std::move(player);
      }
    }
  }
  void operator()(const engine::TurnPlayed& event) const {
    v1::TurnPlayed* played = out->mutable_turn_played();
    const Game& game = *writer.game();
    played->set_turn(static_cast<std::uint32_t>(game.turns().size()));
    if (const engine::PlacedTile* tile = game.TileAt(event.turn.cell)) {
      *played->mutable_tile() = writer.Tile(*tile);
    }
    if (event.turn.deployment) {
      *played->mutable_deployment() = ToProto(*event.turn.deployment);
      played->mutable_deployment()->set_inferred(event.inferred);
      for (const engine::PlacedFigure& figure : game.Figures()) {
        if (figure.cell == event.turn.cell && figure.segment == event.turn.deployment->segment) {
          *played->mutable_deployed() = writer.Figure(figure);
        }
      }
    }
    for (const auto& item : event.outcome.items) *played->add_score_items() = writer.Item(item);
    for (const auto& figure : event.outcome.returned) {
      *played->add_returned() = writer.Figure(figure);
    }
    writer.AddNeutralFigures(played->mutable_neutral_figures());
  }
  void operator()(const engine::TurnsRevised& event) const { Revised(event.reason); }
  void operator()(const engine::FindingRaised& event) const {
    *out->mutable_finding_raised() = writer.Finding(event.finding);
  }
  void operator()(const engine::FindingCleared& event) const {
    out->mutable_finding_cleared()->set_id(event.id);
  }
  void operator()(const engine::PlayersArranged&) const { Revised("The players are known now."); }
  void operator()(const engine::ClaimPending&) const { Revised("A claim was inferred."); }
  void operator()(const engine::PointsChanged& event) const { Revised(event.reason); }
  void operator()(const engine::RulesChanged& event) const { Revised(event.reason); }
  void operator()(const engine::QuestionAsked& event) const {
    *out->mutable_question_asked() = writer.Question(event.question);
  }
  void operator()(const engine::QuestionClosed& event) const {
    out->mutable_question_closed()->set_id(event.id);
  }
  void operator()(const engine::GameEnded& event) const {
    v1::GameEnded* ended = out->mutable_ended();
    for (const auto& item : event.final_items) *ended->add_final_items() = writer.Item(item);
    int most = 0;
    for (const v1::Player& player : writer.Players()) most = std::max(most, player.score());
    for (const v1::Player& player : writer.Players()) {
      if (player.score() == most) ended->add_winners(player.colour());
    }
  }
};

}  // namespace

v1::GameState StateToProto(const GameHeader& header, const TileArt& art, const Referee& referee,
                           std::uint64_t event_number) {
  return Writer(header, &art, referee).State(event_number);
}

v1::GameEvent EventToProto(const GameHeader& header, const TileArt& art, const engine::Event& event,
                           const Referee& after, std::uint64_t number, std::int64_t time_ms) {
  const Writer writer(header, &art, after);
  v1::GameEvent out;
  out.set_number(number);
  out.set_time_ms(time_ms);
  std::visit(EventVisitor{writer, &out}, event);
  for (v1::Player& player : writer.Players()) *out.add_players() = std::move(player);
  out.set_to_move(writer.ToMove());
  *out.mutable_clock() = header.hall.clock;
  return out;
}

v1::GameSummary SummaryToProto(const GameHeader& header, const Referee& referee,
                               std::int64_t created_ms) {
  const Writer writer(header, nullptr, referee);
  v1::GameSummary out;
  out.set_game_id(header.id);
  out.set_name(header.name);
  out.set_phase(writer.Phase());
  if (referee.game() != nullptr) {
    out.set_turn(static_cast<std::uint32_t>(referee.game()->turns().size()));
  }
  for (v1::Player& player : writer.Players()) *out.add_players() = std::move(player);
  out.set_created_ms(created_ms);
  out.set_open_findings(static_cast<std::uint32_t>(referee.findings().size()));
  out.set_to_move(writer.ToMove());
  out.set_by_hand(header.by_hand);
  out.set_archived(header.archived);
  out.set_table(header.table);
  out.set_open_questions(static_cast<std::uint32_t>(referee.questions().size()));
  out.set_troubled_since_ms(header.hall.troubled_since_ms);
  if (header.hall.call) *out.mutable_call() = *header.hall.call;
  *out.mutable_clock() = header.hall.clock;
  writer.AddResults(&out);
  return out;
}

v1::Refusal ToProto(const engine::Refusal& refusal) {
  v1::Refusal out;
  out.set_code(refusal.code);
  out.set_text(refusal.text);
  for (const engine::Cell cell : refusal.cells) *out.add_cells() = ToProto(cell);
  for (const engine::Place& place : refusal.places) *out.add_places() = ToProto(place);
  return out;
}

}  // namespace tilewarden::services
