#include "services/commands/browser.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <system_error>

namespace tilewarden::services {

void OpenInBrowser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  const pid_t between = fork();
  if (between == 0) {
    // Only calls that are safe after a fork of a process with threads. The second one is nobody's
    // child, so that it outlives us and leaves nothing to wait for.
    if (fork() == 0) {
      setsid();
      execlp("xdg-open", "xdg-open", url.c_str(), static_cast<char*>(nullptr));
    }
    _exit(0);
  }
  if (between > 0) waitpid(between, nullptr, 0);
}

KeptPage::KeptPage(const std::filesystem::path& data, const std::string& url)
    : file_(data / "page") {
  std::ofstream(file_) << url << '\n';
}

KeptPage::~KeptPage() {
  std::error_code ignored;
  std::filesystem::remove(file_, ignored);
}

std::string KeptPage::Of(const std::filesystem::path& data) {
  std::string url;
  std::ifstream file(data / "page");
  std::getline(file, url);
  return url;
}

}  // namespace tilewarden::services
