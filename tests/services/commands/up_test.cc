// `tilewarden up`: everything in one process, from a source of frames to the
// page, and the same game again after it was killed.

#include <fcntl.h>

#include <atomic>
#include <boost/asio.hpp>
#include <vector>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpcpp/grpcpp.h"
#include "opencv2/videoio.hpp"
#include "services/client/channel.h"
#include "tests/services/support/process_fixture.h"
#include "tests/services/support/raw_http.h"
#include "tests/services/support/temp_folder.h"
#include "tilewarden/v1/game.grpc.pb.h"

namespace tilewarden::services {
namespace {

// A camera on the network: one picture over and over, as Motion JPEG.
class PictureStream {
 public:
  PictureStream(const cv::Mat& picture, std::uint16_t port) : acceptor_(context_) {
    const boost::asio::ip::tcp::endpoint here(boost::asio::ip::address_v4::loopback(), port);
    acceptor_.open(here.protocol());
    // Not for the program that is started: it would keep the port.
    fcntl(acceptor_.native_handle(), F_SETFD, FD_CLOEXEC);
    // The port of a stream that broke off is taken again at once.
    acceptor_.set_option(boost::asio::ip::tcp::acceptor::reuse_address(true));
    acceptor_.bind(here);
    acceptor_.listen();
    cv::imencode(".jpg", picture, jpeg_);
    thread_ = std::thread([this] { Serve(); });
  }
  ~PictureStream() {
    stop_ = true;
    // Wakes the accept.
    boost::system::error_code ignored;
    boost::asio::ip::tcp::socket knock(context_);
    knock.connect(acceptor_.local_endpoint(), ignored);
    knock.close(ignored);
    thread_.join();
  }
  std::uint16_t port() const { return acceptor_.local_endpoint().port(); }
  std::string url() const { return absl::StrCat("http://127.0.0.1:", port(), "/table.mjpg"); }

 private:
  void Serve() {
    while (!stop_) {
      boost::asio::ip::tcp::socket socket(context_);
      boost::system::error_code error;
      acceptor_.accept(socket, error);
      std::string request;
      if (!error) {
        boost::asio::read_until(socket, boost::asio::dynamic_buffer(request), "\r\n\r\n", error);
      }
      const auto write = [&](const std::string& bytes) {
        if (!error) boost::asio::write(socket, boost::asio::buffer(bytes), error);
      };
      write("HTTP/1.1 200 OK\r\nContent-Type: multipart/x-mixed-replace; boundary=frame\r\n\r\n");
      while (!stop_ && !error) {
        write(absl::StrCat("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: ", jpeg_.size(),
                           "\r\n\r\n"));
        write(std::string(jpeg_.begin(), jpeg_.end()) + "\r\n");
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
      }
    }
  }

  boost::asio::io_context context_;
  boost::asio::ip::tcp::acceptor acceptor_;
  std::vector<unsigned char> jpeg_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

class UpTest : public ProcessTest {
 protected:
  UpTest() {
    const auto page = folder_.path() / "page";
    std::filesystem::create_directories(page);
    std::ofstream(page / "index.html") << "<title>Tilewarden</title>";
    setenv("TILEWARDEN_PAGE", page.c_str(), 1);
  }

