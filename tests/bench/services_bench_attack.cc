// What somebody without a token does to a game: each attacker for some seconds from another address
// of this machine, while a game is played through the front. Loopback only, bounded in count and
// time. Fails when a turn takes longer than --slowest (500 ms), memory grows by more than 300 MiB,
// or a new caller is not served within 5 s of the attacker's leaving.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>
#include <thread>

#include "tests/bench/bench_engine.h"

namespace tilewarden::services {
namespace {

using std::chrono::milliseconds;

// A connection of the attacker, from 127.0.0.2; with TLS once shaken.
class Hostile {
 public:
  explicit Hostile(const std::string& address) {
    handle_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const timeval limit{1, 0};
    setsockopt(handle_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(handle_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    sockaddr_in from{}, to{};
    from.sin_family = to.sin_family = AF_INET;
    inet_pton(AF_INET, "127.0.0.2", &from.sin_addr);
    inet_pton(AF_INET, "127.0.0.1", &to.sin_addr);
    to.sin_port = htons(
        static_cast<std::uint16_t>(std::atoi(address.substr(address.rfind(':') + 1).c_str())));
    connected_ = bind(handle_, reinterpret_cast<sockaddr*>(&from), sizeof from) == 0 &&
                 connect(handle_, reinterpret_cast<sockaddr*>(&to), sizeof to) == 0;
  }
  Hostile(const Hostile&) = delete;
  Hostile& operator=(const Hostile&) = delete;
  ~Hostile() {
    SSL_free(tls_);
    if (handle_ >= 0) close(handle_);
  }
  bool ShakeHands() {
    static SSL_CTX* const context = SSL_CTX_new(TLS_client_method());
    tls_ = SSL_new(context);
    const unsigned char h2[] = {2, 'h', '2'};
    SSL_set_alpn_protos(tls_, h2, sizeof h2);
    return connected_ && SSL_set_fd(tls_, handle_) == 1 && SSL_connect(tls_) == 1;
  }
  bool Send(const std::string& bytes) {
    if (tls_ != nullptr) return SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())) > 0;
    return send(handle_, bytes.data(), bytes.size(), MSG_NOSIGNAL) > 0;
  }
  void Read() {
    char buffer[4096];
    if (tls_ != nullptr) SSL_read(tls_, buffer, sizeof buffer);
  }

