// How long vision takes on this machine, stage by stage, and the memory it
// needs, as a table for people. The picture is the virtual table's, rendered and
// painted by a process of its own, so that the memory printed is the reading's.
//
//   build/release/bin/vision_bench
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "CLI/CLI.hpp"
#include "calibration/common/picture_file.h"
#include "opencv2/core/utility.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/bench/vision_bench_pictures.h"
#include "vision/board/board_finder.h"
#include "vision/board/board_growth.h"
#include "vision/board/table_views.h"
#include "vision/gate/gate.h"
#include "vision/reader/read_table.h"
#include "vision/reader/table_reader.h"
#include "vision/tiles/tile_evidence.h"
#include "vision/track/score_track_reader.h"

namespace tilewarden {
namespace {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "vision-bench-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  std::string File(const char* name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

double PeakMemory_MiB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// By the clock, and, where it was measured, the processor's on all threads: on a busy machine only
// that can be compared.
struct Span {
  double ms = 0, processor_ms = 0;
};

struct Times {
  std::vector<double> ms, processor_ms;
  void Add(double value) { ms.push_back(value); }
  void Add(const Span& span) {
    ms.push_back(span.ms);
    processor_ms.push_back(span.processor_ms);
  }
  static double Median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
  }
  double Worst() const { return *std::max_element(ms.begin(), ms.end()); }
};

double Processor_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

Span Timed(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  const double processor = Processor_ms();
  work();
  const std::chrono::duration<double, std::milli> ms = std::chrono::steady_clock::now() - start;
  return {ms.count(), Processor_ms() - processor};
}

void Heading(const char* text) {
  std::printf("\n%-58s %8s %8s %9s\n", text, "median", "worst", "processor");
}

void Row(const std::string& text, const Times& times) {
  std::printf("  %-56s %8.2f %8.2f", text.c_str(), Times::Median(times.ms), times.Worst());
  if (!times.processor_ms.empty()) std::printf(" %9.2f", Times::Median(times.processor_ms));
  std::printf("\n");
}

// One picture from nothing. Returns the number of tiles found.
std::size_t MeasureReading(const vision::Networks& networks, const Arguments& arguments,
                           const cv::Mat& picture, const calibration::ReferencePack& pack) {
  Times whole, finder, cells, one_cell;
  std::map<std::string, Times> stages;
  vision::Sighting sighting;
  const vision::TileMatcher matcher(pack);
  const vision::PicturePyramid pyramid(picture);
  const vision::Board board =
      vision::FindBoard(picture, pyramid, matcher, vision::ViewTable(picture, networks.finder()));
  for (int i = 0; i < arguments.runs; ++i) {
    whole.Add(Timed([&] { sighting = Must(vision::ReadTable(networks, picture, pack)); }));
    for (const auto& [stage, ms] : sighting.stage_ms) stages[stage].Add(ms);
    finder.Add(Timed([&] { (void)networks.finder().Find(picture); }));
    double all = 0;
    for (const auto& tile : board.tiles) {
      const Span span = Timed([&] { (void)ReadOneCell(pyramid, matcher, board, tile.first); });
      one_cell.Add(span);
      all += span.ms;
    }
    if (!board.tiles.empty()) cells.Add(all);
  }
  std::printf("Found: %zu tiles, %zu figures on and beside the board.\n", sighting.tiles.size(),
              sighting.figures.size());
  Heading("One picture, read from nothing                          ms");
  Row("references of the pack and picture pyramid", stages["prepare"]);
  Row("find the board, compare and align its tiles", stages["find"]);
  Row("  of that: the finder's look", finder);
  if (!board.tiles.empty()) {
    Row("  of that: compare and align one tile (one thread)", one_cell);
    Row("  all " + std::to_string(board.tiles.size()) + " tiles, one after the other", cells);
  }
  if (stages.contains("classify")) Row("name the tiles", stages["classify"]);
  if (stages.contains("figures")) Row("find the figures", stages["figures"]);
  Row("whole reading", whole);
  return sighting.tiles.size();
}

// The same with no pack: names by the networks.
void MeasureWithoutPack(const vision::Networks& networks, const Arguments& arguments,
                        const cv::Mat& picture) {
  Times whole;
  std::map<std::string, Times> stages;
  vision::Sighting sighting;
  for (int i = 0; i < arguments.runs; ++i) {
    whole.Add(Timed([&] { sighting = Must(vision::ReadTableWithoutPack(networks, picture)); }));
    for (const auto& [stage, ms] : sighting.stage_ms) stages[stage].Add(ms);
  }
  Heading("The same with no pack                                   ms");
  Row("find the board and name its tiles", stages["find"]);
  if (stages.contains("figures")) Row("find the figures", stages["figures"]);
  Row("whole reading, " + std::to_string(sighting.tiles.size()) + " tiles", whole);
}

// The picture with one tile turned by a quarter, as if another lay there.
cv::Mat WithOneTileTurned(const cv::Mat& picture, const vision::SightedTile& tile) {
  std::vector<cv::Point2f> from, to;
  std::vector<cv::Point> outline;
  for (std::size_t i = 0; i < 4; ++i) {
    const vision::Point &a = tile.corners_px[i], &b = tile.corners_px[(i + 1) % 4];
    from.emplace_back(static_cast<float>(a.x), static_cast<float>(a.y));
    to.emplace_back(static_cast<float>(b.x), static_cast<float>(b.y));
    outline.emplace_back(cvRound(a.x), cvRound(a.y));
  }
  cv::Mat turned, changed = picture.clone();
  cv::warpPerspective(picture, turned, cv::getPerspectiveTransform(from, to), picture.size());
  cv::Mat mask(picture.size(), CV_8U, cv::Scalar(0));
  cv::fillConvexPoly(mask, outline, cv::Scalar(255));
  turned.copyTo(changed, mask);
  return changed;
}

// Frames of one camera, a second apart.
void MeasureFollowing(const vision::Networks& networks, const Arguments& arguments,
                      const cv::Mat& picture,
                      const std::shared_ptr<const calibration::ReferencePack>& pack,
                      const char* heading) {
  Times gate, still, changed;
  std::map<std::string, Times> stages;
  vision::Gate watcher;
  vision::TableReader reader(networks, pack);
  constexpr std::int64_t kStep_ms = 1000;
  std::int64_t now_ms = 0;
  vision::Sighting first;
  for (int frames = 0; first.tiles.empty() && frames < 10; ++frames) {
    now_ms += kStep_ms;
    first = Must(reader.Read(picture, now_ms));
    (void)watcher.Look(picture, now_ms);
  }
  if (first.tiles.empty()) throw std::runtime_error("the still picture was never taken as settled");
  const vision::SightedTile& some = first.tiles[first.tiles.size() / 2];
  const cv::Mat other = WithOneTileTurned(picture, some);
  for (int i = 0; i < arguments.runs; ++i) {
    now_ms += kStep_ms;
    gate.Add(Timed([&] { (void)watcher.Look(picture, now_ms); }));
    still.Add(Timed([&] { (void)Must(reader.Read(i % 2 == 0 ? picture : other, now_ms)); }));
    now_ms += kStep_ms;
    vision::Sighting seen;
    changed.Add(Timed([&] { seen = Must(reader.Read(i % 2 == 0 ? other : picture, now_ms)); }));
    for (const auto& [stage, ms] : seen.stage_ms) stages[stage].Add(ms);
  }
  Heading(heading);
  Row("gate alone, on a still frame", gate);
  Row("a frame in which nothing changed", still);
  Row("a frame in which one tile changed", changed);
  for (const auto& [stage, times] : stages) Row("  of that: " + stage, times);
}

void MeasureTrack(const Arguments& arguments, const cv::Mat& without, const cv::Mat& before,
                  const cv::Mat& after) {
  Times none, anew, still, moved;
  const vision::Options options;
  vision::ScoreTrackReader reader;
  std::int64_t now_ms = 0;
  const auto read = [&](vision::ScoreTrackReader& by, const cv::Mat& frame) {
    const vision::PicturePyramid pyramid(frame);
    return Timed([&] { (void)by.Read(frame, pyramid, now_ms += 1000, {}, options); });
  };
  (void)read(reader, before);
  for (int i = 0; i < arguments.runs; ++i) {
    vision::ScoreTrackReader nothing, fresh;
    none.Add(read(nothing, without));
    anew.Add(read(fresh, before));
    still.Add(read(reader, i % 2 == 0 ? before : after));
    moved.Add(read(reader, i % 2 == 0 ? after : before));
  }
  Heading("The score track, besides                                ms");
  Row("looked for where there is none, every 5 s", none);
  Row("found and read", anew);
  Row("a frame in which nothing on it changed", still);
  Row("a frame in which a marker was moved", moved);
}

void Run(const Arguments& arguments) {
  const Folder folder;
  std::string picture_file = arguments.picture, pack_file = arguments.pack;
  if (picture_file.empty() != pack_file.empty()) {
    throw std::runtime_error("--picture and --pack go together");
  }
  if (picture_file.empty()) {
    picture_file = folder.File("frame.png");
    pack_file = folder.File("box.pack");
    RenderApart([&] { Render(arguments, picture_file, pack_file); });
  }
  const std::string track_before = folder.File("track.png"), track_after = folder.File("moved.png");
  RenderApart([&] { RenderTrack(arguments, track_before, track_after); });
  const cv::Mat picture = Must(calibration::LoadPicture(picture_file));
  const auto pack = std::make_shared<const calibration::ReferencePack>(
      Must(calibration::ReferencePack::Load(pack_file)));
  const double before_MiB = PeakMemory_MiB();
  std::printf("Vision, OpenCV %s on %d threads. Frame: %d x %d, %s. Pack: %zu pictures.\n",
              CV_VERSION, cv::getNumThreads(), picture.cols, picture.rows,
              arguments.picture.empty() ? ("virtual table, " + arguments.level + ", seed " +
                                           std::to_string(arguments.seed) + ", " +
                                           std::to_string(arguments.turns) + " turns")
                                              .c_str()
                                        : arguments.picture.c_str(),
              pack->pictures.size());
  std::printf("Milliseconds, the median and the worst of %d runs, and the processor's median.\n",
              arguments.runs);
  const vision::Networks networks = Must(vision::Networks::Load());
  const std::size_t tiles = MeasureReading(networks, arguments, picture, *pack);
  MeasureWithoutPack(networks, arguments, picture);
  if (tiles > 0) {
    MeasureFollowing(networks, arguments, picture, pack,
                     "One camera, frame after frame                           ms");
    MeasureFollowing(networks, arguments, picture,
                     std::make_shared<const calibration::ReferencePack>(),
                     "The same with no pack                                   ms");
  }
  MeasureTrack(arguments, picture, Must(calibration::LoadPicture(track_before)),
               Must(calibration::LoadPicture(track_after)));
  std::printf("\nMemory (resident, the most so far)                      MiB\n");
  std::printf("  %-56s %8.1f\n", "with frame and pack loaded, before the first reading",
              before_MiB);
  std::printf("  %-56s %8.1f\n", "after all of the above", PeakMemory_MiB());
  if (tiles == 0) throw std::runtime_error("no tile was found; nothing more can be measured");
}

}  // namespace
}  // namespace tilewarden

