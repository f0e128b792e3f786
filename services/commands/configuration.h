// Settings of the services that keep running, from a file and the environment:
// a flag goes before the environment, that before the file, that before the
// default. One section a command, the flags' names as keys:
//
//   [up]
//   camera = 0
//   pack = "/home/ann/mybox.pack"
//   page-listen = "127.0.0.1:8080"
//
// In the environment the same is TILEWARDEN_UP_CAMERA and so on.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "services/commands/commands.h"

namespace tilewarden::services {

class Configuration {
 public:
  // TILEWARDEN_CONFIG, else tilewarden/tilewarden.toml in the user's or the
  // system's configuration folder; empty when there is none.
  static std::filesystem::path DefaultFile();
  // The commands that have settings.
  static const std::vector<std::string>& Services();

  // Gives the app's services their settings from this file (if not empty), and
  // lets the environment change them. CommandError: the file cannot be read, or
  // has a section, key or value that there is not.
  Configuration(CLI::App& app, std::filesystem::path file);

  // The settings of a service as the file would say them, each with its origin;
  // without passwords.
  std::string Describe(CLI::App& service) const;

 private:
  const std::filesystem::path file_;
  std::set<const CLI::Option*> from_file_;
};

}  // namespace tilewarden::services
