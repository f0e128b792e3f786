// Options that several commands take: where the table is seen, what the box
// looks like, which game. Called and told the same everywhere.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "calibration/lens.h"
#include "calibration/reference_pack.h"
#include "engine/tile_set.h"
#include "services/commands/commands.h"
#include "services/reporter.h"
#include "vision/frame_source.h"
#include "vision/straight_source.h"

namespace tilewarden::services {

// --pack. Without it the box enrolled from the page, else the bundled printable set.
void AddPackOption(CLI::App* command, std::string* pack);
// That pack, its tiles checked against its set as LoadTileSet has it; empty: KeptPack, else
// the bundled printable set, painted now (some seconds).
enum class PackUse { kReadTiles, kFollow };  // to follow a game takes pictures
std::shared_ptr<const calibration::ReferencePack> LoadPack(const std::string& file,
                                                           const std::filesystem::path& data,
                                                           PackUse use = PackUse::kFollow);

// --data, for a command that does not keep games: where the owner's own tiles are.
void AddDataOption(CLI::App* command, std::filesystem::path* data);
// The set as a game of the engine service with this data folder has it: the owner's
// own tiles and corrections with it. Empty id: the default.
std::shared_ptr<const engine::TileSet> LoadTileSet(const std::string& id,
                                                   const std::filesystem::path& data);

// --profile: the camera's lens, made by tilewarden calibrate.
void AddProfileOption(CLI::App* command, std::string* profile);
// Its lens; none for an empty file name.
std::optional<calibration::Lens> LoadLens(const std::string& profile);

// The lens that these frames come through: that of the profile named, which must be of their
// size; else, of a live camera, that of KeptProfile, where there is one and it is.
struct CameraLens {
  std::optional<calibration::Lens> lens;
  vision::OtherSize other_size = vision::OtherSize::kRefuse;
};
CameraLens ChooseLens(const std::string& profile, const std::filesystem::path& data,
                      const vision::FrameSource& frames);

// The source of frames, as vision::OpenFrameSource takes it.
CLI::Option* AddSourceOption(CLI::App* command, std::string* source);

// --new-game and --name.
void AddNewGameOptions(CLI::App* command, Reporter::Options* game);

// For a picture or a recording in which no tile was found.
CommandError NothingSeen(const std::string& source);

// --debug: a folder for pictures of what was read.
void AddDebugOption(CLI::App* command, std::string* folder);

}  // namespace tilewarden::services
