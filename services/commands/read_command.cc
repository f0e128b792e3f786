#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "calibration/box/reference_pack.h"
#include "calibration/common/picture_file.h"
#include "engine/game/box_rules.h"
#include "engine/tiles/tile_set.h"
#include "services/boxes/edition.h"
#include "services/boxes/printable_set.h"
#include "services/boxes/tile_sets.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "services/photo/annotated.h"
#include "services/photo/board_worth.h"
#include "services/photo/reading.h"
#include "vision/frames/frame_files.h"
#include "vision/reader/read_table.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

struct ReadOptions {
  std::vector<std::string> pictures;
  std::string pack, profile, preset, annotate;
  std::filesystem::path data;
  bool json = false;
};

// Copies of a type in a painted box differ in houses and trees: two know most.
constexpr int kPaintedCopies = 2;

struct Seen {
  vision::Sighting sighting;
  std::shared_ptr<const engine::TileSet> tiles;
};

// A home-made box need not belong to an edition: it is worth what the newest says.
engine::Rules RulesOf(const engine::TileSet& tiles, const std::string& preset) {
  const absl::StatusOr<engine::Rules> rules = engine::RulesOfBox(tiles, preset);
  return preset.empty() && !rules.ok() ? engine::Rules{} : Check(rules);
}

Seen ReadWithPack(const vision::Networks& networks, const cv::Mat& picture,
                  const calibration::ReferencePack& pack, const std::string& preset,
                  const std::filesystem::path& data) {
  const auto tiles = LoadTileSet(pack.tile_set, data);
  vision::Options reading;
  reading.special_figures = SpecialFiguresOf(RulesOf(*tiles, preset).ToMap());
  return {Check(vision::ReadTable(networks, picture, pack, reading)), tiles};
}

// Finds out first which box it is.
Seen ReadWithoutPack(const vision::Networks& networks, const cv::Mat& picture,
                     const std::string& preset, const std::filesystem::path& data) {
  vision::Sighting sighting = Check(vision::ReadTableWithoutPack(networks, picture));
  const auto tiles = LoadTileSet(EditionOf(sighting), data);
  if (IsPrintableSet(picture, sighting, *tiles)) {
    return ReadWithPack(networks, picture, PaintedPack(*tiles, kPaintedCopies), preset, data);
  }
  return {InWordsOf(*tiles, std::move(sighting)), tiles};
}

// A sighting in the straightened picture, in the pixels of the picture as taken.
vision::Sighting AsTaken(vision::Sighting sighting, const calibration::Lens& lens) {
  std::vector<cv::Point2f> points;
  const auto each = [&sighting](auto&& use) {
    for (auto& tile : sighting.tiles) {
      for (auto& corner : tile.corners_px) use(corner);
    }
    for (auto& figure : sighting.figures) use(figure.foot_px);
    for (auto& part : sighting.not_read) {
      for (auto& corner : part.corners_px) use(corner);
    }
  };
  each([&](const vision::Point& p) {
    points.emplace_back(static_cast<float>(p.x), static_cast<float>(p.y));
  });
  points = calibration::Moved(points, lens.Straight(), lens);
  auto next = points.begin();
  each([&](vision::Point& p) {
    p = {next->x, next->y};
    ++next;
  });
  return sighting;
}

cv::Mat Straightened(const cv::Mat& picture, const calibration::Lens& lens,
                     const std::string& name) {
  if (picture.size() != lens.size_px) {
    throw CommandError(name +
                       ": not the size that the profile was made at; calibrate at this "
                       "size, or read without --profile");
  }
  return calibration::Straightener(lens).Straight(picture);
}

// The pictures named, and those in the folders named, by name.
std::vector<std::string> PicturesOf(const std::vector<std::string>& named) {
  std::vector<std::string> pictures;
  for (const std::string& name : named) {
    std::error_code error;
    if (!fs::is_directory(name, error)) {
      pictures.push_back(name);
      continue;
    }
    std::vector<std::string> inside;
    for (fs::directory_iterator it(name, error), end; !error && it != end; it.increment(error)) {
      if (vision::IsPicture(it->path())) inside.push_back(it->path().string());
    }
    if (error) throw CommandError("the folder " + name + " cannot be read: " + error.message());
    if (inside.empty()) {
      throw CommandError("the folder " + name + " holds no pictures: put jpg or png files into it");
    }
    std::sort(inside.begin(), inside.end());
    pictures.insert(pictures.end(), inside.begin(), inside.end());
  }
  return pictures;
}

