// Measures the naming network alone, handed the corners of labelled
// photographs and rendered tables (scripts/evaluate-network).
//
//   tile_network_evaluation SHARED [--model FOLDER] [--errors] [--shifts] [--plot FILE.png]
//                           [--tables FOLDER]
//
// Open set: squares of a tile's size that show none, of the photographs and of the rendered tables
// in --tables (tilewarden-virtual-table still): table, hands, boxes, stacks, figures, phones,
// print.
//
// Each tile counts as right if the likeliest reading has its type (garden
// copies told apart only where the labels tell), and its edges as they lie.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"
#include "opencv2/core/utility.hpp"
#include "opencv2/imgcodecs.hpp"
#include "opencv2/imgproc.hpp"
#include "tests/evaluation/tile_network_labels.h"
#include "vision/picture/models_folder.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

std::string TurnedEdges(std::string edges, int turns) {
  std::rotate(edges.begin(), edges.begin() + (4 - turns % 4) % 4, edges.end());
  return edges;
}

struct Count {
  int all = 0, types = 0, right = 0, edges = 0, flags = 0, sure = 0, sure_right = 0;
  int under_figure = 0, under_figure_right = 0, beside = 0, beside_named = 0;
  int between = 0, between_named = 0;
};

class Evaluation {
 public:
  Evaluation(TileNetwork network, const json& facts, bool errors)
      : network_(std::move(network)), facts_(facts), errors_(errors) {}

  // How many of these squares without a tile, and of the free tiles, are named and refused.
  void OpenSet(const fs::path& photographs, const fs::path& tables);
  void Run(const std::string& group, const std::vector<Labelled>& tiles, const Looks& looks);
  void PrintGroup(const std::string& group);
  bool Plot(const std::string& group, const fs::path& file) const;

 private:
  std::string Edges(const std::string& tile, int rotation) const {
    return TurnedEdges(facts_["tiles"][tile]["edges"], rotation);
  }
  static void Print(const std::string& name, const Count& count, double ms);

  TileNetwork network_;
  json facts_;
  bool errors_;
  std::map<std::string, Count> groups_;
  std::map<std::string, std::vector<std::pair<double, bool>>> claims_;
};

void Evaluation::OpenSet(const fs::path& photographs, const fs::path& tables) {
  constexpr std::size_t kEach = 250;
  cv::RNG rng(4021);
  int squares = 0, named = 0;
  for (const fs::path& folder : {photographs, tables}) {
    if (folder.empty()) continue;
    std::vector<fs::path> truths;
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".json") truths.push_back(entry.path());
    }
    std::sort(truths.begin(), truths.end());
    for (const fs::path& file : truths) {
      const json truth = LoadJson(file);
      const std::string name = folder == photographs ? file.stem().stem() : file.stem();
      const cv::Mat picture = cv::imread((folder / (name + ".jpg")).string());
      const std::vector<cv::Mat> patches = SquaresWithoutTile(picture, truth["tiles"], kEach, rng);
      const auto scores = network_.Name(patches, {});
      if (!scores.ok()) continue;
      const auto wrong = std::count_if(scores->begin(), scores->end(), [](const TileScores& s) {
        return !s.readings.empty() && s.readings.front().probability > 0.5;
      });
      std::printf("%-32s %4zu squares without a tile, %3d named\n", name.c_str(), patches.size(),
                  static_cast<int>(wrong));
      squares += static_cast<int>(patches.size());
      named += static_cast<int>(wrong);
    }
  }
  const Count& tiles = groups_["photographs, four turns"];
  std::printf(
      "open set: %d of %d squares without a tile named (%.2f %%); of %d tiles of the "
      "photographs %d refused (%.2f %%)\n\n",
      named, squares, 100.0 * named / std::max(1, squares), tiles.all, tiles.all - tiles.sure,
      100.0 * (tiles.all - tiles.sure) / std::max(1, tiles.all));
}

void Evaluation::Print(const std::string& name, const Count& c, double ms) {
  std::printf("%-32s %4d tiles, %4d right (%6.2f %%), types %d, structure: edges %d, flags %d; ",
              name.c_str(), c.all, c.right, c.all ? 100.0 * c.right / c.all : 0.0, c.types, c.edges,
              c.flags);
  std::printf("p > 0.5: %d of %d right; under figures %d of %d", c.sure_right, c.sure,
              c.under_figure_right, c.under_figure);
  if (c.beside + c.between > 0) {
    std::printf("; named though no tile: beside the board %d of %d, between tiles %d of %d",
                c.beside_named, c.beside, c.between_named, c.between);
  }
  if (ms > 0) std::printf("; %.2f ms a place", ms);
  std::printf("\n");
}

