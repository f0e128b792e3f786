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
#include <string>
#include <vector>

#include "services/commands/arguments.h"

namespace tilewarden::services {

// TILEWARDEN_CONFIG, else tilewarden/tilewarden.toml in the user's or the
// system's configuration folder; empty when there is none.
std::filesystem::path SettingsFile();

// Gives the services among these commands their settings from this file (if not
// empty), and lets the environment change them. CommandError: the file cannot be
// read, or has a section, key or value that there is not.
void ReadSettings(CommandLine& line, const std::filesystem::path& file);

// The settings of a service as the file would say them, each with its origin;
// without passwords. `words`: the service and flags for it, which are told about
// and not obeyed; none: all services. CommandError: the words are wrong.
std::string DescribeSettings(const std::filesystem::path& file, std::vector<std::string> words);

}  // namespace tilewarden::services
