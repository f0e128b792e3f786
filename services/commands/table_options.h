// Options that several commands take: where the table is seen, what the box
// looks like, which game. They have the same names and help everywhere.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibration/box/reference_pack.h"
#include "calibration/camera/lens.h"
#include "engine/game/rules.h"
#include "engine/tiles/tile_set.h"
#include "services/camera/reporter.h"
#include "services/commands/commands.h"
#include "vision/frames/frame_source.h"
#include "vision/frames/straight_source.h"

namespace tilewarden::services {

// The box that lies on the table.
struct Box {
  std::string pack;  // --pack, a file
  std::string set;   // --set: a published edition whose tiles nobody enrolled
};
void AddBoxOptions(Command command, Box* box);
// What its tiles look like. A pack's tiles are checked against its set as LoadTileSet has it; of a
// published edition it is PublishedPack. Where neither is said it is KeptPack, else the bundled
// printable set, painted now (some seconds).
std::shared_ptr<const calibration::ReferencePack> LoadPack(const Box& box,
                                                           const std::filesystem::path& data);

// Whether somebody said which box it is: by an option, or by enrolling it from the page.
bool IsBoxKnown(const Box& box, const std::filesystem::path& data);

// Says in the log where a box that was enrolled from the page is left, because a flag or a setting
// names another one.
void TellBoxLeft(const Box& box, const std::filesystem::path& data);

// --data, for a command that does not keep games: where the owner's own tiles are.
void AddDataOption(Command command, std::filesystem::path* data);
// The set as a game of the engine service with this data folder has it: the owner's
// own tiles and corrections with it. Empty id: the default.
std::shared_ptr<const engine::TileSet> LoadTileSet(const std::string& id,
                                                   const std::filesystem::path& data);

// --profile: the camera's lens, made by tilewarden calibrate.
void AddProfileOption(Command command, std::string* profile);
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
Option AddSourceOption(Command command, std::string* source);

// --preset, --rule and --rules: by which rules a new game is played.
struct RulesChoice {
  std::string preset;              // empty: the box's own
  std::string file;                // of lines NAME=VALUE, "preset" among the names
  std::vector<std::string> rules;  // NAME=VALUE, after those of the file

  bool empty() const { return preset.empty() && file.empty() && rules.empty(); }
};
void AddRulesOptions(Command command, RulesChoice* choice);
// What was chosen for a game with these tiles: the preset, and what differs from it. Where the box
// leaves a choice that nobody made, the log says what was taken. CommandError: no such preset,
// option or value, or the file cannot be read.
struct ChosenRules {
  std::string preset;
  std::map<std::string, std::string> options;
  engine::Rules rules;
};
ChosenRules Chosen(const RulesChoice& choice, const engine::TileSet& tiles);

// --new-game and --name.
void AddNewGameOptions(Command command, Reporter::Options* game);

// For a picture or a recording in which no tile was found.
CommandError NothingSeen(const std::string& source);

// --debug: a folder for pictures of what was read.
void AddDebugOption(Command command, std::string* folder);

}  // namespace tilewarden::services
