// Where the program finds and keeps things.
#pragma once

#include <filesystem>
#include <string>

namespace tilewarden::services {

// The running program's own file.
std::filesystem::path ThisProgram();
// Where games are kept by default: in the user's data folder.
std::filesystem::path DefaultDataFolder();
// Where the built page lies: $TILEWARDEN_PAGE, else beside the program (in
// share/tilewarden/page, for the installed and the built one). Empty: it is not
// built.
std::filesystem::path DefaultPageFolder();

// The recorded table of the demo: beside the installed program, else in the
// source tree. Empty: it is not there.
std::filesystem::path DefaultRecording();

}  // namespace tilewarden::services
