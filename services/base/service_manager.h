// What systemd is told of a service that it started (Type=notify, WatchdogSec): datagrams to the
// socket that it names. Without it nothing happens.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace tilewarden::services {

// "READY=1". Does not block. False: nobody is to be told, or it could not be sent.
bool TellServiceManager(const std::string& state);

// Says that the service is ready, and from then on in time again and again that it is well, as long
// as it is: whoever stops saying so is restarted. `well` asks the service as a caller would, from a
// thread of this, and may take some seconds.
class Watchdog {
 public:
  explicit Watchdog(std::function<bool()> well);
  ~Watchdog();

 private:
  void Run();

  const std::function<bool()> well_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace tilewarden::services
