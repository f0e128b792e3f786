// Attacks every method of every service with requests made at random from its descriptor: extremes,
// nonsense, and what may well be right, so that it gets far. An abort ends the program; an answer
// that is INTERNAL, or a game that cannot be read afterwards, is a failure.
//
//   requests_fuzz [COUNT [SEED]]
//
// In the tests a short run; long ones in the preset asan.
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "google/protobuf/descriptor.h"
#include "google/protobuf/dynamic_message.h"
#include "grpcpp/generic/generic_stub.h"
#include "services/engine_service/engine_server.h"
#include "spdlog/spdlog.h"
#include "tests/services/support/camera_server.h"
#include "tests/services/support/played_game.h"
#include "tests/services/support/temp_folder.h"
#include "tilewarden/v1/access.grpc.pb.h"
#include "tilewarden/v1/calibration.grpc.pb.h"
#include "tilewarden/v1/camera.grpc.pb.h"
#include "tilewarden/v1/enrolment.grpc.pb.h"
#include "tilewarden/v1/query.grpc.pb.h"
#include "tilewarden/v1/tiles.grpc.pb.h"
#include "tilewarden/v1/vision.grpc.pb.h"

namespace tilewarden::services {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  unsigned Below(unsigned end) { return static_cast<unsigned>(random_()) % end; }
  void Know(std::string game) { games_.push_back(std::move(game)); }
  bool knows_games() const { return !games_.empty(); }
  const std::string& Game() { return games_[Below(static_cast<unsigned>(games_.size()))]; }

  void Fill(Message* message, int depth = 0) {
    const auto* descriptor = message->GetDescriptor();
    const auto& reflection = *message->GetReflection();
    for (int f = 0; f < descriptor->field_count(); ++f) {
      const FieldDescriptor* field = descriptor->field(f);
      if (Below(100) < 12) continue;
      // One of several: seldom the last.
      if (field->containing_oneof() != nullptr && Below(3) != 0) continue;
      int count = 1;
      if (field->is_repeated()) count = Below(400) == 0 ? 3000 : static_cast<int>(Below(4));
      if (depth > 6) count = 0;
      for (int i = 0; i < count; ++i) Set(message, reflection, field, depth);
    }
  }

 private:
  void Set(Message* message, const google::protobuf::Reflection& reflection,
           const FieldDescriptor* field, int depth) {
    const bool many = field->is_repeated();
    const auto set = [&](auto value, auto one, auto more) {
      many ? (reflection.*more)(message, field, value) : (reflection.*one)(message, field, value);
    };
    using R = google::protobuf::Reflection;
    switch (field->cpp_type()) {
      case FieldDescriptor::CPPTYPE_INT32:
        return set(Int<std::int32_t>(), &R::SetInt32, &R::AddInt32);
      case FieldDescriptor::CPPTYPE_INT64:
        return set(Int<std::int64_t>(), &R::SetInt64, &R::AddInt64);
      case FieldDescriptor::CPPTYPE_UINT32:
        return set(Int<std::uint32_t>(), &R::SetUInt32, &R::AddUInt32);
      case FieldDescriptor::CPPTYPE_UINT64:
        return set(Int<std::uint64_t>(), &R::SetUInt64, &R::AddUInt64);
      case FieldDescriptor::CPPTYPE_DOUBLE:
        return set(Real(), &R::SetDouble, &R::AddDouble);
      case FieldDescriptor::CPPTYPE_FLOAT:
        return set(static_cast<float>(Real()), &R::SetFloat, &R::AddFloat);
      case FieldDescriptor::CPPTYPE_BOOL:
        return set(Below(2) == 0, &R::SetBool, &R::AddBool);
      case FieldDescriptor::CPPTYPE_ENUM:
        return set(Below(10) == 0 ? Int<int>()
                                  : static_cast<int>(Below(static_cast<unsigned>(
                                        field->enum_type()->value_count() + 1))),
                   &R::SetEnumValue, &R::AddEnumValue);
      case FieldDescriptor::CPPTYPE_STRING: {
        const std::string text = Text(*field);
        return many ? reflection.AddString(message, field, text)
                    : reflection.SetString(message, field, text);
      }
      case FieldDescriptor::CPPTYPE_MESSAGE:
        return Fill(many ? reflection.AddMessage(message, field)
                         : reflection.MutableMessage(message, field),
                    depth + 1);
    }
  }

