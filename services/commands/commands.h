// The program's commands. Each adds itself to the command line with its own
// --help and an example, and runs once all words are understood. A command reports
// failure by throwing CommandError: one clear sentence that says what to do,
// printed to stderr by main, exit status not 0.
#pragma once

#include <stdexcept>
#include <string>

#include "services/commands/arguments.h"

namespace tilewarden::services {

class CommandError : public std::runtime_error {
 public:
  explicit CommandError(const std::string& text, int exit_status = 1)
      : std::runtime_error(text), exit_status_(exit_status) {}
  int exit_status() const { return exit_status_; }

 private:
  int exit_status_;
};

// Adds every command.
void AddCommands(Command app);

void AddAccessCommand(Command app);
void AddArchiveCommand(Command app);
void AddBackupCommand(Command app);
void AddCalibrateCommand(Command app);
void AddConfigCommand(Command app);
void AddDemoCommand(Command app);
void AddDoctorCommand(Command app);
void AddEngineCommand(Command app);
void AddEnrolCommand(Command app);
void AddExportCommand(Command app);
void AddGatewayCommand(Command app);
void AddPlayersCommand(Command app);
void AddPrintCommand(Command app);
void AddReadCommand(Command app);
void AddRestoreCommand(Command app);
void AddRulesCommand(Command app);
void AddUpCommand(Command app);
void AddVisionCommand(Command app);
void AddWatchCommand(Command app);

}  // namespace tilewarden::services
