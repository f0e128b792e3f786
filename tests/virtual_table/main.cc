// tilewarden-virtual-table: pictures of a table that does not exist, with the
// truth about them.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "engine/tiles/tile_set.h"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/videoio.hpp"
#include "services/boxes/printable_set.h"
#include "tests/engine/referee/simulation.h"
#include "tests/virtual_table/story/recording.h"
#include "tests/virtual_table/story/still.h"
#include "tests/virtual_table/story/whole_game.h"

namespace {

namespace vt = tilewarden::virtual_table;

struct Common {
  std::string out, level = "easy", set = "base.c1", table;
  std::uint64_t seed = 1, box = tilewarden::services::kBundledBox;
  int width = 1920, height = 1080;
};

void AddCommon(CLI::App* command, Common* common) {
  command->add_option("--out", common->out, "File to write")->required();
  command->add_option("--seed", common->seed, "Another seed, another picture")
      ->capture_default_str();
  command->add_option("--level", common->level, "How hard it is to read")
      ->check(CLI::IsMember({"easy", "medium", "hard"}))
      ->capture_default_str();
  command->add_option("--set", common->set, "Tile set")->capture_default_str();
  command->add_option("--box", common->box, "Seed of the printed copies")->capture_default_str();
  command->add_option("--table", common->table, "Table top; by chance if not given")
      ->check(
          CLI::IsMember({"wood", "dark-wood", "checked-cloth", "plain-cloth", "white", "red-felt",
                         "blue-felt", "green-felt", "yellow-felt", "black-felt", "stripes"}));
  command->add_option("--width", common->width)
      ->capture_default_str()
      ->check(CLI::Range(160, 7680));
  command->add_option("--height", common->height)
      ->capture_default_str()
      ->check(CLI::Range(90, 4320));
}

std::shared_ptr<const tilewarden::engine::TileSet> LoadSet(const std::string& id) {
  auto set = tilewarden::engine::TileSet::Load(id);
  if (!set.ok()) throw std::runtime_error(std::string(set.status().message()));
  return *set;
}

// The truth goes beside the picture, with another ending.
std::string TruthPath(const std::string& picture, const char* ending) {
  return std::filesystem::path(picture).replace_extension(ending).string();
}

void WriteTruth(const std::string& path, const nlohmann::json& truth) {
  std::ofstream file(path);
  file << truth.dump(1) << '\n';
  if (!file) throw std::runtime_error("cannot write " + path);
}

void WritePicture(const std::string& path, const cv::Mat& picture) {
  constexpr int kJpegQuality = 92;
  if (!cv::imwrite(path, picture, {cv::IMWRITE_JPEG_QUALITY, kJpegQuality})) {
    throw std::runtime_error("cannot write " + path);
  }
}

void Write(const std::string& path, const vt::Still& still) {
  WritePicture(path, still.picture);
  WriteTruth(TruthPath(path, ".json"), still.truth);
}

// One picture of the plan, or so many looks at the whole box: OUT-1.jpg, ...
void WriteEnrolment(const std::string& out, std::uint64_t seed, int looks, vt::EnrolmentPlan plan,
                    vt::TileBox* box) {
  plan.seed = seed;
  if (looks == 0) return Write(out, vt::MakeEnrolment(plan, box));
  const auto cards = vt::ShuffledBox(box->tiles(), seed);
  plan.any_turn = true;
  const double in_each = static_cast<double>(cards.size()) / looks;
  plan.columns =
      static_cast<int>(std::ceil(std::sqrt(in_each * plan.size_px.width / plan.size_px.height)));
  const std::filesystem::path path = out;
  const auto place = [&](int look) {
    return cards.begin() + static_cast<std::ptrdiff_t>(cards.size()) * look / looks;
  };
  for (int look = 0; look < looks; ++look) {
    plan.seed = seed + static_cast<std::uint64_t>(look);
    plan.cards.assign(place(look), place(look + 1));
    const std::string name = path.stem().string() + "-" + std::to_string(look + 1);
    Write((path.parent_path() / (name + path.extension().string())).string(),
          vt::MakeEnrolment(plan, box));
  }
}

// H.264 into PATH, the truth beside it.
void WriteVideo(const std::string& path, const vt::RecordingPlan& plan, vt::TileBox* box) {
  cv::VideoWriter video(path, cv::VideoWriter::fourcc('a', 'v', 'c', '1'), plan.fps, plan.size_px);
  if (!video.isOpened()) throw std::runtime_error("cannot write H.264 video to " + path);
  const auto truth = vt::Record(
      plan, box, [&](const cv::Mat& frame, const vt::FrameNote&) { video.write(frame); });
  WriteTruth(TruthPath(path, ".truth.json"), truth);
}

// One picture for each look, and the frames of hands, into a folder.
void WriteSequence(const std::string& folder, vt::RecordingPlan plan, vt::TileBox* box) {
  std::filesystem::create_directories(folder);
  plan.look_frames = 1;
  plan.way_frames = 1;
  int last_look = -1;
  int number = 0;
  auto files = nlohmann::json::array();
  auto truth = vt::Record(plan, box, [&](const cv::Mat& frame, const vt::FrameNote& note) {
    if (note.settled && note.look == last_look) return;
    if (note.settled) last_look = note.look;
    char name[32];
    std::snprintf(name, sizeof name, "frame_%04d.jpg", ++number);
    if (!frame.empty()) WritePicture((std::filesystem::path(folder) / name).string(), frame);
    files.push_back({{"file", name},
                     {"settled", note.settled},
                     {"look", note.settled ? nlohmann::json(note.look) : nlohmann::json()},
                     {"note", note.what}});
  });
  // What is on the board in each settled file, as the scorers of pictures ask.
  for (auto& file : files) {
    file["tiles"] = nlohmann::json::array();
    file["meeples"] = nlohmann::json::array();
    if (!file["settled"]) continue;
    const int look = file["look"];
    for (const char* list : {"tiles", "meeples"}) {
      for (const auto& thing : truth[list]) {
        const bool gone = !thing["last_look"].is_null() && thing["last_look"].get<int>() < look;
        if (thing["first_look"].get<int>() <= look && !gone) file[list].push_back(thing);
      }
    }
  }
  truth["timeline"] = files;
  WriteTruth((std::filesystem::path(folder) / "truth.json").string(), truth);
}

// The rules of a set where none are named, as the program has them: "base.c2" is played by "c2".
std::string PresetOf(const std::string& set) {
  const std::string first = set.substr(0, set.find('+'));
  const auto dot = first.rfind('.');
  return dot == std::string::npos ? first : first.substr(dot + 1);
}

// A whole game as single looks, into a folder.
void WriteGame(const std::string& folder, const vt::WholeGamePlan& plan, vt::TileBox* box) {
  std::filesystem::create_directories(folder);
  auto files = nlohmann::json::array();
  auto truth = vt::PictureGame(plan, box, [&](const cv::Mat& frame, const vt::FrameNote& note) {
    char name[32];
    std::snprintf(name, sizeof name, "frame_%04d.jpg", note.number);
    WritePicture((std::filesystem::path(folder) / name).string(), frame);
    auto special = nlohmann::json::array();
    for (const auto& [kind, cell] : note.special) {
      special.push_back({{"figure", kind}, {"cell", {cell.x, cell.y}}});
    }
    files.push_back(
        {{"file", name}, {"settled", note.settled}, {"note", note.what}, {"special", special}});
  });
  truth["timeline"] = files;
  WriteTruth((std::filesystem::path(folder) / "truth.json").string(), truth);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Renders tables with known truth: boards, enrolment pictures, whole games.",
               "tilewarden-virtual-table"};
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  tilewarden-virtual-table still --level medium --turns 24 --out board.jpg\n"
      "  tilewarden-virtual-table enrol --out types.jpg\n"
      "  tilewarden-virtual-table sequence --seed 4 --mistakes 9 --out game/\n"
      "  tilewarden-virtual-table game --players 3 --bump --lamp --width 1280 --height 720 --out "
      "game/\n"
      "  tilewarden-virtual-table video --turns 30 --width 1280 --height 720 --out game.mp4");

  Common common;
  vt::StillPlan still;
  int players = 2, begins = 0;
  const std::vector<std::string> colours = {"red", "blue", "yellow", "green", "black", "pink"};
  CLI::App* still_command = app.add_subcommand("still", "One picture of a board in mid-game");
  AddCommon(still_command, &common);
  still_command->add_option("--turns", still.turns)
      ->capture_default_str()
      ->check(CLI::Range(0, 71));
  still_command
      ->add_option("--planted", still.planted,
                   "So many tiles without figures change places, to lie where they do not fit")
      ->check(CLI::Range(0, 20));
  still_command->add_option("--special", still.special, "So many special figures of all games")
      ->check(CLI::Range(0, 20));
  still_command->add_option("--clutter", still.clutter, "So many dice, coins, fingers, pens, beads")
      ->check(CLI::Range(0, 20));
  still_command->add_option("--players", players)->capture_default_str()->check(CLI::Range(1, 6));
  still_command->callback([&] {
    vt::TileBox box(LoadSet(common.set), common.box);
    still.level = *vt::ParseLevel(common.level);
    still.seed = common.seed;
    still.size_px = {common.width, common.height};
    still.table = vt::ParseTableKind(common.table);
    still.colours.assign(colours.begin(), colours.begin() + players);
    Write(common.out, vt::MakeStill(still, &box));
  });

  vt::EnrolmentPlan enrolment;
  int looks = 0;
  CLI::App* enrol_command =
      app.add_subcommand("enrol", "The types of a set, upright in rows, as laid out to enrol them");
  AddCommon(enrol_command, &common);
  enrol_command->add_option("--columns", enrolment.columns)
      ->capture_default_str()
      ->check(CLI::Range(1, 12));
  enrol_command
      ->add_option("--looks", looks,
                   "The whole box instead, in any order and turn, over so many pictures: OUT-1.jpg")
      ->check(CLI::Range(1, 5));
  enrol_command->callback([&] {
    vt::TileBox box(LoadSet(common.set), common.box);
    enrolment.level = *vt::ParseLevel(common.level);
    enrolment.size_px = {common.width, common.height};
    WriteEnrolment(common.out, common.seed, looks, enrolment, &box);
  });

  vt::RecordingPlan plan;
  plan.game.turns = 20;
  const auto add_game = [&](CLI::App* command) {
    AddCommon(command, &common);
    command->add_option("--turns", plan.game.turns)
        ->capture_default_str()
        ->check(CLI::Range(1, 71));
    command->add_option("--players", players)->capture_default_str()->check(CLI::Range(1, 4));
    command->add_option("--columns", plan.game.max_columns, "Width of the board in tiles, about")
        ->capture_default_str();
    command->add_option("--rows", plan.game.max_rows, "Height of the board in tiles, about")
        ->capture_default_str();
    command->add_option("--mistakes", plan.mistakes,
                        "Turns whose tile is first laid where it does not fit");
    command->add_option("--begins", begins, "The player who begins, from 0: the next one follows")
        ->check(CLI::Range(0, 3));
    command->add_option("--late-figures", plan.late_figures,
                        "Turns whose figure is set after a look at the tile");
    command->add_flag("--score-track", plan.score_track, "The printed score track is in use");
    command->add_option("--forgotten", plan.forgotten,
                        "Turns after which nobody moves a marker on it");
  };
  const auto fill_plan = [&] {
    plan.level = *vt::ParseLevel(common.level);
    plan.game.seed = common.seed;
    plan.game.colours.assign(colours.begin(), colours.begin() + players);
    std::rotate(plan.game.colours.begin(), plan.game.colours.begin() + begins % players,
                plan.game.colours.end());
    plan.size_px = {common.width, common.height};
    plan.table = vt::ParseTableKind(common.table);
  };
  CLI::App* sequence_command =
      app.add_subcommand("sequence", "A game as pictures in the folder --out, with truth.json");
  add_game(sequence_command);
  sequence_command->add_option("--first-look", plan.first_look,
                               "Pictures before this look, from 0, are left out");
  sequence_command->callback([&] {
    fill_plan();
    vt::TileBox box(LoadSet(common.set), common.box);
    WriteSequence(common.out, plan, &box);
  });
  CLI::App* video_command = app.add_subcommand("video", "A game as an H.264 video with its truth");
  add_game(video_command);
  video_command->add_option("--fps", plan.fps)->capture_default_str()->check(CLI::Range(1, 60));
  video_command->callback([&] {
    fill_plan();
    vt::TileBox box(LoadSet(common.set), common.box);
    WriteVideo(common.out, plan, &box);
  });

  vt::WholeGamePlan game;
  CLI::App* game_command = app.add_subcommand("game",
                                              "A whole game in the folder --out as a few looks a "
                                              "turn, with people's mistakes, and truth.json");
  AddCommon(game_command, &common);
  game_command->add_option("--players", game.story.players)
      ->capture_default_str()
      ->check(CLI::Range(2, 6));
  game_command->add_option("--turns", game.story.turns, "At most")->check(CLI::Range(1, 200));
  game_command->add_option("--preset", game.story.preset, "Rules; those of the set if not given");
  std::vector<std::string> rules;
  game_command->add_option("--rule", rules, "NAME=VALUE beside the preset's; may be repeated");
  game_command->add_option("--mistakes", game.story.mistakes, "Share of turns in which one is made")
      ->capture_default_str()
      ->check(CLI::Range(0.0, 1.0));
  game_command->add_option("--kind", game.story.kind, "Only mistakes of this kind")
      ->check(CLI::IsMember(tilewarden::engine::MistakeKinds()));
  game_command
      ->add_option("--columns", game.story.max_columns, "Width of the board in tiles, about")
      ->capture_default_str();
  game_command->add_option("--rows", game.story.max_rows, "Height of the board in tiles, about")
      ->capture_default_str();
  game_command->add_flag("--bump", game.bump, "The camera is bumped once");
  game_command->add_flag("--lamp", game.lamp, "A lamp is switched once");
  game_command->add_flag("--push", game.push, "The board is pushed once");
  game_command->add_flag("--hostile", game.hostile,
                         "Felt in players' colours, stripes, wide lenses, bare and coloured arms, "
                         "figures half over edges, hands that linger");
  game_command->callback([&] {
    vt::TileBox box(LoadSet(common.set), common.box);
    game.story.set = common.set;
    game.story.seed = common.seed;
    if (game.story.preset.empty()) game.story.preset = PresetOf(common.set);
    for (const std::string& rule : rules) {
      const std::size_t equals = std::min(rule.find('='), rule.size());
      game.story.rules.emplace_back(rule.substr(0, equals),
                                    rule.substr(std::min(equals + 1, rule.size())));
    }
    game.level = *vt::ParseLevel(common.level);
    game.size_px = {common.width, common.height};
    game.table = vt::ParseTableKind(common.table);
    WriteGame(common.out, game, &box);
  });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "tilewarden-virtual-table: %s\n", error.what());
    return 1;
  }
  return 0;
}
