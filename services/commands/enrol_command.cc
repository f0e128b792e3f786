#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "calibration/box/enrolment.h"
#include "calibration/common/picture_file.h"
#include "engine/tiles/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "services/boxes/enrolment.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "vision/tiles/tile_descriptors.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

struct EnrolOptions {
  std::vector<std::string> sources;
  std::string out, set, order, confirmed, title, licence;
  fs::path data;
  bool descriptors = false;
};

std::shared_ptr<const engine::TileSet> SetOf(const EnrolOptions& options) {
  return LoadTileSet(options.set, options.data);
}

std::vector<calibration::TypeToEnrol> TypesInOrder(const engine::TileSet& tiles,
                                                   const std::string& order) {
  if (order == "set") return InOrderOfSet(tiles);
  std::vector<calibration::TypeToEnrol> types;
  std::stringstream list(order);
  for (std::string id; std::getline(list, id, ',');) {
    id.erase(std::remove(id.begin(), id.end(), ' '), id.end());
    const int index = tiles.Find(id);
    if (index < 0)
      throw CommandError("--order: the set " + tiles.id() + " has no tile '" + id + "'");
    types.push_back({id, tiles.types()[static_cast<std::size_t>(index)].upright});
  }
  return types;
}

// By their outlines alone, which knows the count and cuts them out most evenly; where that
// finds other squares too, as loose tiles are found.
calibration::ReferencePack InOrder(const cv::Mat& picture,
                                   const std::vector<calibration::TypeToEnrol>& types) {
  auto pack = calibration::EnrolPicture(picture, types);
  if (pack.ok()) return *std::move(pack);
  vision::TileNetwork network = Check(vision::TileNetwork::Load());
  return Check(vision::EnrolRows(picture, types, network));
}

void Save(calibration::ReferencePack pack, const engine::TileSet& tiles,
          const EnrolOptions& options) {
  pack.tile_set = tiles.id();
  pack.title = options.title.empty() ? tiles.name() : options.title;
  pack.licence = options.licence;
  std::set<std::string> seen;
  for (const calibration::ReferencePicture& picture : pack.pictures) seen.insert(picture.tile);
  const std::size_t count = pack.pictures.size();
  if (options.descriptors) {
    vision::TileNetwork network = Check(vision::TileNetwork::Load());
    Check(vision::DescribeInsteadOfShow(network, &pack));
  }
  Check(pack.Save(options.out));
  std::printf("%s: %zu %s of %zu of the %zu types of %s\n", options.out.c_str(), count,
              options.descriptors ? "descriptors" : "pictures", seen.size(), tiles.types().size(),
              tiles.name().c_str());
}

// What a person looks at and corrects lies beside the pack, under its name.
fs::path Beside(const EnrolOptions& options, const std::string& ending) {
  const fs::path out = options.out;
  return out.parent_path() / (out.stem().string() + ending);
}

// An older list may hold corrections: it is kept under another name.
void SaveRecord(const EnrolmentRecord& record, const fs::path& file, const std::string& confirm) {
  std::error_code error;
  if (fs::exists(file, error)) fs::rename(file, file.string() + ".old", error);
  Check(record.Save(
      file, {"The tiles that were found, numbered as in the pictures beside this file. Where a",
             "name is wrong, write the right one; \"none\" is no tile. Then run", "  " + confirm,
             "The program finds the turn of each tile itself; where it is wrong, add",
             "turns = 0 to 3, the quarter turns clockwise from canonical (docs: B.A has its road",
             "to the west)."}));
}

void ReportMissing(const Missing& missing) {
  if (missing.types > 0) std::printf("missing types: %s\n", missing.list.c_str());
  if (!missing.copies_list.empty()) {
    std::printf("copies not seen: %s\n", missing.copies_list.c_str());
  }
}

