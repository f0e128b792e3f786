// Measures the gate on a rendered sequence: hand or none, frame by frame.
//
//   gate_evaluation TABLES SEQUENCE... [--step MS]
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "vision/gate/gate.h"

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc < 3) {
    std::fprintf(stderr, "usage: gate_evaluation TABLES SEQUENCE... [--step MS]\n");
    return 2;
  }
  std::int64_t step = 2000;
  bool wrong_at_all = false;
  for (int i = 2; i < argc; ++i) {
    if (std::string(argv[i]) == "--step" && i + 1 < argc) {
      step = std::stol(argv[++i]);
      continue;
    }
    const fs::path folder = fs::path(argv[1]) / argv[i];
    std::ifstream in(folder / "truth.json");
    const nlohmann::json truth = nlohmann::json::parse(in);
    tilewarden::vision::Gate gate;
    int looks = 0, right = 0, first_right = 0;
    double ms = 0;
    std::int64_t time_ms = 0;
    for (const nlohmann::json& entry : truth["timeline"]) {
      const std::string file = entry["file"];
      const cv::Mat frame = cv::imread((folder / file).string());
      const bool hand = !entry["settled"].get<bool>();
      const auto begin = std::chrono::steady_clock::now();
      const tilewarden::vision::GateResult seen = gate.Look(frame, time_ms);
      ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count();
      time_ms += step;
      ++looks;
      const bool ok = seen.hand == hand && seen.settled == !hand;
      right += ok;
      if (!ok) {
        std::printf("  %s: hand %d seen as hand %d settled %d camera moved %d\n", file.c_str(),
                    hand, seen.hand, seen.settled, seen.camera_moved);
      }
      tilewarden::vision::Gate fresh;
      first_right += fresh.Look(frame, 0).hand == hand;
    }
    std::printf("%-20s looks %3d right %3d | as a first look %3d right | %.2f ms a look\n", argv[i],
                looks, right, first_right, ms / looks);
    wrong_at_all = wrong_at_all || right != looks;
  }
  return wrong_at_all ? 1 : 0;
}
