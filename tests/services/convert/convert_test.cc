#include "services/convert/convert.h"

#include <google/protobuf/util/message_differencer.h>

#include <set>

#include "gtest/gtest.h"
#include "services/boxes/edition.h"
#include "tests/services/support/full_turn.h"
#include "tests/services/support/played_game.h"

namespace tilewarden::services {
namespace {

using google::protobuf::util::MessageDifferencer;

TEST(Convert, EveryFigureKindGoesRound) {
  for (int i = v1::FigureKind_MIN + 1; i <= v1::FigureKind_MAX; ++i) {
    const auto kind = FromProto(static_cast<v1::FigureKind>(i));
    ASSERT_TRUE(kind.ok()) << i;
    EXPECT_EQ(ToProto(*kind), i);
    // The camera's kinds are the engine's, in the same order, as far as it has any.
    if (*kind <= engine::FigureKind::kLargeFollower) {
      EXPECT_EQ(ToProto(static_cast<vision::FigureKind>(*kind)), i);
    }
  }
  EXPECT_FALSE(FromProto(v1::FIGURE_KIND_UNSPECIFIED).ok());
  EXPECT_FALSE(FromProto(static_cast<v1::FigureKind>(99)).ok());
}

TEST(Convert, EverySeverityGoesRound) {
  for (int i = v1::Severity_MIN + 1; i <= v1::Severity_MAX; ++i) {
    const auto severity = FromProto(static_cast<v1::Severity>(i));
    ASSERT_TRUE(severity.ok()) << i;
    EXPECT_EQ(ToProto(*severity), i);
  }
  EXPECT_FALSE(FromProto(v1::SEVERITY_UNSPECIFIED).ok());
}

TEST(Convert, EverySegmentKindHasAWordOfItsOwn) {
  std::set<v1::SegmentKind> seen;
  for (const auto kind :
       {engine::SegmentKind::kCity, engine::SegmentKind::kRoad, engine::SegmentKind::kField,
        engine::SegmentKind::kRiver, engine::SegmentKind::kMonastery, engine::SegmentKind::kGarden,
        engine::SegmentKind::kTemple}) {
    EXPECT_NE(ToProto(kind), v1::SEGMENT_KIND_UNSPECIFIED);
    seen.insert(ToProto(kind));
  }
  EXPECT_EQ(static_cast<int>(seen.size()), v1::SegmentKind_ARRAYSIZE - 1);
}

TEST(Convert, RefusalsNameTheirSegments) {
  const v1::Refusal out = ToProto(engine::Refusal{"code", "Text.", {{1, 2}}, {{{1, 2}, 3}}});
  ASSERT_EQ(out.places_size(), 1);
  EXPECT_EQ(out.places(0).cell().y(), 2);
  EXPECT_EQ(out.places(0).segment(), 3U);
}

TEST(Convert, EveryEventOfTheLogGoesRound) {
  const auto set = *engine::TileSet::Load("base.c1");
  const engine::Turn turn = FullTurn(*set);
  engine::Turn nobody = turn;
  nobody.player = -1;
  nobody.deployment.reset();
  const engine::ScoreItem item{1, 8, "city", "completed city: 4 tiles", {{0, 0}, {0, 1}}, 7};
  const engine::PlacedFigure figure{1, engine::FigureKind::kProphet, {2, -2}, 3};
  engine::Finding finding;
  finding.id = 4;
  finding.code = "edge-mismatch";
  finding.severity = engine::Severity::kIllegal;
  finding.cells = {{1, 2}};
  finding.text = "The road does not go on.";
  finding.placement = engine::Placement{{1, 2}, 2};
  finding.tile = "B.U";
  engine::Question question;
  question.id = 9;
  question.text = "Whose follower is this?";
  question.cells = {{1, 2}};
  question.answers = {{"red", {{1, 2}}, turn, 0.6, "base.c1+river1.c1"},
                      {"nobody's", {}, nobody, 0.4}};
  question.points_so_far = true;
  question.points_at_stake = 7;
  question.playing_with = engine::FigureKind::kAbbot;
  question.which_tile = true;
  question.figure_taken = true;
  const std::vector<engine::Event> events = {
      engine::GameStarted{"base.c1", {{"farmers", "true"}}, {"red", "blue"}, true, true},
      engine::StartTileLaid{3},
      engine::PlayerJoined{"green", 2},
      engine::TurnPlayed{turn, true, true, {{item}, {figure}, false}},
      engine::TurnsRevised{5, {turn, nobody}, "corrected", engine::RevisionCause::kAnswered},
      engine::FindingRaised{finding},
      engine::FindingCleared{4},
      engine::GameEnded{{item}},
      engine::PlayersArranged{{"blue", "red"}},
      engine::ClaimPending{{1, 2}, *turn.deployment},
      engine::QuestionAsked{question},
      engine::QuestionClosed{9, 1},
      engine::PointsChanged{"red", -3, "counted twice", 12},
      engine::BoardFound{
          {"red"}, {turn, nobody}, "read better", engine::RevisionCause::kCorrectedByHand},
      engine::RulesChanged{engine::FigureKind::kAbbot,
                           {{"abbot", "false"}},
                           "an answer was taken back",
                           true,
                           5,
                           {turn, nobody},
                           "base.c1+river1.c1"}};
  ASSERT_EQ(events.size(), std::variant_size_v<engine::Event>);
  for (const engine::Event& event : events) {
    const v1::LogRecord record = ToLog(event, *set);
    v1::LogRecord stored;
    ASSERT_TRUE(stored.ParseFromString(record.SerializeAsString()));
    const auto back = FromLog(stored, *set);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(back->index(), event.index());
    EXPECT_TRUE(MessageDifferencer::Equals(ToLog(*back, *set), record)) << record.DebugString();
  }
  const auto played = FromLog(ToLog(events[3], *set), *set);
  EXPECT_EQ(std::get<engine::TurnPlayed>(*played).turn, turn);
  EXPECT_TRUE(std::get<engine::TurnPlayed>(*played).inferred);
  EXPECT_TRUE(std::get<engine::TurnPlayed>(*played).by_hand);
  EXPECT_EQ(std::get<engine::TurnPlayed>(*played).outcome.returned[0], figure);
  const auto revised = FromLog(ToLog(events[4], *set), *set);
  EXPECT_EQ(std::get<engine::TurnsRevised>(*revised).turns[1], nobody);
  EXPECT_EQ(std::get<engine::TurnsRevised>(*revised).cause, engine::RevisionCause::kAnswered);
  const auto changed = FromLog(ToLog(events[12], *set), *set);
  EXPECT_EQ(std::get<engine::PointsChanged>(*changed).points, -3);
  const auto found = FromLog(ToLog(events[13], *set), *set);
  EXPECT_EQ(std::get<engine::BoardFound>(*found).tiles[0], turn);
  EXPECT_EQ(std::get<engine::BoardFound>(*found).colours[0], "red");
  EXPECT_EQ(std::get<engine::BoardFound>(*found).reason, "read better");
  EXPECT_EQ(std::get<engine::BoardFound>(*found).cause, engine::RevisionCause::kCorrectedByHand);
  const auto asked = FromLog(ToLog(events[10], *set), *set);
  EXPECT_EQ(std::get<engine::QuestionAsked>(*asked).question.answers[1].turn, nobody);
  EXPECT_TRUE(std::get<engine::QuestionAsked>(*asked).question.points_so_far);
  EXPECT_EQ(std::get<engine::QuestionAsked>(*asked).question.points_at_stake, 7);
  EXPECT_TRUE(std::get<engine::QuestionAsked>(*asked).question.which_tile);
  EXPECT_TRUE(std::get<engine::QuestionAsked>(*asked).question.figure_taken);
  EXPECT_EQ(std::get<engine::QuestionAsked>(*asked).question.playing_with,
            engine::FigureKind::kAbbot);
  EXPECT_EQ(std::get<engine::QuestionAsked>(*asked).question.answers[0].tile_set,
            "base.c1+river1.c1");
  const auto rules = FromLog(ToLog(events[14], *set), *set);
  EXPECT_EQ(std::get<engine::RulesChanged>(*rules).playing_with, engine::FigureKind::kAbbot);
  EXPECT_EQ(std::get<engine::RulesChanged>(*rules).rules.at("abbot"), "false");
  EXPECT_TRUE(std::get<engine::RulesChanged>(*rules).taken_back);
  EXPECT_EQ(std::get<engine::RulesChanged>(*rules).number, 5);
  EXPECT_EQ(std::get<engine::RulesChanged>(*rules).turns, (std::vector{turn, nobody}));
  EXPECT_EQ(std::get<engine::RulesChanged>(*rules).tile_set, "base.c1+river1.c1");
}

TEST(Convert, EveryCauseOfARevisionGoesRoundWhateverItsSentence) {
  const auto set = *engine::TileSet::Load("base.c1");
  for (int i = v1::RevisionCause_MIN + 1; i <= v1::RevisionCause_MAX; ++i) {
    v1::LogRecord record;
    record.mutable_turns_revised()->set_number(1);
    record.mutable_turns_revised()->set_reason("in other words");
    record.mutable_turns_revised()->set_cause(static_cast<v1::RevisionCause>(i));
    const auto event = FromLog(record, *set);
    ASSERT_TRUE(event.ok()) << event.status();
    EXPECT_EQ(ToLog(*event, *set).turns_revised().cause(), i);
  }
  v1::LogRecord of_a_later_program;
  of_a_later_program.mutable_turns_revised()->set_cause(static_cast<v1::RevisionCause>(99));
  EXPECT_EQ(FromLog(of_a_later_program, *set).status().code(), absl::StatusCode::kDataLoss);
}

// Logs that were written before causes were stored.
TEST(Convert, AnOldLogSaysByItsSentenceWhyTurnsWereRevised) {
  const auto set = *engine::TileSet::Load("base.c1");
  const std::pair<const char*, engine::RevisionCause> sentences[] = {
      {"corrected by hand", engine::RevisionCause::kCorrectedByHand},
      {"taken back by hand", engine::RevisionCause::kTakenBackByHand},
      {"answered by a player", engine::RevisionCause::kAnswered},
      {"a hand came back to what the tile completed", engine::RevisionCause::kClaimConcluded},
      {"the figure was set elsewhere", engine::RevisionCause::kObserved}};
  for (const auto& [sentence, cause] : sentences) {
    v1::LogRecord old;
    old.mutable_turns_revised()->set_number(3);
    old.mutable_turns_revised()->set_reason(sentence);
    const auto event = FromLog(old, *set);
    ASSERT_TRUE(event.ok()) << event.status();
    EXPECT_EQ(std::get<engine::TurnsRevised>(*event).cause, cause) << sentence;
  }
}

TEST(Convert, AnOldLogSaysByItsFlagThatABoardWasPutRightByHand) {
  const auto set = *engine::TileSet::Load("base.c1");
  const auto cause = [&](const char* reason, bool by_hand) {
    v1::LogRecord old;
    old.mutable_board_found()->set_reason(reason);
    old.mutable_board_found()->set_by_hand(by_hand);
    return std::get<engine::BoardFound>(*FromLog(old, *set)).cause;
  };
  EXPECT_EQ(cause("", false), std::nullopt);
  EXPECT_EQ(cause("a tile that was found was read better", false),
            engine::RevisionCause::kObserved);
  EXPECT_EQ(cause("corrected by hand", true), engine::RevisionCause::kCorrectedByHand);
}

TEST(Convert, ALogThatCannotBeIsDataLoss) {
  const auto set = *engine::TileSet::Load("base.c1");
  EXPECT_EQ(FromLog(v1::LogRecord(), *set).status().code(), absl::StatusCode::kDataLoss);
  v1::LogRecord record;
  record.mutable_turn_played()->mutable_move()->set_tile("Z.9");
  EXPECT_EQ(FromLog(record, *set).status().code(), absl::StatusCode::kDataLoss);
  record.mutable_finding_raised();
  EXPECT_EQ(FromLog(record, *set).status().code(), absl::StatusCode::kDataLoss);
}

TEST(Convert, ASightingArrivesAsItWasSeen) {
  vision::Sighting seen;
  seen.sequence = 9;
  seen.time_ms = 1234;
  seen.settled = true;
  seen.hidden_cells = {{5, 5}};
  vision::SightedTile tile;
  tile.cell = {-2, 3};
  tile.candidates = {{"B.D", 3, 0.75}, {"", 0, 0.25}};
  tile.offset = {0.01, -0.02};
  tile.yaw_rad = 0.03;
  tile.hidden = 0.125;
  seen.tiles = {tile};
  vision::SightedFigure figure;
  figure.cell = vision::LatticeCell{-2, 3};
  figure.foot = {0.25, 0.75};
  figure.foot_sigma = 0.0625;
  figure.kind = vision::FigureKind::kAbbot;
  figure.kinds = {{vision::FigureKind::kAbbot, 0.75}, {vision::FigureKind::kFollower, 0.25}};
  figure.colours = {{"red", 0.875}, {"pink", 0.125}};
  figure.standing_probability = 0.25;
  figure.probability = 0.5;
  vision::SightedFigure beside = figure;
  beside.cell.reset();
  beside.unexpected = {vision::FigureKind::kProphet, 0.96875};
  seen.figures = {figure, beside};
  vision::SightedMarker marker;
  marker.fields = {{17, 0.75}, {18, 0.25}};
  marker.colours = {{"blue", 1}};
  marker.standing_probability = 0.125;
  marker.probability = 0.5;
  seen.score_track.emplace();
  seen.score_track->hidden_fields = {0, 49};
  seen.score_track->markers = {marker};
  seen.cloth = {{"blue", 0.75}, {"red", 0}};

  const auto got = FromProto(ToProto(seen));
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_EQ(got->sequence, 9u);
  EXPECT_EQ(got->time_ms, 1234);
  EXPECT_TRUE(got->settled);
  EXPECT_FALSE(got->hand);
  ASSERT_EQ(got->hidden_cells.size(), 1u);
  EXPECT_EQ(got->hidden_cells[0], (engine::Cell{5, 5}));
  ASSERT_EQ(got->tiles.size(), 1u);
  EXPECT_EQ(got->tiles[0].cell, (engine::Cell{-2, 3}));
  EXPECT_EQ(got->tiles[0].candidates[0].tile, "B.D");
  EXPECT_EQ(got->tiles[0].candidates[0].rotation, 3);
  EXPECT_EQ(got->tiles[0].candidates[1].probability, 0.25);
  EXPECT_EQ(got->tiles[0].offset, (engine::Point{0.01, -0.02}));
  EXPECT_EQ(got->tiles[0].yaw_rad, 0.03);
  EXPECT_EQ(got->tiles[0].hidden, 0.125);
  ASSERT_EQ(got->figures.size(), 2u);
  EXPECT_EQ(got->figures[0].cell, (engine::Cell{-2, 3}));
  EXPECT_FALSE(got->figures[1].cell.has_value());
  EXPECT_EQ(got->figures[0].foot, (engine::Point{0.25, 0.75}));
  EXPECT_EQ(got->figures[0].foot_sigma, 0.0625);
  EXPECT_EQ(got->figures[0].kind, engine::FigureKind::kAbbot);
  ASSERT_EQ(got->figures[0].kinds.size(), 2u);
  EXPECT_EQ(got->figures[0].kinds[1].kind, engine::FigureKind::kFollower);
  EXPECT_EQ(got->figures[0].kinds[1].probability, 0.25);
  EXPECT_EQ(got->figures[0].colours[1].colour, "pink");
  EXPECT_EQ(got->figures[0].standing_probability, 0.25);
  EXPECT_EQ(got->figures[0].probability, 0.5);
  EXPECT_FALSE(got->figures[0].unexpected.has_value());
  ASSERT_TRUE(got->figures[1].unexpected.has_value());
  EXPECT_EQ(got->figures[1].unexpected->kind, engine::FigureKind::kProphet);
  EXPECT_EQ(got->figures[1].unexpected->probability, 0.96875);
  ASSERT_TRUE(got->score_track.has_value());
  EXPECT_EQ(got->score_track->hidden_fields, (std::vector<int>{0, 49}));
  ASSERT_EQ(got->score_track->markers.size(), 1u);
  const engine::SightedMarker& read = got->score_track->markers[0];
  EXPECT_EQ(read.fields[0].field, 17);
  EXPECT_EQ(read.fields[1].probability, 0.25);
  EXPECT_EQ(read.colours[0].colour, "blue");
  EXPECT_EQ(read.standing_probability, 0.125);
  EXPECT_EQ(read.probability, 0.5);
  ASSERT_EQ(got->cloth.size(), 2u);
  EXPECT_EQ(got->cloth[0].colour, "blue");
  EXPECT_EQ(got->cloth[0].share, 0.75);
  seen.score_track.reset();
  EXPECT_FALSE(FromProto(ToProto(seen))->score_track.has_value());
}

TEST(Convert, KindsOfFiguresAreCheckedAndThoseOfANewerCameraLeftOut) {
  v1::Sighting sighting;
  sighting.set_sequence(1);
  v1::SightedFigure* figure = sighting.add_figures();
  figure->set_kind(v1::FIGURE_KIND_FOLLOWER);
  v1::KindProbability* kind = figure->add_kinds();
  kind->set_kind(static_cast<v1::FigureKind>(99));
  const auto got = FromProto(sighting);
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_TRUE(got->figures[0].kinds.empty());
  kind->set_probability(1.5);
  EXPECT_EQ(FromProto(sighting).status().code(), absl::StatusCode::kInvalidArgument);
  kind->set_probability(0);
  for (int i = 0; i < 100; ++i) *figure->add_kinds() = *kind;
  EXPECT_EQ(FromProto(sighting).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Convert, AKindThatNobodyExpectsIsLeftOutWhereThisProgramDoesNotKnowIt) {
  v1::Sighting sighting;
  sighting.set_sequence(1);
  v1::SightedFigure* figure = sighting.add_figures();
  figure->set_kind(v1::FIGURE_KIND_FOLLOWER);
  figure->mutable_unexpected()->set_kind(static_cast<v1::FigureKind>(99));  // of a newer camera
  const auto got = FromProto(sighting);
  ASSERT_TRUE(got.ok()) << got.status();
  EXPECT_FALSE(got->figures[0].unexpected.has_value());
  figure->mutable_unexpected()->set_probability(1.5);
  EXPECT_EQ(FromProto(sighting).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Convert, AClothThatCannotBeIsRefused) {
  v1::Sighting sighting;
  sighting.set_sequence(1);
  v1::ClothColour* cloth = sighting.add_cloth();
  cloth->set_colour("blue");
  cloth->set_share(1);
  EXPECT_TRUE(FromProto(sighting).ok());
  cloth->set_share(1.5);
  EXPECT_EQ(FromProto(sighting).status().code(), absl::StatusCode::kInvalidArgument);
  cloth->set_share(1);
  for (int i = 0; i < 100; ++i) *sighting.add_cloth() = *cloth;
  EXPECT_EQ(FromProto(sighting).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(Convert, AScoreTrackThatCannotBeIsRefused) {
  v1::Sighting good;
  good.set_sequence(1);
  v1::SightedMarker* marker = good.mutable_score_track()->add_markers();
  marker->add_fields()->set_probability(0.5);
  EXPECT_TRUE(FromProto(good).ok());
  v1::Sighting beyond = good, unlikely = good, hidden = good;
  beyond.mutable_score_track()->mutable_markers(0)->mutable_fields(0)->set_field(50);
  unlikely.mutable_score_track()->mutable_markers(0)->set_probability(1.5);
  hidden.mutable_score_track()->add_hidden_fields(4000000000u);
  for (const v1::Sighting& wrong : {beyond, unlikely, hidden}) {
    EXPECT_EQ(FromProto(wrong).status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(Convert, AFindingAboutAMarkerComesBackFromTheLog) {
  const auto set = *engine::TileSet::Load("base.c1");
  engine::Finding finding;
  finding.code = "score-track";
  finding.severity = engine::Severity::kNote;
  finding.marker = engine::MarkerAstray{"red", 12, 17};
  const auto event = FromLog(ToLog(engine::FindingRaised{finding}, *set), *set);
  ASSERT_TRUE(event.ok()) << event.status();
  const auto& marker = std::get<engine::FindingRaised>(*event).finding.marker;
  ASSERT_TRUE(marker.has_value());
  EXPECT_EQ(marker->colour, "red");
  EXPECT_EQ(marker->field, 12);
  EXPECT_EQ(marker->points, 17);
}

TEST(Convert, SpecialFiguresAreToldByTheRules) {
  engine::Rules rules;
  EXPECT_TRUE(SpecialFiguresOf(rules.ToMap()).empty());
  for (const auto& [option, value] : {std::pair{"abbot", "true"},
                                      {"ark", "second"},
                                      {"gingerbread", "true"},
                                      {"large_followers", "1"}}) {
    ASSERT_TRUE(rules.Set(option, value).ok()) << option;
  }
  const std::vector<vision::FigureKind> all = SpecialFiguresOf(rules.ToMap());
  EXPECT_EQ(all.size(), 5U);
  v1::JoinGameResponse joined;
  for (const vision::FigureKind kind : all) joined.add_special_figures(ToProto(kind));
  joined.add_special_figures(static_cast<v1::FigureKind>(99));  // of a newer engine service
  EXPECT_EQ(SpecialFiguresFromProto(joined.special_figures()), all);
}

}  // namespace
}  // namespace tilewarden::services
