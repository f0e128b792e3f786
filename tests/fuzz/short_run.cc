// The short run of a fuzzer in the tests, with any compiler: its seeds and a few
// thousand mutations of them, always the same.
//   short_run SEEDS_FOLDER RUNS
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    seeds.emplace_back((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  }
  if (seeds.empty()) return 2;
  const auto run = [](const std::string& text) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  };
  for (const std::string& seed : seeds) run(seed);
  std::mt19937 random(1);
  for (int i = std::atoi(argv[2]); i > 0; --i) {
    std::string text = seeds[random() % seeds.size()];
    for (unsigned change = 1 + random() % 4; change > 0; --change) {
      const std::size_t at = random() % (text.size() + 1);
      switch (random() % 4) {
        case 0:
          text.insert(at, 1, static_cast<char>(random()));
          break;
        case 1:
          if (at < text.size()) text[at] = static_cast<char>(random() % 128);
          break;
        case 2:
          text.erase(at, random() % 8);
          break;
        default: {
          const std::string& other = seeds[random() % seeds.size()];
          const std::size_t from = random() % (other.size() + 1);
          text.insert(at, other.substr(from, random() % 24));
        }
      }
    }
    run(text);
  }
  std::printf("%zu seeds, %s mutations\n", seeds.size(), argv[2]);
  return 0;
}