  template <typename T>
  T Int() {
    using Limits = std::numeric_limits<T>;
    switch (Below(8)) {
      case 0:
        return Limits::min();
      case 1:
        return Limits::max();
      case 2:
        return static_cast<T>(random_());
      case 3:
        return static_cast<T>(-1);
      default:
        return static_cast<T>(static_cast<int>(Below(8)) - 3);
    }
  }
  double Real() {
    constexpr double kOdd[] = {0,
                               1,
                               -1,
                               0.5,
                               1e308,
                               -1e308,
                               1e-310,
                               std::numeric_limits<double>::quiet_NaN(),
                               std::numeric_limits<double>::infinity()};
    return Below(3) == 0 ? kOdd[Below(9)] : Below(1001) / 1000.0;
  }
  std::string Text(const FieldDescriptor& field) {
    const std::string& name = field.name();
    if (Below(20) == 0) return std::string(Below(2) == 0 ? 300 : 100'000, 'x');
    if (Below(20) == 0) return "\x1b[2J\n\t";
    if (Below(10) == 0) return "";
    if (name == "game_id" && knows_games()) return Game();
    if (name == "request_id") return std::to_string(random_());
    if (name == "tile_set") return Pick({"base.c1", "base.c2", "base.c1+river1.c1", "ark"});
    if (name == "tile" || name == "variant_of") return Pick({"D", "B.A", "base.c1:D", "S", "U"});
    if (name == "preset") return Pick({"c1", "c2", "winter"});
    if (field.type() == FieldDescriptor::TYPE_BYTES) return "\xff\xd8\xff\xe0 no picture";
    return Pick({"red", "blue", "green", "a", "\xc3\xa4", "0"});
  }
  std::string Pick(std::vector<std::string> of) {
    return of[Below(static_cast<unsigned>(of.size()))];
  }

  std::mt19937_64 random_;
  std::vector<std::string> games_;
};

struct Method {
  const google::protobuf::MethodDescriptor* method;
  std::shared_ptr<grpc::Channel> channel;
};

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "requests_fuzz: %s\n", what.c_str());
  std::_Exit(1);
}

std::string Serialised(const Message& message) {
  std::string bytes;
  // Texts may be no UTF-8: that is for the other side to find.
  (void)message.SerializePartialToString(&bytes);
  return bytes;
}

// Sends the messages of one call; the answer's first message.
grpc::Status Send(const Method& to, const std::vector<std::string>& messages, std::string* answer) {
  grpc::GenericStub stub(to.channel);
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(60));
  grpc::CompletionQueue queue;
  const auto stream = stub.PrepareCall(
      &context, "/" + to.method->service()->full_name() + "/" + to.method->name(), &queue);
  const auto step = [&queue] {
    void* tag = nullptr;
    bool ok = false;
    return queue.Next(&tag, &ok) && ok;
  };
  stream->StartCall(nullptr);
  bool open = step();
  for (std::size_t i = 0; i < messages.size() && open; ++i) {
    const grpc::Slice slice(messages[i]);
    if (i + 1 < messages.size()) {
      stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
    } else {
      stream->WriteLast(grpc::ByteBuffer(&slice, 1), {}, nullptr);
    }
    open = step();
  }
  grpc::ByteBuffer read;
  stream->Read(&read, nullptr);
  if (step()) {
    std::vector<grpc::Slice> slices;
    if (read.Dump(&slices).ok()) {
      for (const auto& slice : slices) {
        answer->append(reinterpret_cast<const char*>(slice.begin()), slice.size());
      }
    }
    // A watch never ends by itself.
    if (to.method->server_streaming()) context.TryCancel();
  }
  grpc::Status status;
  stream->Finish(&status, nullptr);
  step();
  queue.Shutdown();
  while (step()) {
  }
  return status;
}

// A game of some turns; its id.
std::string BegunGame(const std::shared_ptr<grpc::Channel>& channel, const std::string& id) {
  const auto games = v1::GameService::NewStub(channel);
  v1::CreateGameRequest create;
  create.set_request_id(id);
  create.set_tile_set("base.c1");
  create.set_place_start_tile(true);
  for (const char* colour : {"red", "blue"}) create.add_players()->set_colour(colour);
  v1::CreateGameResponse created;
  grpc::ClientContext context;
  if (!games->CreateGame(&context, create, &created).ok()) Fail("no game can be made");
  int turns = 0;
  for (const v1::Turn& turn : SomeTurns(8)) {
    v1::PlayTurnRequest play;
    play.set_request_id(id + std::to_string(++turns));
    play.set_game_id(created.state().game_id());
    *play.mutable_turn() = turn;
    v1::PlayTurnResponse played;
    grpc::ClientContext playing;
    if (!games->PlayTurn(&playing, play, &played).ok()) Fail("no turn can be played");
  }
  return created.state().game_id();
}

