#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "engine/game/box_rules.h"
#include "engine/game/stack.h"
#include "services/commands/commands.h"
#include "services/records/replay.h"
#include "services/records/rules_check.h"
#include "services/records/saved_game.h"

namespace tilewarden::services {
namespace {

void CheckFiles(const std::vector<std::string>& files) {
  RulesReport report;
  for (const std::string& file : files) {
    if (absl::Status status = CheckRulesFile(file, &report); !status.ok()) {
      throw CommandError(std::string(status.message()));
    }
  }
  for (const std::string& difference : report.differences) std::printf("%s\n", difference.c_str());
  for (const std::string& line : report.explained) std::printf("note: %s\n", line.c_str());
  std::printf("%d files, %d cases, %d expectations, %zu differences, %zu notes\n", report.files,
              report.cases, report.expectations, report.differences.size(),
              report.explained.size());
  if (!report.differences.empty()) {
    throw CommandError("the engine and the files differ");
  }
}

void Convert(const std::string& from, const std::string& to) {
  absl::StatusOr<engine::GameRecord> record = ReadSavedGame(from);
  if (!record.ok()) throw CommandError(std::string(record.status().message()));
  absl::Status status = WriteSavedGame(*record, to);
  if (!status.ok()) throw CommandError(std::string(status.message()));
}

struct ReplayOptions {
  std::string file;
  int until = -1;
  bool features = false;
  bool left = false;
  std::string fits;
};

struct ShowOptions {
  std::string preset;
  std::string set = "base.c2";
  std::vector<std::string> options;
};

void Print(const std::vector<std::string>& lines, const char* indent = "") {
  for (const std::string& line : lines) std::printf("%s%s\n", indent, line.c_str());
}

void Replay(const ReplayOptions& options) {
  const absl::StatusOr<engine::GameRecord> read = ReadSavedGame(options.file);
  if (!read.ok()) throw CommandError(std::string(read.status().message()));
  const engine::GameRecord& record = *read;
  engine::Game game = engine::Begin(record);
  std::string players;
  for (const std::string& colour : record.colours) players += " " + colour;
  std::printf("%s; players:%s\n", record.tiles->name().c_str(), players.c_str());
  TurnWatch watch;
  std::size_t comment = 0;
  for (std::size_t i = 0; i <= record.turns.size(); ++i) {
    for (; comment < record.comments.size() && record.comments[comment].first == i; ++comment) {
      std::printf("    # %s\n", record.comments[comment].second.c_str());
    }
    if (i == record.turns.size() || static_cast<int>(i) == options.until) break;
    const bool over = game.IsOver();
    engine::Refusal refusal;
    const auto outcome = game.Apply(record.turns[i], &refusal);
    if (!outcome) {
      throw CommandError(options.file + ": turn " + std::to_string(i + 1) +
                         " is refused: " + DescribeRefusal(refusal));
    }
    Print(DescribeTurn(game, record.turns[i], *outcome));
    Print(watch.Next(game, over, outcome->extra_turn));
  }
  std::printf("\n");
  Print(DrawBoard(game));
  std::printf("\n");
  Print(ScoreSheet(game));
  if (options.features) {
    std::printf(
        "\nOpen features, tiles that go on with them, and the chance that one is drawn "
        "(hypergeometric: without replacement):\n");
    Print(DescribeFeatures(game));
  }
  if (options.left) {
    std::printf("\n");
    Print(DescribeTilesLeft(game));
  }
  if (options.fits.empty()) return;
  const int tile = game.tile_set().Find(options.fits);
  if (tile < 0) throw CommandError("the set has no tile \"" + options.fits + "\"");
  std::printf("\n");
  Print(DescribeFit(game, tile));
}

void Show(const ShowOptions& options) {
  const auto tiles = engine::TileSet::Load(options.set);
  if (!tiles.ok()) throw CommandError(std::string(tiles.status().message()));
  absl::StatusOr<engine::Rules> rules = engine::RulesOfBox(**tiles, options.preset);
  if (!rules.ok()) throw CommandError(std::string(rules.status().message()));
  for (const std::string& option : options.options) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos) throw CommandError(option + ": give it as NAME=VALUE");
    const absl::Status set = rules->Set(option.substr(0, equals), option.substr(equals + 1));
    if (!set.ok()) throw CommandError(std::string(set.message()));
  }
  const std::string preset =
      options.preset.empty() ? engine::PresetsOfBox(options.set).front() : options.preset;
  std::printf("%s, %d tiles, preset %s\n\nBefore the first turn:\n", (*tiles)->name().c_str(),
              (*tiles)->total(), preset.c_str());
  Print(engine::SetUpSteps(**tiles, *rules), "  ");
  std::printf(
      "\nOptions (* differs from the defaults; rows are those of the comparison of rules):\n");
  Print(DescribeRules(*rules));
}

}  // namespace

void AddRulesCommand(Command app) {
  Command rules = app.AddCommand("rules", "Work with the rules.");
  rules.NeedsCommand();
  Command check = rules.AddCommand(
      "check",
      "Play worked examples and recorded games against the engine and print every difference.\n"
      "Example: tilewarden rules check scenarios.json games/base.jsonl");
  const auto files = std::make_shared<std::vector<std::string>>();
  check
      .Add("FILE", files.get(),
           "Scenarios (.json), games (.jsonl, .jcz) or scores after each turn (.live.jsonl)")
      .Required();
  check.Runs([files] { CheckFiles(*files); });

  Command convert = rules.AddCommand(
      "convert",
      "Write a game in another form: our notation, or a saved game of JCloisterZone (.jcz).\n"
      "Example: tilewarden rules convert evening.txt evening.jcz");
  const auto from = std::make_shared<std::string>(), to = std::make_shared<std::string>();
  convert.Add("FROM", from.get(), "The game; its name tells its form").Required();
  convert.Add("TO", to.get(), "Where it goes; an existing file is overwritten").Required();
  convert.Runs([from, to] { Convert(*from, *to); });

  Command replay = rules.AddCommand(
      "replay",
      "Play a written game by the rules: every turn with its points, the board, the score sheet.\n"
      "A turn that is not legal ends it with the rule, the cells and the segments involved.\n"
      "Example: tilewarden rules replay evening.txt --until 12 --features --left --fits B.C");
  const auto wanted = std::make_shared<ReplayOptions>();
  replay.Add("FILE", &wanted->file, "A game in our notation, or a saved game (.jcz)").Required();
  replay.Add("--until", &wanted->until, "Stop after so many turns");
  replay.AddFlag("--features", &wanted->features, "Open features with the odds to finish them");
  replay.AddFlag("--left", &wanted->left, "Tiles left, and those that fit nowhere");
  replay.Add("--fits", &wanted->fits,
             "Where this tile can be laid, or the proof that it fits nowhere");
  replay.Runs([wanted] { Replay(*wanted); });

  Command show = rules.AddCommand(
      "show",
      "What the players do before the game, and every option with its value.\n"
      "Example: tilewarden rules show --preset c3 --set base.c2+river.20ae --option abbot=true");
  const auto shown = std::make_shared<ShowOptions>();
  show.Add("--preset", &shown->preset,
           "An edition: c1, c2, c3, winter, ark-1, ...; default: the box's own");
  show.Add("--set", &shown->set, "The box, or several joined by a plus").ShowDefault();
  show.Add("--option", &shown->options, "NAME=VALUE; may be given more than once");
  show.Runs([shown] { Show(*shown); });
}

}  // namespace tilewarden::services
