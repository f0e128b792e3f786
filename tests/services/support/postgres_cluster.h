// A PostgreSQL of the test's own: made in a temporary folder, reached over a Unix
// socket there alone, gone with the test. As root it runs as the user "postgres",
// because PostgreSQL refuses to run as root.
//
// One for each test program, started when first asked for. Not thread safe.
#pragma once

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pqxx/pqxx>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

class PostgresCluster {
 public:
  static PostgresCluster& Shared() {
    static PostgresCluster cluster;
    return cluster;
  }

  PostgresCluster() {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms::all);
    const int made = Wait(Spawn({"initdb", "-D", Data(), "-A", "trust", "-U", "tester", "-E",
                                 "UTF8", "--locale=C", "--no-sync", "--no-instructions"}));
    if (made != 0) throw std::runtime_error("initdb failed: " + Log());
    Start();
  }
  ~PostgresCluster() { Stop(SIGQUIT); }

  void Start() {
    // Small pages of memory: many tests run on small machines.
    server_ = Spawn({"postgres", "-D", Data(), "-k", folder_.path().string(), "-c",
                     "listen_addresses=", "-c", "shared_buffers=16MB", "-c", "max_connections=60"});
    for (int tries = 0; tries < 600; ++tries) {
      try {
        pqxx::connection ready(Address("postgres"));
        return;
      } catch (const std::exception&) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    }
    throw std::runtime_error("PostgreSQL does not start: " + Log());
  }
  // SIGINT: ends all sessions and stops. SIGQUIT: at once, as in a crash.
  void Stop(int signal = SIGINT) {
    if (server_ <= 0) return;
    kill(server_, signal);
    Wait(server_);
    server_ = -1;
  }
  // Answers nothing any more, or again.
  void Freeze(bool frozen) {
    const std::string children = absl::StrCat("/proc/", server_, "/task/", server_, "/children");
    std::ifstream in(children);
    for (pid_t child = 0; in >> child;) kill(child, frozen ? SIGSTOP : SIGCONT);
    kill(server_, frozen ? SIGSTOP : SIGCONT);
  }

  std::string Address(const std::string& database, const std::string& user = "tester") const {
    return absl::StrCat("postgresql://", user, "@/", database, "?host=", folder_.path().string());
  }
  // The address of a new, empty database.
  std::string NewDatabase() {
    const std::string name = absl::StrCat("test_", ++databases_);
    Run("postgres", absl::StrCat("CREATE DATABASE ", name));
    return Address(name);
  }
  // On a database of this cluster, by name or by address.
  pqxx::result Run(const std::string& database, const std::string& sql) {
    pqxx::connection connection(database.find("://") == std::string::npos ? Address(database)
                                                                          : database);
    pqxx::nontransaction work(connection);
    return work.exec(sql);
  }

 private:
  std::string Data() const { return (folder_.path() / "data").string(); }
  std::string Log() const {
    std::ifstream in(folder_.path() / "log");
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static std::string Programs() {
    std::error_code none;
    for (const auto& version : std::filesystem::directory_iterator("/usr/lib/postgresql", none)) {
      if (std::filesystem::exists(version.path() / "bin" / "initdb")) {
        return (version.path() / "bin").string();
      }
    }
    throw std::runtime_error("PostgreSQL is not installed; run scripts/install-packages");
  }

  // It ends with the thread that started it.
  pid_t Spawn(const std::vector<std::string>& command) const {
    std::vector<std::string> words = {"/usr/bin/setpriv", "--pdeathsig", "QUIT"};
    if (geteuid() == 0) {
      words.insert(words.end(), {"--reuid=postgres", "--regid=postgres", "--clear-groups"});
    }
    words.push_back(absl::StrCat(Programs(), "/", command[0]));
    words.insert(words.end(), command.begin() + 1, command.end());
    const std::string log = (folder_.path() / "log").string();
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t pid = fork();
    if (pid == 0) {
      if (std::freopen(log.c_str(), "a", stderr) == nullptr) _exit(126);
      dup2(STDERR_FILENO, STDOUT_FILENO);
      if (chdir("/") != 0) _exit(126);
      execv(arguments[0], arguments.data());
      _exit(127);
    }
    return pid;
  }
  static int Wait(pid_t pid) {
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

  TempFolder folder_;
  pid_t server_ = -1;
  int databases_ = 0;
};

}  // namespace tilewarden::services