void Evaluation::Run(const std::string& group, const std::vector<Labelled>& tiles,
                     const Looks& looks) {
  if (tiles.empty()) return;
  std::vector<cv::Mat> patches;
  for (const Labelled& t : tiles) patches.push_back(t.patch);
  const auto start = std::chrono::steady_clock::now();
  const auto scores = network_.Name(patches, looks);
  const double ms =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  if (!scores.ok()) {
    std::printf("%s: %s\n", group.c_str(), std::string(scores.status().message()).c_str());
    return;
  }
  Count count;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    const Labelled& t = tiles[i];
    const TileScores& s = (*scores)[i];
    const TileReading best = s.readings.empty() ? TileReading{} : s.readings.front();
    const bool nothing = s.nothing > best.probability;
    const bool named = !nothing && best.probability > 0.5;
    if (t.tile.empty()) {
      ++(t.between ? count.between : count.beside);
      (t.between ? count.between_named : count.beside_named) += named;
      if (named && errors_) {
        std::printf("  %s: %s named %s turn %d (%.3f)\n", t.picture.c_str(),
                    t.between ? "a place between tiles" : "a place beside the board",
                    best.tile.c_str(), best.rotation, best.probability);
      }
      continue;
    }
    const std::string type = best.tile.substr(0, 3);
    const bool right = !nothing && type == t.tile && Edges(type, best.rotation) == t.edges;
    std::string seen;
    for (const auto& edge : s.structure.edges) {
      seen += "crfs"[std::max_element(edge.begin(), edge.end()) - edge.begin()];
    }
    const json& segments = facts_["tiles"][t.tile]["segs"];
    const bool arms = std::any_of(segments.begin(), segments.end(),
                                  [](const json& seg) { return seg.contains("pennants"); });
    const bool monastery = std::any_of(segments.begin(), segments.end(),
                                       [](const json& seg) { return seg["k"] == "monastery"; });
    ++count.all;
    count.types += !nothing && type == t.tile;
    count.right += right;
    count.edges += seen == t.edges;
    count.flags +=
        (s.structure.coat_of_arms > 0.5) == arms && (s.structure.monastery > 0.5) == monastery;
    count.sure += named;
    count.sure_right += named && right;
    count.under_figure += t.figure;
    count.under_figure_right += t.figure && right;
    claims_[group].emplace_back(std::max(best.probability, s.nothing), right);
    if (!right && errors_) {
      std::printf("  %s: %s %s read as %s turn %d (%.3f, nothing %.3f)%s\n", t.picture.c_str(),
                  t.tile.c_str(), t.edges.c_str(), best.tile.c_str(), best.rotation,
                  best.probability, s.nothing, t.figure ? " under a figure" : "");
    }
  }
  if (!tiles.front().picture.empty()) {
    Print(tiles.front().picture, count, ms / static_cast<double>(tiles.size()));
  }
  Count& sum = groups_[group];
  sum.all += count.all, sum.types += count.types, sum.right += count.right;
  sum.edges += count.edges, sum.flags += count.flags;
  sum.sure += count.sure, sum.sure_right += count.sure_right;
  sum.under_figure += count.under_figure, sum.under_figure_right += count.under_figure_right;
  sum.beside += count.beside, sum.beside_named += count.beside_named;
  sum.between += count.between, sum.between_named += count.between_named;
}

void Evaluation::PrintGroup(const std::string& group) {
  Print(group, groups_[group], 0);
  // Expected calibration error over fifteen equal bins.
  constexpr int kBins = 15;
  std::array<double, kBins> sum{}, right{};
  const auto& claims = claims_[group];
  double error = 0;
  for (const auto& [p, ok] : claims) {
    const auto bin =
        static_cast<std::size_t>(std::clamp(static_cast<int>(p * kBins), 0, kBins - 1));
    sum[bin] += p;
    right[bin] += ok;
  }
  for (std::size_t i = 0; i < kBins; ++i) error += std::abs(sum[i] - right[i]);
  if (!claims.empty()) {
    std::printf("%-28s calibration error %.2f %%\n\n", group.c_str(),
                100 * error / static_cast<double>(claims.size()));
  }
}

