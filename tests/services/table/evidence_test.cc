// Pictures of what findings and questions are about: which are kept, for how long, and who gets
// them.
#include "services/table/evidence.h"

#include "tests/services/support/painted_game.h"
#include "tilewarden/v1/query.grpc.pb.h"

namespace tilewarden::services {
namespace {

const engine::BoardFromLattice kSame{};

engine::Finding FindingOn(std::uint32_t id, std::vector<engine::Cell> cells) {
  engine::Finding finding;
  finding.id = id;
  finding.cells = std::move(cells);
  return finding;
}

engine::Question QuestionOn(std::uint32_t id, std::vector<engine::Cell> cells,
                            const std::vector<engine::Cell>& answers = {}) {
  engine::Question question;
  question.id = id;
  question.cells = std::move(cells);
  for (const engine::Cell cell : answers) question.answers.push_back({"", {cell}, {}, 0.5});
  return question;
}

// The start tile, and beside it, at (1, 0), what is to be looked at.
class EvidenceTest : public testing::Test {
 protected:
  std::vector<PaintedTile> With(const std::string& tile, const cv::Scalar& colour) const {
    return {{0, 0, "B.D", 0, kYellow}, {1, 0, tile, 0, colour}};
  }
  void Look(const std::vector<PaintedTile>& tiles) { Saw(PaintedLook(++sequence_, tiles)); }
  void Hand() { Saw(HandOver(++sequence_, 1, 0)); }
  void Saw(const v1::Sighting& sighting) { evidence_.Saw(sighting, kSame); }
  void Follow(const std::vector<engine::Finding>& findings,
              const std::vector<engine::Question>& questions = {}) {
    evidence_.Follow(findings, questions);
  }
  v1::GetFindingEvidenceResponse Tell(std::uint32_t finding) const {
    return evidence_.Tell({Matter::Kind::kFinding, finding});
  }
  v1::GetFindingEvidenceResponse TellQuestion(std::uint32_t question) const {
    return evidence_.Tell({Matter::Kind::kQuestion, question});
  }

