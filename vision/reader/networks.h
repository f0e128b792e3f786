// The trained networks that read tables. Whoever reads tables loads them once and passes them on.
#pragma once

#include <filesystem>
#include <memory>

#include "absl/status/statusor.h"
#include "vision/picture/models_folder.h"

namespace tilewarden::vision {

class FigureKindNetwork;
class FigureNetwork;
class TileFinder;
class TileNetwork;

// An answer depends on the question alone, not on earlier ones. Thread safe.
class Networks {
 public:
  // NOT_FOUND: one is not in the folder; DATA_LOSS: one is damaged or of another version. Blocks
  // on reading six megabytes.
  static absl::StatusOr<Networks> Load(const std::filesystem::path& folder = ModelsFolder());

  Networks(Networks&&) noexcept;
  Networks& operator=(Networks&&) noexcept;
  ~Networks();

  TileFinder& finder() const { return *finder_; }
  TileNetwork& tiles() const { return *tiles_; }
  FigureNetwork& figures() const { return *figures_; }
  FigureKindNetwork& kinds() const { return *kinds_; }

 private:
  Networks();

  std::unique_ptr<TileFinder> finder_;
  std::unique_ptr<TileNetwork> tiles_;
  std::unique_ptr<FigureNetwork> figures_;
  std::unique_ptr<FigureKindNetwork> kinds_;
};

}  // namespace tilewarden::vision
