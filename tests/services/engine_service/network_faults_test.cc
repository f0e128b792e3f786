// Devices that vanish without a goodbye, and cameras that send more than anybody can read.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "services/client/channel.h"
#include "tests/services/support/engine_fixture.h"
#include "tests/services/support/eventually.h"

namespace tilewarden::services {
namespace {

sockaddr_in Loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

// A wire to a port of this machine, for one connection: once it is cut, both ends are still there,
// and neither hears of the other again.
class Wire {
 public:
  explicit Wire(int to) {
    sockaddr_in address = Loopback(0);
    socklen_t size = sizeof address;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this, to] {
      near_ = accept(listener_, nullptr, nullptr);
      const sockaddr_in there = Loopback(to);
      if (connect(far_, reinterpret_cast<const sockaddr*>(&there), sizeof there) != 0) return;
      std::thread back([this] { Pump(far_, near_); });
      Pump(near_, far_);
      back.join();
    });
  }
  ~Wire() {
    for (const int end : {near_.load(), far_, listener_}) shutdown(end, SHUT_RDWR);
    thread_.join();
    for (const int end : {near_.load(), far_, listener_}) close(end);
  }
  int port() const { return port_; }
  void Cut() { cut_ = true; }

 private:
  void Pump(int from, int to) {
    std::array<char, 4096> bytes;
    for (ssize_t count = 0; (count = read(from, bytes.data(), bytes.size())) > 0;) {
      if (!cut_ && write(to, bytes.data(), static_cast<std::size_t>(count)) != count) return;
    }
  }

  const int listener_ = socket(AF_INET, SOCK_STREAM, 0), far_ = socket(AF_INET, SOCK_STREAM, 0);
  std::atomic<int> near_ = -1;
  std::atomic<bool> cut_ = false;
  int port_ = 0;
  std::thread thread_;
};

class NetworkFaultsTest : public EngineTest {
 protected:
  double Viewers() {
    for (const Metric& metric : engine_->Metrics()) {
      if (metric.name == "tilewarden_viewers") return metric.value;
    }
    return -1;
  }
  int Port() const {
    return std::stoi(engine_->address().substr(engine_->address().rfind(':') + 1));
  }
};

TEST_F(NetworkFaultsTest, AViewerWhoseNetworkIsGoneIsGivenUpAndComesBack) {
  options_.listen = "127.0.0.1:0";
  options_.ask_after = std::chrono::milliseconds(500);
  Restart();
  const std::string game = NewGame();
  const auto turns = SomeTurns(3);
  Play(game, turns[0]);
  Wire wire(Port());
  const auto far = v1::GameService::NewStub(ChannelTo(absl::StrCat("127.0.0.1:", wire.port())));
  Watch gone(far.get(), game, 0);
  EXPECT_EQ(gone.Next().state().turn(), 1u);
  Watch stays(games_.get(), game, 0);
  EXPECT_EQ(stays.Next().state().turn(), 1u);
  EXPECT_EQ(Viewers(), 2);
  wire.Cut();
  EXPECT_TRUE(Eventually([&] { return Viewers() == 1; }));
  Play(game, turns[1]);
  EXPECT_EQ(stays.Next().event().turn_played().turn(), 2u);
  // Over another wire it goes on where it was.
  const auto near = v1::GameService::NewStub(ChannelTo(engine_->address()));
  Watch again(near.get(), game, 2);
  EXPECT_EQ(again.Next().event().turn_played().turn(), 2u);
}

// Each stream is read as fast as it is judged; what has not been read stays with the camera.
TEST_F(NetworkFaultsTest, AFloodOfSightingsIsJudgedAndOtherTablesGoOn) {
  options_.listen = "127.0.0.1:0";
  Restart();
  const std::string flooded = NewGame("flooded"), other = NewGame("other");
  constexpr int kCameras = 4;
  constexpr std::uint64_t kSightings = 500;
  std::atomic<int> accepted = 0, ended = 0;
  std::vector<std::thread> cameras;
  for (int c = 0; c < kCameras; ++c) {
    cameras.emplace_back([&, c] {
      const auto stub = v1::SightingService::NewStub(ChannelTo(engine_->address()));
      grpc::ClientContext context;
      v1::ReportSightingsResponse response;
      const auto stream = stub->ReportSightings(&context, &response);
      v1::ReportSightingsRequest request;
      request.set_game_id(flooded);
      request.set_session(absl::StrCat("camera ", c));
      for (std::uint64_t s = 1; s <= kSightings; ++s) {
        v1::Sighting* sighting = request.mutable_sighting();
        sighting->Clear();
        sighting->set_sequence(s);
        sighting->set_settled(true);
        for (int x = 0; x < 60; ++x) {
          v1::SightedTile* tile = sighting->add_tiles();
          tile->mutable_cell()->set_x(x);
          // Nothing that the set has: judged, and of no consequence.
          tile->add_candidates()->set_probability(0.9);
        }
        if (!stream->Write(request)) break;
      }
      stream->WritesDone();
      const auto status = stream->Finish();
      EXPECT_TRUE(status.ok()) << status.error_message();
      accepted += static_cast<int>(response.accepted());
      ++ended;
    });
  }
  const auto turns = SomeTurns(20);
  for (const v1::Turn& turn : turns) EXPECT_TRUE(Play(other, turn).has_event());
  for (std::thread& camera : cameras) camera.join();
  EXPECT_EQ(ended, kCameras);
  EXPECT_EQ(State(other).turn(), turns.size());
  // Cameras that report to one table take turns: a sighting counts within its camera's session.
  EXPECT_EQ(accepted, kCameras * static_cast<int>(kSightings));
}

}  // namespace
}  // namespace tilewarden::services
