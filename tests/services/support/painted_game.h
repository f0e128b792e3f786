// A game that is seen in painted looks, with what is disputed in it.
#pragma once

#include <string>
#include <vector>

#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/painted_look.h"

namespace tilewarden::services {

class PaintedGameTest : public EngineTest {
 protected:
  static v1::Sighting StartTile(std::uint64_t sequence) {
    return PaintedLook(sequence, {{0, 0, "B.D", 0, kYellow}});
  }
  // A tile whose fields meet the start tile's road.
  static v1::Sighting Misfit(std::uint64_t sequence) {
    return PaintedLook(sequence, {{0, 0, "B.D", 0, kYellow}, {1, 0, "B.E", 0, kRed}});
  }
  // From the start tile on: a finding on (1, 0).
  void LayMisfit(const std::string& game, std::uint64_t from = 1) {
    Report(game, {StartTile(from), StartTile(from + 1), HandOver(from + 2, 1, 0), Misfit(from + 3),
                  Misfit(from + 4), Misfit(from + 5)});
  }
  // The hand comes back to the tile on (0, -1), which completes a city: perhaps for a figure that
  // it had set. A question.
  void LayAndComeBack(const std::string& game, std::uint64_t from = 1) {
    const auto laid = [](std::uint64_t sequence) {
      return PaintedLook(sequence, {{0, 0, "B.D", 0, kYellow}, {0, -1, "B.E", 2, kRed}});
    };
    Report(game, {StartTile(from), HandOver(from + 1, 0, -1), HandOver(from + 2, 0, -1),
                  laid(from + 3), laid(from + 4), laid(from + 5), laid(from + 6)});
  }

  void Report(const std::string& game, const std::vector<v1::Sighting>& sightings) {
    grpc::ClientContext context;
    v1::ReportSightingsResponse response;
    const auto stream = sightings_->ReportSightings(&context, &response);
    for (const v1::Sighting& sighting : sightings) {
      v1::ReportSightingsRequest request;
      request.set_game_id(game);
      request.set_session("camera");
      *request.mutable_sighting() = sighting;
      ASSERT_TRUE(stream->Write(request));
    }
    stream->WritesDone();
    const auto status = stream->Finish();
    ASSERT_TRUE(status.ok()) << status.error_message();
  }

  grpc::Status Answer(const std::string& game, std::uint32_t question, std::uint32_t answer) {
    v1::AnswerQuestionRequest request;
    request.set_request_id(NewId());
    request.set_game_id(game);
    request.set_question_id(question);
    request.set_answer(answer);
    v1::AnswerQuestionResponse response;
    return Call(&v1::GameService::Stub::AnswerQuestion, request, &response);
  }
};

}  // namespace tilewarden::services
