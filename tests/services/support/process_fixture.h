// The program as people start it: processes, signals, exit statuses.
#pragma once

#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "opencv2/imgcodecs.hpp"
#include "services/base/child_process.h"
#include "services/boxes/printable_set.h"
#include "tests/services/support/eventually.h"
#include "tests/services/support/temp_folder.h"

namespace tilewarden::services {

struct Result {
  int status = -1;
  std::string output, errors;
};

class ProcessTest : public testing::Test {
 protected:
  // What whoever runs the tests has set up is not looked at.
  ProcessTest() { setenv("TILEWARDEN_CONFIG", "", 1); }

  // Runs the program to its end.
  Result Run(const std::string& arguments) {
    const auto output = folder_.path() / "output", errors = folder_.path() / "errors";
    const std::string command = absl::StrCat(TILEWARDEN_PROGRAM, " ", arguments, " > ",
                                             output.string(), " 2> ", errors.string());
    Result result;
    const int status = std::system(command.c_str());
    result.status = WEXITSTATUS(status);
    result.output = Bytes(output);
    result.errors = Bytes(errors);
    return result;
  }
  // Fails with one line that holds these words.
  void ExpectError(const std::string& arguments, const std::string& words) {
    const Result result = Run(arguments);
    EXPECT_NE(result.status, 0) << arguments;
    EXPECT_TRUE(absl::StrContains(result.errors, words)) << arguments << ": " << result.errors;
    EXPECT_EQ(std::count(result.errors.begin(), result.errors.end(), '\n'), 1) << result.errors;
  }

  static void ExpectStops(ChildProcess* process, int signal) {
    kill(process->pid(), signal);
    EXPECT_TRUE(Eventually([&] { return process->Ended().has_value(); }));
    EXPECT_EQ(process->Ended(), 0);
  }

  static std::string Bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  absl::StatusOr<ChildProcess> StartEngine(const std::string& listen) {
    auto engine = ChildProcess::Start({TILEWARDEN_PROGRAM, "engine", "--listen", listen, "--data",
                                       (folder_.path() / "data").string()});
    if (!engine.ok()) return engine;
    const auto line = engine->ReadLine();
    EXPECT_TRUE(line.has_value());
    if (line) {
      const auto from = line->find("127.");
      address_ = line->substr(from, line->find(',') - from);
    }
    return engine;
  }

  // A pack for commands that need one, of two tiles.
  std::string Pack() {
    const auto path = folder_.path() / "box.pack";
    calibration::ReferencePack pack;
    pack.tile_set = "base.c1";
    const auto set = *engine::TileSet::Load("base.c1");
    for (const char* id : {"B.D", "B.U"}) {
      const auto& type = set->types()[static_cast<std::size_t>(set->Find(id))];
      pack.pictures.push_back(
          {id, PaintCopy(type, 0, kBundledBox, calibration::ReferencePack::kSide_px)});
    }
    EXPECT_TRUE(pack.Save(path).ok());
    return path.string();
  }

  // A folder of grey pictures of nothing: 1.png, 2.png, ...
  std::string Pictures(int count) {
    const auto folder = folder_.path() / "pictures";
    std::filesystem::create_directories(folder);
    const cv::Mat grey(480, 640, CV_8UC3, cv::Scalar::all(90));
    for (int i = 1; i <= count; ++i) {
      EXPECT_TRUE(cv::imwrite((folder / absl::StrCat(i, ".png")).string(), grey));
    }
    return folder.string();
  }

  static std::string RecordedVideo() {
    return std::string(TILEWARDEN_RECORDED) + "/two_players.mp4";
  }

  TempFolder folder_;
  std::string address_;
};

}  // namespace tilewarden::services
