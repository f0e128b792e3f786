#include "vision/reader/networks.h"

#include <utility>

#include "vision/figures/figure_kind_network.h"
#include "vision/figures/figure_network.h"
#include "vision/tiles/tile_finder.h"
#include "vision/tiles/tile_network.h"

namespace tilewarden::vision {
namespace {

template <typename Network>
absl::Status LoadInto(const std::filesystem::path& folder, std::unique_ptr<Network>& network) {
  absl::StatusOr<Network> loaded = Network::Load(folder);
  if (loaded.ok()) network = std::make_unique<Network>(*std::move(loaded));
  return loaded.status();
}

}  // namespace

Networks::Networks() = default;
Networks::Networks(Networks&&) noexcept = default;
Networks& Networks::operator=(Networks&&) noexcept = default;
Networks::~Networks() = default;

absl::StatusOr<Networks> Networks::Load(const std::filesystem::path& folder) {
  Networks networks;
  if (auto status = LoadInto(folder, networks.finder_); !status.ok()) return status;
  if (auto status = LoadInto(folder, networks.tiles_); !status.ok()) return status;
  if (auto status = LoadInto(folder, networks.figures_); !status.ok()) return status;
  if (auto status = LoadInto(folder, networks.kinds_); !status.ok()) return status;
  return networks;
}

}  // namespace tilewarden::vision