// Where each picture is annotated: one file for one picture, or files of the pictures' names in a
// folder. Empty: nowhere.
std::vector<fs::path> AnnotatedFiles(const std::string& annotate,
                                     const std::vector<std::string>& pictures) {
  std::error_code error;
  const bool folder = fs::is_directory(annotate, error) || annotate.ends_with('/');
  if (annotate.empty()) return {};
  if (!folder && pictures.size() == 1) return {annotate};
  if (!folder && fs::path(annotate).has_extension()) {
    throw CommandError("--annotate " + annotate + ": there are " + std::to_string(pictures.size()) +
                       " pictures; name a folder for them");
  }
  fs::create_directories(annotate, error);
  if (error) throw CommandError("the folder " + annotate + " cannot be made: " + error.message());
  std::vector<fs::path> files;
  for (const std::string& picture : pictures) {
    const fs::path file = fs::path(annotate) / (fs::path(picture).stem().string() + ".png");
    const bool taken = std::find(files.begin(), files.end(), file) != files.end();
    if (taken || fs::equivalent(file, picture, error)) {
      throw CommandError("--annotate " + annotate + ": " + file.string() +
                         (taken ? " would be written twice" : " would be drawn over") +
                         "; name another folder, and read folders one at a time");
    }
    files.push_back(file);
  }
  return files;
}

void Run(const ReadOptions& options) {
  const std::vector<std::string> pictures = PicturesOf(options.pictures);
  const std::vector<fs::path> annotated = AnnotatedFiles(options.annotate, pictures);
  std::shared_ptr<const calibration::ReferencePack> pack;
  if (!options.pack.empty()) pack = LoadPack({options.pack, {}}, options.data);
  const auto lens = LoadLens(options.profile);
  const auto networks = Check(vision::Networks::Load());
  nlohmann::json all = nlohmann::json::array();
  std::string empty;  // the first picture in which nothing was found
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const std::string& name = pictures[i];
    const cv::Mat picture = Check(calibration::LoadPicture(name));
    const cv::Mat straight = lens ? Straightened(picture, *lens, name) : picture;
    Seen seen = pack ? ReadWithPack(networks, straight, *pack, options.preset, options.data)
                     : ReadWithoutPack(networks, straight, options.preset, options.data);
    if (lens) seen.sighting = AsTaken(std::move(seen.sighting), *lens);
    const engine::TileSet& tiles = *seen.tiles;
    const Reading reading = Interpret(seen.sighting, tiles);
    const std::vector<ColourWorth> worth =
        WorthNow(reading, seen.tiles, RulesOf(tiles, options.preset));
    if (reading.tiles.empty() && empty.empty()) empty = name;
    if (options.json) {
      all.push_back(ToJson(reading, worth, seen.sighting, tiles, name));
    } else {
      std::fputs(ToText(reading, worth, seen.sighting, tiles, name).c_str(), stdout);
    }
    if (!annotated.empty()) {
      Check(WriteAnnotated(annotated[i], picture, seen.sighting, tiles));
    }
  }
  // One picture is one reading, several are a list of them.
  if (options.json) {
    std::printf("%s\n", (all.size() == 1 ? all.front() : all).dump(1).c_str());
  }
  if (!empty.empty()) throw NothingSeen(empty);
}

}  // namespace

void AddReadCommand(Command app) {
  auto options = std::make_shared<ReadOptions>();
  Command command =
      app.AddCommand("read",
                     "Reads the tiles and figures in pictures of a table.\n"
                     "Example: tilewarden read table.jpg --pack mine.pack --annotate read.png");
  command.Add("PICTURE", &options->pictures, "JPEG, PNG, WebP, TIFF or BMP, or folders of them")
      .Required();
  command.Add("--pack", &options->pack,
              "What the tiles look like, made by tilewarden enrol; without it the published "
              "editions and the printable set are told by themselves");
  AddProfileOption(command, &options->profile);
  command.Add("--preset", &options->preset,
              "Rules to value the board by: c1, c2, c3, winter, ...; "
              "without it those of the box");
  AddDataOption(command, &options->data);
  command.AddFlag("--json", &options->json, "Print JSON, schema tilewarden.reading/1");
  command.Add(
      "--annotate", &options->annotate,
      "Write the picture with what was read; of several pictures into this folder, by their names");
  command.Runs([options] { Run(*options); });
}

}  // namespace tilewarden::services
