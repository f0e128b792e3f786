#include "services/base/child_process.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <utility>

#include "absl/strings/str_cat.h"

namespace tilewarden::services {

absl::StatusOr<ChildProcess> ChildProcess::Start(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int output[2];
  if (pipe2(output, O_CLOEXEC) != 0) return absl::UnavailableError("cannot make a pipe");
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) {
    // Only calls that are safe after a fork of a process with threads.
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(127);
    dup2(output[1], STDOUT_FILENO);
    execv(arguments[0], arguments.data());
    _exit(127);
  }
  close(output[1]);
  if (pid < 0) {
    close(output[0]);
    return absl::UnavailableError(absl::StrCat("cannot start ", command[0]));
  }
  return ChildProcess(pid, output[0]);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(output_, other.output_);
  std::swap(read_, other.read_);
  std::swap(ended_, other.ended_);
  return *this;
}

ChildProcess::~ChildProcess() {
  Stop();
  if (output_ >= 0) close(output_);
}

std::optional<std::string> ChildProcess::ReadLine() {
  while (true) {
    if (const auto end = read_.find('\n'); end != std::string::npos) {
      std::string line = read_.substr(0, end);
      read_.erase(0, end + 1);
      return line;
    }
    char bytes[512];
    const ssize_t size = read(output_, bytes, sizeof bytes);
    if (size <= 0) return std::nullopt;
    read_.append(bytes, static_cast<std::size_t>(size));
  }
}

std::optional<int> ChildProcess::Ended() {
  int status = 0;
  if (!ended_ && pid_ > 0 && waitpid(pid_, &status, WNOHANG) == pid_) {
    ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }
  return ended_;
}

void ChildProcess::Stop() {
  if (pid_ <= 0 || Ended()) return;
  kill(pid_, SIGTERM);
  int status = 0;
  waitpid(pid_, &status, 0);
  ended_ = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace tilewarden::services