void Run(int count, unsigned seed) {
  spdlog::set_level(spdlog::level::off);
  const TempFolder folder;
  auto engine = EngineServer::Start({"", folder.path()});
  if (!engine.ok()) Fail(std::string(engine.status().message()));
  TestCamera camera;
  CameraServer vision(folder.path(), (*engine)->Channel(), &camera);
  std::vector<Method> methods;
  for (const char* file :
       {"access", "calibration", "camera", "enrolment", "game", "query", "tiles", "vision"}) {
    const auto* descriptor = google::protobuf::DescriptorPool::generated_pool()->FindFileByName(
        std::string("tilewarden/v1/") + file + ".proto");
    for (int s = 0; descriptor != nullptr && s < descriptor->service_count(); ++s) {
      const auto* service = descriptor->service(s);
      if (service->name() == "VisionService") continue;
      const bool at_camera =
          service->name() == "EnrolmentService" || service->name() == "CalibrationService" ||
          service->name() == "CameraService";
      for (int m = 0; m < service->method_count(); ++m) {
        methods.push_back(
            {service->method(m), at_camera ? vision.Channel() : (*engine)->Channel()});
      }
    }
  }
  Maker maker(seed);
  for (const char* id : {"one", "two", "three"}) maker.Know(BegunGame((*engine)->Channel(), id));
  std::vector<int> answered(methods.size());
  for (int i = 0; i < count; ++i) {
    const std::size_t at = maker.Below(static_cast<unsigned>(methods.size()));
    const Method& to = methods[at];
    const auto* type = google::protobuf::MessageFactory::generated_factory()->GetPrototype(
        to.method->input_type());
    std::vector<std::string> messages;
    for (unsigned m = to.method->client_streaming() ? maker.Below(4) + 1 : 1; m > 0; --m) {
      const std::unique_ptr<Message> message(type->New());
      maker.Fill(message.get());
      messages.push_back(Serialised(*message));
    }
    std::string answer;
    const grpc::Status status = Send(to, messages, &answer);
    if (status.error_code() == grpc::StatusCode::INTERNAL ||
        status.error_code() == grpc::StatusCode::UNKNOWN ||
        status.error_code() == grpc::StatusCode::DATA_LOSS) {
      Fail(to.method->full_name() + ": " + status.error_message());
    }
    if (status.ok()) ++answered[at];
    v1::CreateGameResponse created;
    if (to.method->name() == "CreateGame" && status.ok() && created.ParseFromString(answer)) {
      maker.Know(created.state().game_id());
    }
  }
  // Everything that was taken can still be read: by another engine service, from the log alone.
  engine->reset();
  auto again = EngineServer::Start({"", folder.path()});
  if (!again.ok()) Fail(std::string(again.status().message()));
  const auto games = v1::GameService::NewStub((*again)->Channel());
  v1::ListGamesRequest list;
  list.set_page_size(100);
  v1::ListGamesResponse listed;
  grpc::ClientContext context;
  if (!games->ListGames(&context, list, &listed).ok()) Fail("the games cannot be listed");
  for (const v1::GameSummary& game : listed.games()) {
    grpc::ClientContext reading;
    v1::GetGameRequest get;
    get.set_game_id(game.game_id());
    v1::GetGameResponse state;
    const auto status = games->GetGame(&reading, get, &state);
    if (!status.ok()) Fail("a game cannot be read again: " + status.error_message());
  }
  int total = 0, reached = 0;
  for (const int one : answered) {
    total += one;
    reached += one > 0 ? 1 : 0;
  }
  std::printf("%d requests, %d answered, %d of %zu methods answered at least once, %d games\n",
              count, total, reached, methods.size(), listed.games_size());
}

}  // namespace
}  // namespace tilewarden::services

int main(int argc, char** argv) {
  tilewarden::services::Run(argc > 1 ? std::atoi(argv[1]) : 2000,
                            argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1);
  return 0;
}
