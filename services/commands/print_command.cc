#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "calibration/print/printable_sheets.h"
#include "calibration/print/score_track.h"
#include "calibration/print/standees.h"
#include "engine/game/box_rules.h"
#include "engine/tiles/tile_set.h"
#include "services/boxes/printable_set.h"
#include "services/boxes/tile_sets.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"

namespace tilewarden::services {
namespace {

struct PrintCommand {
  std::vector<std::string> what;
  std::string out, set = TileSets::kDefault, board = "6x8";
  std::filesystem::path data;
  calibration::Paper paper = calibration::Paper::kA4;
};

const std::vector<std::string>& Sheets() {
  static const std::vector<std::string> sheets = {"board", "tiles", "score-track", "standees"};
  return sheets;
}

// Which pile it lies in when face down.
calibration::Back BackOf(const engine::TileSet& set, std::size_t type, int copy) {
  if (set.types()[type].HasRiver()) return calibration::Back::kRiver;
  const bool start = static_cast<int>(type) == set.start_tile() && copy == 0;
  return start ? calibration::Back::kStart : calibration::Back::kTile;
}

std::vector<calibration::PrintableTile> WholeBox(const engine::TileSet& set) {
  // As fine as the brush; 45 mm at 300 dots an inch.
  constexpr int kSide_px = 512;
  std::vector<calibration::PrintableTile> tiles;
  for (std::size_t type = 0; type < set.types().size(); ++type) {
    for (int copy = 0; copy < set.counts()[type]; ++copy) {
      tiles.push_back(
          {PaintCopy(set.types()[type], copy, kBundledBox, kSide_px), BackOf(set, type, copy)});
    }
  }
  return tiles;
}

// The special figures that the box is played with.
std::vector<calibration::SpecialStandee> FiguresOf(const engine::TileSet& set) {
  using calibration::SpecialStandee;
  std::vector<SpecialStandee> figures;
  const auto rules = engine::RulesOfBox(set);
  const bool gardens =
      std::any_of(set.types().begin(), set.types().end(), [](const engine::TileType& type) {
        return std::any_of(type.segments.begin(), type.segments.end(), [](const auto& segment) {
          return segment.kind == engine::SegmentKind::kGarden;
        });
      });
  if (gardens) figures.push_back(SpecialStandee::kAbbot);
  if (rules.ok() && rules->ark != engine::ArkEdition::kNone) {
    figures.insert(figures.end(), {SpecialStandee::kProphet, SpecialStandee::kArk});
  }
  if (rules.ok() && rules->gingerbread) figures.push_back(SpecialStandee::kGingerbreadMan);
  if (rules.ok() && rules->large_followers > 0) figures.push_back(SpecialStandee::kLargeFollower);
  if (rules.ok() && rules->builders > 0) figures.push_back(SpecialStandee::kBuilder);
  if (rules.ok() && rules->pigs > 0) figures.push_back(SpecialStandee::kPig);
  return figures;
}

void Run(const PrintCommand& command) {
  const calibration::BoardLayout board = Check(calibration::ParseBoard(command.board));
  // Before anything is written: a set may have been named that does not exist.
  const auto set = LoadTileSet(command.set, command.data);
  std::error_code error;
  std::filesystem::create_directories(command.out, error);
  if (!std::filesystem::is_directory(command.out, error)) {
    throw CommandError("the folder " + command.out + " cannot be made: give another with --out");
  }
  for (const std::string& sheet : command.what.empty() ? Sheets() : command.what) {
    const std::string paper = command.paper == calibration::Paper::kA4 ? "a4" : "letter";
    const auto file = std::filesystem::path(command.out) / absl::StrCat(sheet, "-", paper, ".pdf");
    if (sheet == "board") Check(calibration::PrintBoard(file, command.paper, board));
    if (sheet == "tiles") {
      Check(calibration::PrintTiles(file, command.paper, absl::StrCat("Tiles ", set->id()),
                                    WholeBox(*set)));
    }
    if (sheet == "score-track") Check(calibration::PrintScoreTrack(file, command.paper));
    if (sheet == "standees") {
      Check(calibration::PrintStandees(file, command.paper, FiguresOf(*set)));
    }
    std::printf("%s\n", file.c_str());
  }
}

}  // namespace

void AddPrintCommand(Command app) {
  auto command = std::make_shared<PrintCommand>();
  Command sub = app.AddCommand(
      "print",
      "Writes PDFs true to scale, each with a ruler to check: the board to calibrate a camera\n"
      "with, and the project's own tiles with their backs, a score track and paper figures, to\n"
      "play with no box at all: followers, and the special figures of the set.\n"
      "Example: tilewarden print tiles standees --paper letter --out sheets");
  sub.Add("WHAT", &command->what, "board, tiles, score-track, standees; none named: all of them")
      .OneOf(Sheets());
  sub.Add("--out", &command->out, "Folder for the PDFs").Required();
  sub.AddChoice<calibration::Paper>(
      "--paper", &command->paper,
      {{"a4", calibration::Paper::kA4}, {"letter", calibration::Paper::kLetter}}, "a4 or letter");
  sub.Add("--set", &command->set, "The tiles, as in base.c1+river1.c1 or base.c1+home")
      .ShowDefault();
  AddDataOption(sub, &command->data);
  sub.Add("--board", &command->board, "Squares of the board, across and down").ShowDefault();
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
