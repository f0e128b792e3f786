// Answers GameService for all games of one store.
//
// Thread safe. Unary calls block on the disk; watching blocks nobody.
#pragma once

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "services/access/guard.h"
#include "services/engine_service/watch.h"
#include "services/table/games.h"
#include "services/table/table.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {

class GameServiceImpl final
    : public v1::GameService::WithRawCallbackMethod_WatchGame<
          v1::GameService::WithRawCallbackMethod_WatchSummary<v1::GameService::Service>> {
 public:
  GameServiceImpl(Games* games, Guard* guard);
  ~GameServiceImpl() override;

  // Ends all watches, so that a server can stop.
  void Stop();

  grpc::Status CreateGame(grpc::ServerContext* context, const v1::CreateGameRequest* request,
                          v1::CreateGameResponse* response) override;
  grpc::Status ListGames(grpc::ServerContext* context, const v1::ListGamesRequest* request,
                         v1::ListGamesResponse* response) override;
  grpc::Status GetGame(grpc::ServerContext* context, const v1::GetGameRequest* request,
                       v1::GetGameResponse* response) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchGame(grpc::CallbackServerContext* context,
                                                        const grpc::ByteBuffer* bytes) override;
  grpc::ServerWriteReactor<grpc::ByteBuffer>* WatchSummary(grpc::CallbackServerContext* context,
                                                           const grpc::ByteBuffer* bytes) override;
  grpc::Status PlayTurn(grpc::ServerContext* context, const v1::PlayTurnRequest* request,
                        v1::PlayTurnResponse* response) override;
  grpc::Status CorrectTurn(grpc::ServerContext* context, const v1::CorrectTurnRequest* request,
                           v1::CorrectTurnResponse* response) override;
  grpc::Status UndoTurn(grpc::ServerContext* context, const v1::UndoTurnRequest* request,
                        v1::UndoTurnResponse* response) override;
  grpc::Status AnswerQuestion(grpc::ServerContext* context,
                              const v1::AnswerQuestionRequest* request,
                              v1::AnswerQuestionResponse* response) override;
  grpc::Status ChangePoints(grpc::ServerContext* context, const v1::ChangePointsRequest* request,
                            v1::ChangePointsResponse* response) override;
  grpc::Status EndGame(grpc::ServerContext* context, const v1::EndGameRequest* request,
                       v1::EndGameResponse* response) override;
  grpc::Status LabelGame(grpc::ServerContext* context, const v1::LabelGameRequest* request,
                         v1::LabelGameResponse* response) override;
  grpc::Status CallReferee(grpc::ServerContext* context, const v1::CallRefereeRequest* request,
                           v1::CallRefereeResponse* response) override;
  grpc::Status AnswerCall(grpc::ServerContext* context, const v1::AnswerCallRequest* request,
                          v1::AnswerCallResponse* response) override;
  grpc::Status LimitThinking(grpc::ServerContext* context, const v1::LimitThinkingRequest* request,
                             v1::LimitThinkingResponse* response) override;
  grpc::Status DeleteGame(grpc::ServerContext* context, const v1::DeleteGameRequest* request,
                          v1::DeleteGameResponse* response) override;
  grpc::Status GetTileSet(grpc::ServerContext* context, const v1::GetTileSetRequest* request,
                          v1::GetTileSetResponse* response) override;

 private:
  // Lets a viewer in, whose cursor `begin` finds or refuses; a refusal is the stream's status.
  template <typename Request>
  grpc::ServerWriteReactor<grpc::ByteBuffer>* Watch(
      grpc::CallbackServerContext* context, const grpc::ByteBuffer& bytes, WatchStream::Next next,
      absl::StatusOr<Table::Cursor> (*begin)(const Request&, const Table&));
  void KeepBeating();

  Games* const games_;
  Guard* const guard_;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stopped_ = false;
  std::thread heart_;
};

}  // namespace tilewarden::services
