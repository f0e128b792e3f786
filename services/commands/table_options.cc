#include "services/commands/table_options.h"

#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "calibration/camera/camera_profile.h"
#include "engine/game/box_rules.h"
#include "engine/tiles/text.h"
#include "services/base/folders.h"
#include "services/base/whole_file.h"
#include "services/boxes/edition.h"
#include "services/boxes/printable_set.h"
#include "services/boxes/tile_sets.h"
#include "services/camera/calibration_service.h"
#include "services/camera/enrolment_session.h"
#include "services/commands/running.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {

void AddBoxOptions(Command command, Box* box) {
  Option pack =
      command.Add("--pack", &box->pack,
                  "What the tiles look like, made by tilewarden enrol; without it the box "
                  "that was enrolled from the page, else up finds out which published box lies "
                  "there, and others take the bundled printable set. A box "
                  "enrolled from the page while this runs is read with until it ends");
  command
      .Add("--set", &box->set,
           "Instead of a pack: a published edition, known with no enrolment: base.c1, "
           "base.c2, base.c2+river1.c2, ...")
      .Excludes(pack);
}

std::shared_ptr<const calibration::ReferencePack> LoadPack(const Box& box,
                                                           const std::filesystem::path& data) {
  if (!box.set.empty()) {
    return std::make_shared<calibration::ReferencePack>(
        Check(PublishedPack(*LoadTileSet(box.set, data))));
  }
  std::error_code error;
  const auto kept = KeptPack(data);
  const std::string file =
      box.pack.empty() && std::filesystem::exists(kept, error) ? kept.string() : box.pack;
  if (!file.empty()) {
    auto pack =
        std::make_shared<calibration::ReferencePack>(Check(calibration::ReferencePack::Load(file)));
    const auto tiles = LoadTileSet(pack->tile_set, data);
    std::set<std::string> codes;
    for (const auto& picture : pack->pictures) codes.insert(picture.tile);
    for (const auto& descriptor : pack->descriptors) codes.insert(descriptor.tile);
    for (const std::string& code : codes) {
      if (tiles->Find(code) >= 0) continue;
      throw CommandError(file + ": its set " + tiles->id() + " has no tile '" + code +
                         "'; enrol the tiles with --set as the box that they are of");
    }
    return pack;
  }
  // Copies of a type differ in houses and trees: all of them know most.
  const auto tiles = LoadTileSet(TileSets::kDefault, data);
  return std::make_shared<calibration::ReferencePack>(PaintedPack(*tiles, 0));
}

bool IsBoxKnown(const Box& box, const std::filesystem::path& data) {
  std::error_code error;
  return !box.pack.empty() || !box.set.empty() || std::filesystem::exists(KeptPack(data), error);
}

void TellBoxLeft(const Box& box, const std::filesystem::path& data) {
  const auto kept = KeptPack(data);
  std::error_code error;
  if ((box.pack.empty() && box.set.empty()) || !std::filesystem::exists(kept, error)) return;
  if (std::filesystem::equivalent(kept, box.pack, error)) return;
  spdlog::warn(
      "{} was enrolled from the page but is not in use, because {} was given; leave {} out "
      "to use it",
      kept.string(), box.set.empty() ? box.pack : box.set, box.set.empty() ? "--pack" : "--set");
}

void AddDataOption(Command command, std::filesystem::path* data) {
  *data = DefaultDataFolder();
  command.Add("--data", data, "Data folder of the engine service, with your own tiles")
      .ShowDefault();
}

std::shared_ptr<const engine::TileSet> LoadTileSet(const std::string& id,
                                                   const std::filesystem::path& data) {
  TileSets sets(data / OwnTiles::kFile);
  return Check(sets.Get(id))->set;
}

void AddProfileOption(Command command, std::string* profile) {
  command.Add("--profile", profile,
              "The camera's lens, made by tilewarden calibrate: its bend is taken out");
}

std::optional<calibration::Lens> LoadLens(const std::string& profile) {
  if (profile.empty()) return std::nullopt;
  return Check(calibration::CameraProfile::Load(profile)).lens;
}

