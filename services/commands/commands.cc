#include "services/commands/commands.h"

namespace tilewarden::services {

void AddCommands(Command app) {
  app.NeedsCommand();
  AddAccessCommand(app);
  AddArchiveCommand(app);
  AddBackupCommand(app);
  AddCalibrateCommand(app);
  AddConfigCommand(app);
  AddDemoCommand(app);
  AddDoctorCommand(app);
  AddEngineCommand(app);
  AddEnrolCommand(app);
  AddExportCommand(app);
  AddGatewayCommand(app);
  AddPlayersCommand(app);
  AddPrintCommand(app);
  AddReadCommand(app);
  AddRestoreCommand(app);
  AddRulesCommand(app);
  AddUpCommand(app);
  AddVisionCommand(app);
  AddWatchCommand(app);
}

}  // namespace tilewarden::services
