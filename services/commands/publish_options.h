// Options of commands that run an engine service: who else hears what happens in the games, and
// what room the games may take.
#pragma once

#include "services/commands/commands.h"
#include "services/engine_service/engine_server.h"

namespace tilewarden::services {

// --mqtt, --webhook and what belongs to them. Secrets are given as they are or as @FILE.
void AddPublishOptions(Command command, EngineServer::Options* engine);
// --keep-clips, --backups and --quota.
void AddRoomOptions(Command command, EngineServer::Options* engine);

}  // namespace tilewarden::services