// What was claimed (across) against what was right (up), with counts.
bool Evaluation::Plot(const std::string& group, const fs::path& file) const {
  constexpr int kBins = 10, kSide = 500, kEdge = 50;
  cv::Mat plot(kSide + 2 * kEdge, kSide + 2 * kEdge, CV_8UC3, cv::Scalar::all(255));
  const auto at = [&](double x, double y) {
    return cv::Point(kEdge + cvRound(x * kSide), kEdge + cvRound((1 - y) * kSide));
  };
  cv::rectangle(plot, at(0, 1), at(1, 0), cv::Scalar::all(0));
  cv::line(plot, at(0, 0), at(1, 1), cv::Scalar::all(170), 1, cv::LINE_AA);
  const auto write = [&](const std::string& text, cv::Point where) {
    cv::putText(plot, text, where, cv::FONT_HERSHEY_SIMPLEX, 0.42, cv::Scalar::all(0), 1,
                cv::LINE_AA);
  };
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    const std::string text = cv::format("%g", tick);
    cv::line(plot, at(tick, 0), at(tick, 0) + cv::Point(0, 6), cv::Scalar::all(0));
    cv::line(plot, at(0, tick), at(0, tick) - cv::Point(6, 0), cv::Scalar::all(0));
    write(text, at(tick, 0) + cv::Point(-8, 22));
    write(text, at(0, tick) + cv::Point(-44, 4));
  }
  write("claimed probability", {kEdge + kSide / 2 - 70, kSide + 2 * kEdge - 8});
  write(group + ": share of tiles read right, with their number", {kEdge, 25});
  std::array<int, kBins> n{}, right{};
  std::array<double, kBins> sum{};
  const auto claims = claims_.find(group);
  if (claims == claims_.end()) return false;
  for (const auto& [p, ok] : claims->second) {
    const auto bin =
        static_cast<std::size_t>(std::clamp(static_cast<int>(p * kBins), 0, kBins - 1));
    ++n[bin];
    right[bin] += ok;
    sum[bin] += p;
  }
  for (std::size_t i = 0; i < kBins; ++i) {
    if (n[i] == 0) continue;
    const cv::Point p = at(sum[i] / n[i], static_cast<double>(right[i]) / n[i]);
    cv::circle(plot, p, 5, {160, 60, 20}, cv::FILLED, cv::LINE_AA);
    cv::putText(plot, std::to_string(n[i]), p + cv::Point(-12, -12), cv::FONT_HERSHEY_SIMPLEX, 0.45,
                cv::Scalar::all(60), 1, cv::LINE_AA);
  }
  return cv::imwrite(file.string(), plot);
}

int Main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr,
                 "usage: tile_network_evaluation SHARED [--model FOLDER] [--errors] [--shifts] "
                 "[--plot FILE.png] [--tables FOLDER]\n");
    return 2;
  }
  const fs::path shared = argv[1];
  fs::path model = ModelsFolder(), plot, own_tables;
  bool errors = false, shifts = false;
  for (int i = 2; i < argc; ++i) {
    const std::string option = argv[i];
    if (option == "--errors") errors = true;
    if (option == "--shifts") shifts = true;
    if (option == "--model" && i + 1 < argc) model = argv[++i];
    if (option == "--plot" && i + 1 < argc) plot = argv[++i];
    if (option == "--tables" && i + 1 < argc) own_tables = argv[++i];
  }
  auto network = TileNetwork::Load(model);
  if (!network.ok()) {
    std::fprintf(stderr, "%s\n", std::string(network.status().message()).c_str());
    return 1;
  }
  cv::setNumThreads(1);
  Evaluation evaluation(std::move(*network), LoadJson(shared / "tilesets/tiles.json"), errors);
  std::vector<std::string> photographs;
  for (const auto& entry : fs::directory_iterator(shared / "photos/boards")) {
    if (entry.path().extension() == ".json") photographs.push_back(entry.path());
  }
  std::sort(photographs.begin(), photographs.end());
  std::vector<std::pair<std::string, Looks>> ways = {
      {"one look", {.turns = false, .shifts = false, .tiles = {}}}, {"four turns", {}}};
  if (shifts) ways.push_back({"turns and shifts", {.turns = true, .shifts = true, .tiles = {}}});
  for (const auto& [name, looks] : ways) {
    std::printf("== test photographs, label corners, every type open, %s\n", name.c_str());
    for (const std::string& photograph : photographs) {
      evaluation.Run("photographs, " + name, LabelledPhotograph(photograph), looks);
    }
    evaluation.PrintGroup("photographs, " + name);
  }
  std::printf("== squares without a tile\n");
  evaluation.OpenSet(shared / "photos/boards", own_tables);
  const fs::path tables = shared / "tables";
  std::printf("== rendered tables (development), true corners, four turns\n");
  for (const auto& entry : fs::directory_iterator(tables / "stills")) {
    if (entry.path().extension() != ".json") continue;
    fs::path picture = entry.path();
    picture.replace_extension(".jpg");
    const std::string group = entry.path().stem();
    evaluation.Run(
        group,
        LabelledRendering(tables, LoadJson(entry.path())["tiles"], cv::imread(picture.string())),
        {});
    evaluation.PrintGroup(group);
  }
  for (const char* sequence : {"sequence", "sequence_scoring"}) {
    const json truth = LoadJson(tables / sequence / "truth.json");
    for (const json& moment : truth["timeline"]) {
      if (moment["settled"] != true) continue;
      const fs::path file = tables / sequence / moment["file"].get<std::string>();
      evaluation.Run(sequence,
                     LabelledRendering(tables, moment["tiles"], cv::imread(file.string())), {});
    }
    evaluation.PrintGroup(sequence);
  }
  if (!plot.empty() && !evaluation.Plot("photographs, four turns", plot)) {
    std::fprintf(stderr, "cannot write %s\n", plot.string().c_str());
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace tilewarden::vision

int main(int argc, char** argv) { return tilewarden::vision::Main(argc, argv); }
