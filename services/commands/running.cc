#include "services/commands/running.h"

#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <utility>

#include "grpc/health/v1/health.grpc.pb.h"
#include "grpc/support/log.h"
#include "services/access/addresses.h"
#include "services/client/channel.h"
#include "services/client/front.h"
#include "spdlog/sinks/stdout_color_sinks.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

constexpr rlim_t kFiles = 8192;

sigset_t StopSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

}  // namespace

StopSignal::StopSignal() {
  const sigset_t signals = StopSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  // Whoever reads our output, or is written to over a connection, may go: no reason to end.
  std::signal(SIGPIPE, SIG_IGN);
  // Every connection is a file.
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < kFiles) {
    files.rlim_cur = std::min<rlim_t>(files.rlim_max, kFiles);
    (void)setrlimit(RLIMIT_NOFILE, &files);
  }
}

bool StopSignal::WaitFor(std::chrono::milliseconds time) {
  if (came_) return true;
  const sigset_t signals = StopSignals();
  const timespec limit{time.count() / 1000, (time.count() % 1000) * 1'000'000};
  came_ = sigtimedwait(&signals, nullptr, &limit) > 0;
  return came_;
}

void StopSignal::Wait() {
  while (!WaitFor(std::chrono::hours(1))) {
  }
}

std::string LocalDay(std::int64_t ms) {
  const std::time_t seconds = static_cast<std::time_t>(ms / 1000);
  std::tm local{};
  char text[16] = "";
  if (localtime_r(&seconds, &local) != nullptr)
    std::strftime(text, sizeof text, "%Y-%m-%d", &local);
  return text;
}

void LogToStderr() {
  spdlog::set_default_logger(spdlog::stderr_color_mt("tilewarden"));
  spdlog::set_pattern("%Y-%m-%d %H:%M:%S %^%l%$ %v");
  // gRPC tells its errors in its statuses too, and there in our words.
  gpr_set_log_function([](gpr_log_func_args* line) { spdlog::debug("{}", line->message); });
}

bool Answers(const std::string& address, const std::string& fingerprint, Over over) {
  const auto host = HostOf(address);
  const bool everywhere = host == "0.0.0.0" || host == "::";
  const std::string here = everywhere ? "127.0.0.1" + address.substr(address.rfind(':')) : address;
  if (over == Over::kHttp) {
    return ProbeFront(here, {.fingerprint = fingerprint, .plain_text = fingerprint.empty()});
  }
  const auto health = grpc::health::v1::Health::NewStub(ChannelTo(here));
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() + std::chrono::seconds(5));
  grpc::health::v1::HealthCheckResponse response;
  return health->Check(&context, {}, &response).ok();
}

void AddRecordOptions(Command command, vision::FrameSourceSettings* settings) {
  command.Add("--record", &settings->record,
              "Keep the frames in this new folder; given as the source, it plays them again");
  command
      .Add("--record-limit", &settings->record_limit_mb,
           "Megabytes to keep at most; the oldest frames go first")
      .Between(1, 100'000'000)
      .ShowDefault();
}

void Check(const absl::Status& status) {
  if (!status.ok()) throw CommandError(std::string(status.message()));
}

}  // namespace tilewarden::services