CameraLens ChooseLens(const std::string& profile, const std::filesystem::path& data,
                      const vision::FrameSource& frames) {
  if (!profile.empty()) return {LoadLens(profile), vision::OtherSize::kRefuse};
  // A recording may be another camera's.
  if (!frames.live()) return {};
  const auto kept = calibration::CameraProfile::Load(KeptProfile(data));
  if (kept.ok()) return {kept->lens, vision::OtherSize::kLeave};
  // It can be made anew from the page; without it the table is read as well.
  if (!absl::IsNotFound(kept.status())) {
    spdlog::warn("carrying on without the camera's profile: {}",
                 std::string(kept.status().message()));
  }
  return {};
}

Option AddSourceOption(Command command, std::string* source) {
  return command.Add("source,--source", source,
                     "A camera by number, device or name, a stream's address, a video "
                     "file, a folder of pictures,\n"
                     "or follow:FOLDER for one that grows");
}

void AddRulesOptions(Command command, RulesChoice* choice) {
  command.Add("--preset", &choice->preset,
              "Rules of a new game: c1, c2, c3, winter, ark-1, ark-2, ark-de; default: the box's "
              "own");
  command.Add("--rule", &choice->rules,
              "NAME=VALUE, an option of a new game as tilewarden rules show lists them; may be "
              "given more than once");
  command.Add("--rules", &choice->file,
              "A file with such lines NAME=VALUE, \"preset\" among the names");
}

ChosenRules Chosen(const RulesChoice& choice, const engine::TileSet& tiles) {
  ChosenRules chosen{choice.preset, {}, {}};
  const auto trimmed = [](const std::string& text) {
    const auto begin = text.find_first_not_of(" \t\r");
    return begin == std::string::npos
               ? std::string()
               : text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
  };
  const auto take = [&](const std::string& said, const std::string& from) {
    const std::size_t equals = said.find('=');
    if (equals == std::string::npos) {
      throw CommandError(from + " \"" + said + "\": give it as NAME=VALUE");
    }
    const std::string name = trimmed(said.substr(0, equals));
    const std::string value = trimmed(said.substr(equals + 1));
    if (name != "preset") {
      chosen.options[name] = value;
    } else if (choice.preset.empty()) {
      chosen.preset = value;
    }
  };
  if (!choice.file.empty()) {
    const std::optional<std::string> text = ReadFile(choice.file);
    if (!text) throw CommandError(choice.file + ": cannot be read; --rules takes a file of rules");
    for (const std::string& line : engine::SplitText(*text, '\n')) {
      const std::string said = trimmed(line.substr(0, line.find('#')));
      if (!said.empty()) take(said, choice.file + ":");
    }
  }
  for (const std::string& rule : choice.rules) take(rule, "--rule");
  chosen.rules = Check(engine::RulesOfBox(tiles, chosen.preset));
  for (const auto& [name, value] : chosen.options) {
    const absl::Status set = chosen.rules.Set(name, value);
    if (!set.ok()) throw CommandError(std::string(set.message()));
  }
  const std::vector<std::string> presets = engine::PresetsOfBox(tiles.id());
  if (chosen.preset.empty() && presets.size() > 1) {
    spdlog::info("a new game is played by {}; --preset takes {}", presets.front(),
                 engine::JoinText(presets, ", "));
  }
  return chosen;
}

void AddNewGameOptions(Command command, Reporter::Options* game) {
  command.AddFlag("--new-game", &game->new_game,
                  "Start a new game; else carry on with the newest that has not ended");
  command.Add("--name", &game->name, "Name of a new game, for people");
}

CommandError NothingSeen(const std::string& source) {
  return CommandError(source +
                      ": no tile of this box was found; is it a picture of the table from above, "
                      "and --pack or --set the box that lies there?");
}

void AddDebugOption(Command command, std::string* folder) {
  command
      .Add("--debug", folder,
           "Write a picture of each look that was read, with what was read drawn over it, "
           "into this folder (about 0.5 MB a look)")
      .ExistingFolder();
}

}  // namespace tilewarden::services