int main(int argc, char** argv) {
  tilewarden::Arguments arguments;
  CLI::App app{
      "Measures vision on this machine: each stage of reading a table, and memory. Run it on an\n"
      "otherwise idle machine.\n"
      "Example: vision_bench --runs 15 --level hard"};
  app.add_option("--runs", arguments.runs, "How often each is done")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  app.add_option("--level", arguments.level, "How hard the rendered table is to read")
      ->check(CLI::IsMember({"easy", "medium", "hard"}))
      ->capture_default_str();
  app.add_option("--turns", arguments.turns, "Turns played on it")
      ->check(CLI::Range(1, 71))
      ->capture_default_str();
  app.add_option("--seed", arguments.seed, "Another seed, another table")->capture_default_str();
  app.add_option("--width", arguments.width, "Width of the frame, pixels")
      ->check(CLI::Range(320, 7680))
      ->capture_default_str();
  app.add_option("--height", arguments.height, "Height of the frame, pixels")
      ->check(CLI::Range(240, 4320))
      ->capture_default_str();
  app.add_option("--picture", arguments.picture, "A picture of your own instead, with its --pack")
      ->check(CLI::ExistingFile);
  app.add_option("--pack", arguments.pack, "The pack of that picture's box")
      ->check(CLI::ExistingFile);
  CLI11_PARSE(app, argc, argv);
  try {
    tilewarden::Run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vision_bench: %s\n", error.what());
    return 1;
  }
  return 0;
}