  Evidence evidence_;
  std::uint64_t sequence_ = 0;
};

TEST_F(EvidenceTest, ShowsThePlaceBeforeTheHandAndWhenItWasRaised) {
  Look(With("B.U", kBlue));
  Hand();
  Look(With("B.V", kRed));
  EXPECT_FALSE(Tell(7).has_now()) << "there is no such finding";
  Follow({FindingOn(7, {{1, 0}})});
  Look(With("B.V", kRed));
  const auto told = Tell(7);
  ASSERT_TRUE(told.has_before() && told.has_now());
  ExpectColour(told.before(), 1, 0, kBlue);
  ExpectColour(told.now(), 1, 0, kRed);
  EXPECT_LE(told.now().jpeg().size(), 48u * 1024);
  // Half a cell around it.
  EXPECT_DOUBLE_EQ(told.now().north_west().x(), 0.5);
  EXPECT_DOUBLE_EQ(told.now().north_west().y(), -0.5);
  EXPECT_DOUBLE_EQ(told.now().columns(), 2);
  EXPECT_DOUBLE_EQ(told.now().rows(), 2);
}

TEST_F(EvidenceTest, StaysAsItWasWhenItWasRaised) {
  Look(With("B.U", kBlue));
  Hand();
  Follow({FindingOn(7, {{1, 0}})});
  Look(With("B.V", kRed));
  Hand();
  Look(With("B.W", kYellow));
  Follow({FindingOn(7, {{1, 0}}), FindingOn(8, {{0, 0}})});
  ExpectColour(Tell(7).now(), 1, 0, kRed);
  ExpectColour(Tell(7).before(), 1, 0, kBlue);
}

TEST_F(EvidenceTest, BeforeIsTheLastRestThatWasReadOtherwise) {
  Look(With("B.U", kBlue));
  Hand();
  Look(With("B.V", kRed));
  Hand();  // elsewhere: what lies there was not touched again
  Follow({FindingOn(7, {{1, 0}})});
  Look(With("B.V", kRed));
  ExpectColour(Tell(7).before(), 1, 0, kBlue);
}

TEST_F(EvidenceTest, BeforeIsTheLastRestWhereAllWasAlwaysReadTheSame) {
  Look(With("B.U", kBlue));
  Hand();
  Look(With("B.U", kRed));  // as a figure that is to go home, and stays
  Hand();
  Follow({FindingOn(7, {{1, 0}})});
  Look(With("B.U", kYellow));
  ExpectColour(Tell(7).before(), 1, 0, kRed);
}

TEST_F(EvidenceTest, AFigureThatIsReadOrNotMakesADifference) {
  Look(With("B.U", kBlue));
  Hand();
  v1::Sighting claimed = PaintedLook(++sequence_, With("B.U", kRed));
  v1::SightedFigure* figure = claimed.add_figures();
  figure->mutable_cell()->set_x(1);
  figure->add_colours()->set_colour("red");
  figure->set_probability(0.9);
  figure->set_standing_probability(0.9);
  Saw(claimed);
  Hand();
  claimed.set_sequence(++sequence_);
  Follow({FindingOn(7, {{1, 0}})});
  Saw(claimed);
  ExpectColour(Tell(7).before(), 1, 0, kBlue);
}

TEST_F(EvidenceTest, LooksInWhichThePlaceWasNotClearAreLeftOut) {
  Look(With("B.U", kBlue));
  Hand();
  v1::Sighting covered = PaintedLook(++sequence_, With("B.V", kYellow));
  covered.mutable_tiles(1)->set_hidden(0.8);
  Saw(covered);
  Hand();
  Follow({FindingOn(7, {{1, 0}}), FindingOn(8, {{9, 9}})});
  covered.set_sequence(++sequence_);
  Saw(covered);
  EXPECT_FALSE(Tell(7).has_now());
  EXPECT_FALSE(Tell(7).has_before());
  v1::Sighting cell_hidden = PaintedLook(++sequence_, With("B.V", kYellow));
  cell_hidden.add_hidden_cells()->set_x(1);
  Saw(cell_hidden);
  EXPECT_FALSE(Tell(7).has_now());
  Look(With("B.V", kRed));
  ExpectColour(Tell(7).now(), 1, 0, kRed);
  ExpectColour(Tell(7).before(), 1, 0, kBlue);
  EXPECT_FALSE(Tell(8).has_now()) << "no picture shows that cell";
}

TEST_F(EvidenceTest, APictureFromBeforeTheHandIsNotHowItIsNow) {
  Look(With("B.U", kBlue));
  Hand();
  Follow({FindingOn(7, {{1, 0}})});
  v1::Sighting without = PaintedLook(++sequence_, With("B.V", kRed));
  without.clear_top_view();
  Saw(without);
  EXPECT_FALSE(Tell(7).has_now());
  Look(With("B.V", kRed));
  ExpectColour(Tell(7).now(), 1, 0, kRed);
}

TEST_F(EvidenceTest, APictureThatComesAfterItsSightingShowsIt) {
  Look(With("B.U", kBlue));
  Hand();
  Follow({FindingOn(7, {{1, 0}})});
  const v1::Sighting with = PaintedLook(++sequence_, With("B.V", kRed));
  v1::Sighting without = with;
  without.clear_top_view();
  Saw(without);
  Saw(with);
  ExpectColour(Tell(7).now(), 1, 0, kRed);
  ExpectColour(Tell(7).before(), 1, 0, kBlue);
}

TEST_F(EvidenceTest, IsTurnedAsTheBoardLies) {
  // The camera sees the board turned by half: what lies east of the start tile is west of it.
  const engine::BoardFromLattice half{2, {0, 0}};
  Follow({FindingOn(7, {{1, 0}})});
  evidence_.Saw(PaintedLook(1, {{0, 0, "B.D", 2, kYellow}, {-1, 0, "B.U", 2, kRed}}), half);
  const auto told = Tell(7);
  ASSERT_TRUE(told.has_now());
  EXPECT_FALSE(told.has_before());
  ExpectColour(told.now(), 1, 0, kRed);
  EXPECT_DOUBLE_EQ(told.now().north_west().x(), 0.5);
}

TEST_F(EvidenceTest, GoesWithItsFinding) {
  Follow({FindingOn(7, {{1, 0}}), FindingOn(8, {{0, 0}})});
  Look(With("B.U", kBlue));
  Follow({FindingOn(8, {{0, 0}})});
  EXPECT_FALSE(Tell(7).has_now());
  EXPECT_TRUE(Tell(8).has_now());
  evidence_.Forget();
  EXPECT_FALSE(Tell(8).has_now());
  Follow({FindingOn(9, {{1, 0}})});
  Hand();
  Look(With("B.V", kRed));
  EXPECT_TRUE(Tell(9).has_now());
  EXPECT_FALSE(Tell(9).has_before()) << "the looks were forgotten, too";
}

TEST_F(EvidenceTest, AQuestionHasItsOwnThatShowThePlaceOfEachAnswer) {
  Look(With("B.U", kBlue));
  Hand();
  Follow({FindingOn(7, {{0, 0}})}, {QuestionOn(7, {{1, 0}}, {{1, 0}, {0, 0}})});
  Look(With("B.V", kRed));
  const auto told = TellQuestion(7);
  ASSERT_TRUE(told.has_before() && told.has_now());
  ExpectColour(told.before(), 1, 0, kBlue);
  ExpectColour(told.now(), 1, 0, kRed);
  ExpectColour(told.now(), 0, 0, kYellow);
  EXPECT_DOUBLE_EQ(told.now().columns(), 3);
  EXPECT_DOUBLE_EQ(Tell(7).now().columns(), 2) << "the finding of that number is another matter";
  Follow({FindingOn(7, {{0, 0}})});
  EXPECT_FALSE(TellQuestion(7).has_now()) << "it was answered";
  EXPECT_TRUE(Tell(7).has_now());
}

TEST_F(EvidenceTest, AQuestionAboutNoPlaceHasNone) {
  Follow({}, {QuestionOn(7, {})});
  Look(With("B.U", kBlue));
  EXPECT_FALSE(TellQuestion(7).has_now());
}

TEST_F(EvidenceTest, IsBounded) {
  Look(With("B.U", kBlue));
  for (int rest = 0; rest < 4; ++rest) {
    Hand();
    Look(With("B.V", kRed));
  }
  std::vector<engine::Finding> many;
  for (std::uint32_t id = 1; id <= 20; ++id) many.push_back(FindingOn(id, {{1, 0}}));
  std::vector<engine::Question> questions;
  for (std::uint32_t id = 1; id <= 10; ++id) questions.push_back(QuestionOn(id, {{1, 0}}));
  Follow(many, questions);
  Look(With("B.V", kRed));
  EXPECT_FALSE(TellQuestion(2).has_now()) << "the newest eight";
  EXPECT_TRUE(TellQuestion(3).has_now());
  EXPECT_FALSE(Tell(4).has_now()) << "the newest sixteen";
  EXPECT_TRUE(Tell(5).has_now());
  ExpectColour(Tell(20).before(), 1, 0, kRed);  // four rests ago is forgotten
}

TEST_F(EvidenceTest, WhatCannotBeOpenedIsNoPicture) {
  Look(With("B.U", kBlue));
  Hand();
  Follow({FindingOn(7, {{1, 0}})});
  v1::Sighting broken = PaintedLook(++sequence_, With("B.V", kRed));
  broken.mutable_top_view()->set_jpeg("a picture");
  Saw(broken);
  EXPECT_FALSE(Tell(7).has_now());
  Look(With("B.V", kRed));
  EXPECT_TRUE(Tell(7).has_now());
  ExpectColour(Tell(7).before(), 1, 0, kBlue);
}

// Through the services, with the referee that raises the finding.
class FindingEvidenceTest : public PaintedGameTest {
 protected:
  grpc::Status Ask(const std::string& game, std::uint32_t id,
                   v1::GetFindingEvidenceResponse* response) {
    v1::GetFindingEvidenceRequest request;
    request.set_game_id(game);
    request.set_finding_id(id);
    return Ask(request, response);
  }
  grpc::Status Ask(const v1::GetFindingEvidenceRequest& request,
                   v1::GetFindingEvidenceResponse* response) {
    grpc::ClientContext context;
    return v1::QueryService::NewStub(engine_->Channel())
        ->GetFindingEvidence(&context, request, response);
  }
};

TEST_F(FindingEvidenceTest, IsToldWhileTheFindingIsOpen) {
  const std::string game = NewGame();
  LayMisfit(game);
  const v1::GameState state = State(game);
  ASSERT_EQ(state.findings_size(), 1);
  EXPECT_EQ(state.findings(0).code(), "edge-mismatch");
  const std::uint32_t id = state.findings(0).id();
  v1::GetFindingEvidenceResponse told;
  ASSERT_TRUE(Ask(game, id, &told).ok());
  ASSERT_TRUE(told.has_before() && told.has_now());
  ExpectColour(told.before(), 1, 0, kCloth);
  ExpectColour(told.now(), 1, 0, kRed);

  EXPECT_EQ(Ask(game, id + 1, &told).error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(Ask("nothing", id, &told).error_code(), grpc::StatusCode::NOT_FOUND);

  // Taken back: gone.
  Report(game, {HandOver(7, 1, 0), StartTile(8), StartTile(9), StartTile(10)});
  ASSERT_EQ(State(game).findings_size(), 0);
  EXPECT_EQ(Ask(game, id, &told).error_code(), grpc::StatusCode::NOT_FOUND);
}

TEST_F(FindingEvidenceTest, IsToldOfAQuestionUntilItIsAnswered) {
  const std::string game = NewGame();
  LayAndComeBack(game);
  const v1::GameState state = State(game);
  ASSERT_EQ(state.questions_size(), 1);
  v1::GetFindingEvidenceRequest request;
  request.set_game_id(game);
  request.set_question_id(state.questions(0).id());
  v1::GetFindingEvidenceResponse told;
  ASSERT_TRUE(Ask(request, &told).ok());
  ASSERT_TRUE(told.has_before() && told.has_now());
  ExpectColour(told.before(), 0, -1, kCloth);
  ExpectColour(told.now(), 0, -1, kRed);

  ASSERT_TRUE(Answer(game, request.question_id(), 0).ok());
  const auto gone = Ask(request, &told);
  EXPECT_EQ(gone.error_code(), grpc::StatusCode::NOT_FOUND);
  EXPECT_EQ(gone.error_message(), "question_id: no question 1 is open");
}

TEST_F(FindingEvidenceTest, NothingOfItOutlivesTheService) {
  const std::string game = NewGame();
  Report(game, {HandOver(1, 1, 0), Misfit(2), Misfit(3), Misfit(4)});
  const v1::GameState state = State(game);
  ASSERT_EQ(state.findings_size(), 1);
  const std::uint32_t id = state.findings(0).id();
  v1::GetFindingEvidenceResponse told;
  ASSERT_TRUE(Ask(game, id, &told).ok());
  EXPECT_TRUE(told.has_now());
  Restart();
  ASSERT_EQ(State(game).findings_size(), 1);
  ASSERT_TRUE(Ask(game, id, &told).ok()) << "the finding is open as before";
  EXPECT_FALSE(told.has_before() || told.has_now());
}

}  // namespace
}  // namespace tilewarden::services