  // Starts it and reads where it listens.
  ChildProcess Up(const std::vector<std::string>& arguments) {
    std::vector<std::string> command = {
        TILEWARDEN_PROGRAM, "up",          "--listen", "127.0.0.1:0",
        "--page-listen",    "127.0.0.1:0", "--data",   (folder_.path() / "data").string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    auto up = *ChildProcess::Start(command);
    page_.clear();
    while (page_.empty()) {
      const auto line = up.ReadLine();
      if (!line) {
        ADD_FAILURE() << "it ended before it said where it listens";
        return up;
      }
      if (const auto at = line->find("127."); absl::StrContains(*line, "engine service on")) {
        games_ = v1::GameService::NewStub(ChannelTo(line->substr(at, line->find(',') - at)));
        health_ = HealthOf(line->substr(at, line->find(',') - at));
      }
      if (const auto at = line->find("http://"); at != std::string::npos) page_ = line->substr(at);
    }
    return up;
  }

  // The newest game; without an id while there is none.
  v1::GameState Game() {
    v1::GetGameResponse response;
    grpc::ClientContext context;
    (void)games_->GetGame(&context, v1::GetGameRequest(), &response);
    return response.state();
  }

  static cv::Mat Frame(int number) {
    cv::VideoCapture video(RecordedVideo());
    cv::Mat frame;
    for (int i = 0; i <= number; ++i) video.read(frame);
    return frame;
  }

  // The answer of the standard health service for the whole server.
  static std::string HealthOf(const std::string& address) {
    const auto stub = grpc::health::v1::Health::NewStub(ChannelTo(address));
    grpc::health::v1::HealthCheckResponse response;
    grpc::ClientContext context;
    const auto status = stub->Check(&context, grpc::health::v1::HealthCheckRequest(), &response);
    return status.ok()
               ? grpc::health::v1::HealthCheckResponse::ServingStatus_Name(response.status())
               : status.error_message();
  }

  std::unique_ptr<v1::GameService::Stub> games_;
  std::string page_, health_;
};

TEST_F(UpTest, AVideoIsFollowedAndAKilledOneGoesOnWithTheSameGame) {
  std::string game;
  std::uint32_t turns = 0;
  {
    ChildProcess up = Up({RecordedVideo()});
    EXPECT_EQ(health_, "SERVING");
    RawHttp page(page_);
    page.Get("/");
    EXPECT_EQ(page.ReadStatus(), 200);
    ASSERT_TRUE(Eventually([&] { return Game().turn() >= 2; }));
    RawHttp metrics(page_);
    metrics.Send(absl::StrCat("GET /metrics HTTP/1.0\r\nHost: ", metrics.host(), "\r\n\r\n"));
    EXPECT_TRUE(absl::StrContains(metrics.ReadRest(), "\ntilewarden_games 1\n"));
    game = Game().game_id();
    turns = Game().turn();
    kill(up.pid(), SIGKILL);
    ASSERT_TRUE(Eventually([&] { return up.Ended().has_value(); }));
  }
  ChildProcess up = Up({RecordedVideo()});
  EXPECT_EQ(Game().game_id(), game);
  EXPECT_GE(Game().turn(), turns);
  ExpectStops(&up, SIGINT);
}

TEST_F(UpTest, AFolderOfPicturesIsFollowedAndItsPicturesDrawn) {
  const auto pictures = folder_.path() / "frames", drawn = folder_.path() / "drawn";
  std::filesystem::create_directories(pictures);
  std::filesystem::create_directories(drawn);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(cv::imwrite((pictures / absl::StrCat(i, ".png")).string(), Frame(0)));
  }
  ChildProcess up = Up({pictures.string(), "--debug", drawn.string(), "--name", "Sunday"});
  EXPECT_TRUE(Eventually([&] { return Game().phase() == v1::GAME_PHASE_PLAYING; }));
  EXPECT_EQ(Game().name(), "Sunday");
  EXPECT_EQ(Game().tiles_size(), 1);
  EXPECT_EQ(cv::imread((drawn / "look-000001.jpg").string()).size(), Frame(0).size());
  ExpectStops(&up, SIGTERM);
}

TEST_F(UpTest, AStreamThatBreaksOffIsTakenUpAndTheGameGoesOn) {
  auto stream = std::make_unique<PictureStream>(Frame(0), 0);
  const std::uint16_t port = stream->port();
  ChildProcess up = Up({stream->url()});
  ASSERT_TRUE(Eventually([&] { return Game().phase() == v1::GAME_PHASE_PLAYING; }));
  EXPECT_EQ(Game().turn(), 0u);
  stream.reset();
  std::this_thread::sleep_for(std::chrono::seconds(1));
  EXPECT_FALSE(up.Ended());
  EXPECT_EQ(Game().tiles_size(), 1);
  // Somebody played meanwhile: frame 32 shows the first turn's tile and figure.
  stream = std::make_unique<PictureStream>(Frame(32), port);
  EXPECT_TRUE(Eventually([&] { return Game().turn() == 1; }));
  EXPECT_EQ(Game().tiles_size(), 2);
  EXPECT_EQ(Game().figures_size(), 1);
  ExpectStops(&up, SIGINT);
}

TEST_F(UpTest, AStreamThatDoesNotAnswerIsTold) {
  std::string url;
  {
    const PictureStream stream(Frame(0), 0);
    url = stream.url();
  }
  ExpectError(absl::StrCat("up ", url, " --pack ", Pack()), url);
}

}  // namespace
}  // namespace tilewarden::services