 private:
  int handle_ = -1;
  SSL* tls_ = nullptr;
  bool connected_ = false;
};

using Attack = std::function<void(const std::string& address, const std::atomic<bool>& over)>;

void HoldSilent(const std::string& address, const std::atomic<bool>& over) {
  std::deque<std::unique_ptr<Hostile>> held;
  while (!over) {
    held.push_back(std::make_unique<Hostile>(address));
    // As many as this process may have open; then anew.
    if (held.size() > 1100) held.pop_front();
    if (held.size() % 50 == 0) std::this_thread::sleep_for(milliseconds(20));
  }
}

void Dribble(const std::string& address, const std::atomic<bool>& over) {
  std::vector<std::unique_ptr<Hostile>> held(300);
  while (!over) {
    for (auto& one : held) {
      if (over) break;
      if (one == nullptr || !one->Send("G")) {
        one = std::make_unique<Hostile>(address);
        if (!one->ShakeHands()) one.reset();
      }
    }
    std::this_thread::sleep_for(milliseconds(200));
  }
}

void SendBodies(const std::string& address, const std::atomic<bool>& over) {
  const std::string head =
      "POST /tilewarden.v1.GameService/ListGames HTTP/1.1\r\nHost: x\r\nContent-Type: "
      "application/grpc-web+proto\r\nContent-Length: 1000000\r\n\r\n";
  const std::string part(64 << 10, 'x');
  std::deque<std::unique_ptr<Hostile>> held;
  while (!over) {
    auto& one = held.emplace_back(std::make_unique<Hostile>(address));
    if (one->ShakeHands() && one->Send(head)) {
      for (int i = 0; i < 15 && one->Send(part); ++i) {
      }
    }
    if (held.size() > 300) held.pop_front();
  }
}

void ShakeHandsOnly(const std::string& address, const std::atomic<bool>& over) {
  while (!over) Hostile(address).ShakeHands();
}

// An HTTP/2 connection whose one header never ends.
void EndlessHeader(const std::string& address, const std::atomic<bool>& over) {
  const std::string preface =
      "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + std::string("\0\0\0\4\0\0\0\0\0", 9);
  // HEADERS without its end, then CONTINUATION after CONTINUATION of a number's padding.
  const std::string begun = std::string("\0\0\2\1\0\0\0\0\1\x7f\x80", 11);
  std::string more("\0\x40\0\x09\0\0\0\0\1", 9);
  more += std::string(0x4000, '\x80');
  while (!over) {
    Hostile one(address);
    if (!one.ShakeHands() || !one.Send(preface + begun)) continue;
    while (!over && one.Send(more)) {
    }
  }
}

void WrongTokens(const std::string& address, const std::atomic<bool>& over) {
  while (!over) {
    Hostile one(address);
    if (!one.ShakeHands()) continue;
    for (int i = 0; i < 50 && !over; ++i) {
      if (!one.Send("GET /tunnel HTTP/1.1\r\nHost: x\r\nUpgrade: tilewarden-grpc\r\nAuthorization: "
                    "Bearer tw_0123456789_0123456789012345678901234567890123456789012\r\n\r\n")) {
        break;
      }
      one.Read();
    }
  }
}

bool Judge(const char* name, const Attack& attack, const BenchSettings& settings) {
  const BenchEngine engine(true);
  const auto channel = engine.Connect();
  const auto games = v1::GameService::NewStub(channel);
  Times turns;
  const auto play = [&](std::chrono::steady_clock::time_point until) {
    while (BenchClock::now() < until) {
      const std::string game = engine.NewGame(games.get());
      for (const v1::Turn& turn : SomeTurns(30)) {
        if (BenchClock::now() >= until) break;
        const auto begun = BenchClock::now();
        engine.Play(games.get(), game, turn);
        turns.Add(MsSince(begun));
        std::this_thread::sleep_for(milliseconds(50));
      }
    }
  };
  play(BenchClock::now() + std::chrono::seconds(2));
  const double idle = ResidentKiB(engine.process());
  std::atomic<bool> over = false;
  std::atomic<double> most = 0;
  std::thread attacker([&] { attack(engine.address(), over); });
  std::thread measuring([&] {
    while (!over) {
      most = std::max<double>(most, ResidentKiB(engine.process()));
      std::this_thread::sleep_for(milliseconds(50));
    }
  });
  play(BenchClock::now() + std::chrono::seconds(settings.seconds));
  over = true;
  attacker.join();
  measuring.join();
  // Somebody new.
  const auto left = BenchClock::now();
  bool served = false;
  while (!served && MsSince(left) < 30'000) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
    engine.Prepare(&context);
    v1::ListGamesResponse listed;
    served = v1::GameService::NewStub(engine.Connect())->ListGames(&context, {}, &listed).ok();
  }
  const double back = MsSince(left);
  const double grown = (most - idle) / 1024;
  std::printf("%-18s %5zu turns, slowest %7.1f ms; memory +%.0f MiB; back after %.2f s\n", name,
              turns.count(), turns.Longest(), grown, back / 1000);
  std::fflush(stdout);
  return served && turns.Longest() <= settings.slowest_ms && grown <= 300 && back <= 5000;
}

}  // namespace

void BenchAttack(const BenchSettings& settings) {
  // Attackers are cut off in the midst of a sentence.
  std::signal(SIGPIPE, SIG_IGN);
  const std::vector<std::pair<const char*, Attack>> attacks = {{"silent", HoldSilent},
                                                               {"dribbling", Dribble},
                                                               {"bodies", SendBodies},
                                                               {"handshakes", ShakeHandsOnly},
                                                               {"endless header", EndlessHeader},
                                                               {"wrong tokens", WrongTokens}};
  bool held = true;
  for (const auto& [name, attack] : attacks) held = Judge(name, attack, settings) && held;
  if (!held) Fail("an attacker without a token hurt the game");
}

}  // namespace tilewarden::services