// Proposes the types of what lies in the pictures; writes the pack where nothing
// is left to a person.
void EnrolLooks(const EnrolOptions& options) {
  const auto start = std::chrono::steady_clock::now();
  const auto tiles = SetOf(options);
  vision::TileNetwork network = Check(vision::TileNetwork::Load());
  const std::vector<EnrolmentLook> looks = Check(FindTiles(options.sources, *tiles, network));
  if (looks.size() == 1) {
    if (auto pack = PackInOrderOfSet(looks.front(), *tiles, network)) {
      std::printf("each type lies there once, upright, in rows and in the order of the set\n");
      return Save(*std::move(pack), *tiles, options);
    }
  }
  Check(CheckSet(looks, *tiles, network));
  const auto proposals = ProposeTypes(looks, *tiles);
  const EnrolmentRecord record = RecordOf(looks, proposals, *tiles);

  const fs::path list = Beside(options, ".toml");
  const std::string confirm =
      "tilewarden enrol --confirmed " + list.string() + " --out " + options.out;
  SaveRecord(record, list, confirm);
  std::size_t count = 0, unsure = 0;
  std::vector<std::string> doubts, pictures;
  for (std::size_t i = 0; i < looks.size(); ++i) {
    const fs::path drawn = Beside(options, absl::StrCat(".seen-", i + 1, ".jpg"));
    std::error_code error;
    for (const EnrolmentLook& look : looks) {
      if (!fs::equivalent(drawn, look.file, error)) continue;
      throw CommandError(drawn.string() + " would be drawn over: give that picture another name");
    }
    if (!cv::imwrite(drawn.string(), Drawn(looks[i], record.looks[i], proposals[i], *tiles))) {
      throw CommandError(drawn.string() + ": cannot be written");
    }
    pictures.push_back(drawn.string());
    count += looks[i].tiles.size();
    for (const EnrolmentRecord::Tile& tile : record.looks[i].tiles) {
      if (tile.doubt.empty()) continue;
      ++unsure;
      std::printf("%3d %s %s\n", tile.number, tile.tile.c_str(), tile.doubt.c_str());
    }
  }
  const Missing missing = MissingFrom(record, *tiles);
  ReportMissing(missing);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("%zu tiles found and named in %.1f s: shown in %s, listed in %s\n", count, seconds,
              absl::StrJoin(pictures, ", ").c_str(), list.c_str());
  if (unsure > 0 || missing.types > 0) {
    throw CommandError(absl::StrCat(
        options.out, " is not written yet: ", unsure, " of ", count, " tiles are unsure and of ",
        missing.types, " types there is none",
        missing.types > 0 ? absl::StrCat(" (", missing.list, "; give a picture of them as well)")
                          : "",
        "; look at ", pictures.front(), ", correct ", list.string(), " and run ", confirm));
  }
  Save(Check(PackOf(record, *tiles, network)), *tiles, options);
}

void EnrolConfirmed(EnrolOptions options) {
  const EnrolmentRecord record = Check(EnrolmentRecord::Load(options.confirmed));
  if (options.set.empty()) options.set = record.tile_set;
  const auto tiles = SetOf(options);
  vision::TileNetwork network = Check(vision::TileNetwork::Load());
  auto pack = Check(PackOf(record, *tiles, network));
  ReportMissing(MissingFrom(record, *tiles));
  Save(std::move(pack), *tiles, options);
}

void Run(const EnrolOptions& options) {
  if (!options.confirmed.empty()) return EnrolConfirmed(options);
  if (options.sources.empty()) {
    throw CommandError("name the pictures of your tiles, or the list that you --confirmed", 2);
  }
  std::error_code error;
  const bool folder = fs::is_directory(options.sources.front(), error);
  if ((folder || !options.order.empty()) && options.sources.size() > 1) {
    throw CommandError("a folder, or a picture with --order, stands alone", 2);
  }
  if (folder) {
    const auto tiles = SetOf(options);
    std::vector<std::string> known;
    for (const engine::TileType& type : tiles->types()) known.push_back(type.id);
    Save(Check(calibration::EnrolFolder(options.sources.front(), known)), *tiles, options);
  } else if (!options.order.empty()) {
    const auto tiles = SetOf(options);
    const cv::Mat picture = Check(calibration::LoadPicture(options.sources.front()));
    Save(InOrder(picture, TypesInOrder(*tiles, options.order)), *tiles, options);
  } else {
    EnrolLooks(options);
  }
}

}  // namespace

void AddEnrolCommand(Command app) {
  auto options = std::make_shared<EnrolOptions>();
  Command command = app.AddCommand(
      "enrol",
      "Learns what the tiles of your box look like, from one to five pictures in which they lie\n"
      "face up, in any order and turn, a finger's breadth apart: the whole box, or one of each\n"
      "type. It names each tile, shows the names in pictures beside the pack and lists them in a\n"
      "file. Where it is unsure, correct that file and give it back with --confirmed.\n"
      "One picture with each type once, upright, in rows and in the order of the set needs "
      "nobody.\n"
      "A folder of cut-out tile pictures works as well, named by type: B.A.png, more copies as\n"
      "B.A-2.jpg, and @1, @2 or @3 where a picture is turned by quarters clockwise (B.A-2@1.jpg).\n"
      "Example: tilewarden enrol left.jpg right.jpg --out mine.pack --set base.c1\n"
      "   then: tilewarden enrol --confirmed mine.toml --out mine.pack");
  command.Add("PICTURE|FOLDER", &options->sources);
  command.Add("--out", &options->out, "The pack to write").Required();
  command.Add("--set", &options->set, "The tile set these tiles belong to (base.c1 if not given)");
  AddDataOption(command, &options->data);
  command.Add("--confirmed", &options->confirmed, "The list of tiles of an earlier run, corrected");
  command.Add("--order", &options->order,
              "For tiles that it cannot name: they lie upright in rows, in the order of "
              "the set (--order set)\nor of this list, row by row: B.A,B.B");
  command.AddFlag("--descriptors", &options->descriptors,
                  "Write descriptors instead of pictures, where art may not be given away: such "
                  "a pack\nreads less surely than one with pictures");
  command.Add("--title", &options->title, "Where the pictures come from");
  command.Add("--licence", &options->licence, "What may be done with them");
  command.Runs([options] { Run(*options); });
}

}  // namespace tilewarden::services
