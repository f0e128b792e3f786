#include <cstdio>
#include <memory>

#include "services/base/message_json.h"
#include "services/boxes/edition.h"
#include "services/camera/table_camera.h"
#include "services/commands/json_lines.h"
#include "services/commands/running.h"
#include "services/commands/table_options.h"
#include "services/commands/terminal_view.h"
#include "services/convert/convert.h"
#include "services/store/store.h"
#include "services/table/table.h"
#include "vision/frames/frame_source.h"

namespace tilewarden::services {
namespace {

struct WatchCommand {
  std::string source, profile, debug;
  Box box;
  RulesChoice rules;
  std::filesystem::path data;
  std::vector<std::string> players;
  vision::FrameSourceSettings frames;
  bool begun = false, json = false, states = false, sightings = false, final = false;
};

// Follows a table in this one process: frames, reader, referee, events. The
// referee's table is the engine service's, with a log that is not kept.
void Run(const WatchCommand& command) {
  LogToStderr();
  const auto pack = LoadPack(command.box, command.data);
  auto frames = Check(vision::OpenFrameSource(command.source, command.frames));
  const auto store = Check(OpenSqliteStore(":memory:"));
  TileSets tile_sets(command.data / OwnTiles::kFile);
  const auto art = Check(tile_sets.Get(pack->tile_set));
  Table::NewGame game;
  game.rules = Chosen(command.rules, *art->set).rules;
  game.colours = command.players;
  game.begun = command.begun;
  const auto table = Check(Table::Create(store.get(), &tile_sets, art, game, {}));

  TableCamera::Options watched;
  watched.reading.debug_folder = command.debug;
  watched.reading.special_figures = SpecialFiguresOf(game.rules.ToMap());
  watched.lens = LoadLens(command.profile);
  watched.tiles = art->set;
  TableCamera camera(std::move(frames), pack, watched);
  TerminalView view(&tile_sets, "tilewarden watch " + command.source);
  Table::Cursor cursor{false, 0};
  vision::Frame last;
  const auto tell = [&](const vision::Frame& frame, bool settled) {
    while (const Table::Message told = table->Next(&cursor)) {
      const auto message = told->Parse();
      if (command.json) {
        PrintJsonLine(frame, settled, "event", ToJson(message.event()));
      } else {
        view.Show(message);
      }
    }
    if (command.states && settled)
      PrintJsonLine(frame, settled, "state", ToJson(Check(table->State())));
  };
  tell(last, false);
  bool seen_tiles = false;
  while (auto frame = Check(camera.NextFrame())) {
    const auto seen = Check(camera.Read(*frame)).message;
    seen_tiles = seen_tiles || seen.tiles_size() > 0;
    if (command.sightings) PrintJsonLine(*frame, seen.settled(), "sighting", ToJson(seen));
    Check(table->Observe("watch", Check(FromProto(seen))).status());
    tell(*frame, seen.settled());
    last = *std::move(frame);
  }
  if (!seen_tiles) throw NothingSeen(command.source);
  if (command.final) {
    const auto end = [](engine::Referee& referee) -> absl::StatusOr<Table::Judgement> {
      return referee.End();
    };
    Check(
        table->Command({}, end, [](Table&, const Table::Told&) { return std::string(); }).status());
    tell(last, false);
    if (!command.json) std::printf("\n%s", DescribeResult(Check(table->State()), false).c_str());
  }
}

}  // namespace

void AddWatchCommand(Command app) {
  auto command = std::make_shared<WatchCommand>();
  Command sub = app.AddCommand("watch",
                               "Follows a table and prints what happens, a line for each event.\n"
                               "Example: tilewarden watch pictures/ --pack mybox.pack --json");
  AddSourceOption(sub, &command->source).Required();
  AddBoxOptions(sub, &command->box);
  AddProfileOption(sub, &command->profile);
  AddDataOption(sub, &command->data);
  AddRulesOptions(sub, &command->rules);
  sub.Add("--players", &command->players,
          "Colours in turn order; else players are known by the colours that appear")
      .SplitAt(',');
  sub.AddFlag("--begun", &command->begun,
              "The game is already under way: start from the board on the table");
  sub.AddFlag("--json", &command->json, "Events as JSON lines (v1.GameEvent), scores in them");
  sub.AddFlag("--states", &command->states,
              "Also a JSON line with the whole state for each settled frame");
  sub.AddFlag("--sightings", &command->sightings,
              "Also a JSON line with what the camera saw for each frame");
  sub.AddFlag("--final", &command->final, "Do the final scoring when the source ends");
  AddDebugOption(sub, &command->debug);
  AddRecordOptions(sub, &command->frames);
  sub.Runs([command] { Run(*command); });
}

}  // namespace tilewarden::services
