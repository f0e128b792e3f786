// The program's commands. Each adds itself to the command line with its own
// --help and an example, and runs from a CLI11 callback. A command reports
// failure by throwing CommandError: one clear sentence that says what to do,
// printed to stderr by main, exit status not 0.
#pragma once

#include <stdexcept>
#include <string>

#include "CLI/CLI.hpp"

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
void AddCommands(CLI::App& app);

void AddAccessCommand(CLI::App& app);
void AddBackupCommand(CLI::App& app);
void AddCalibrateCommand(CLI::App& app);
void AddConfigCommand(CLI::App& app);
void AddDemoCommand(CLI::App& app);
void AddDoctorCommand(CLI::App& app);
void AddEngineCommand(CLI::App& app);
void AddEnrolCommand(CLI::App& app);
void AddExportCommand(CLI::App& app);
void AddGatewayCommand(CLI::App& app);
void AddPrintCommand(CLI::App& app);
void AddReadCommand(CLI::App& app);
void AddRulesCommand(CLI::App& app);
void AddUpCommand(CLI::App& app);
void AddVisionCommand(CLI::App& app);
void AddWatchCommand(CLI::App& app);

}  // namespace tilewarden::services
