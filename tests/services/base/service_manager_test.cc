// What systemd is told, by a socket of the test's own.
#include "services/base/service_manager.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>

#include "gtest/gtest.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {
namespace {

class ServiceManagerTest : public testing::Test {
 protected:
  ServiceManagerTest() {
    const std::string path = folder_.path() / "notify";
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
    handle_ = socket(AF_UNIX, SOCK_DGRAM, 0);
    EXPECT_EQ(bind(handle_, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);
    const timeval limit{0, 600'000};
    setsockopt(handle_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setenv("NOTIFY_SOCKET", path.c_str(), 1);
    setenv("WATCHDOG_USEC", "400000", 1);
    setenv("WATCHDOG_PID", std::to_string(getpid()).c_str(), 1);
  }
  ~ServiceManagerTest() override {
    for (const char* name : {"NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"}) unsetenv(name);
    close(handle_);
  }
  // Empty: nothing came.
  std::string Next() {
    char text[64] = "";
    return recv(handle_, text, sizeof text - 1, 0) > 0 ? text : "";
  }

  TempFolder folder_;
  int handle_ = -1;
};

TEST_F(ServiceManagerTest, IsToldThatAServiceIsReadyAndThenThatItIsWell) {
  std::atomic<bool> well = true;
  {
    const Watchdog watchdog([&] { return well.load(); });
    EXPECT_EQ(Next(), "READY=1");
    EXPECT_EQ(Next(), "WATCHDOG=1");
    EXPECT_EQ(Next(), "WATCHDOG=1");
    // Deaf: nothing is said, and the manager starts it again.
    well = false;
    while (!Next().empty()) {
    }
    well = true;
    EXPECT_EQ(Next(), "WATCHDOG=1");
  }
  std::string last;
  for (std::string next = Next(); !next.empty(); next = Next()) last = next;
  EXPECT_EQ(last, "STOPPING=1");
}

TEST_F(ServiceManagerTest, NobodyIsToldAnythingWhoDidNotAsk) {
  unsetenv("NOTIFY_SOCKET");
  EXPECT_FALSE(TellServiceManager("READY=1"));
  const Watchdog watchdog([] { return true; });
  EXPECT_EQ(Next(), "");
}

}  // namespace
}  // namespace tilewarden::services
