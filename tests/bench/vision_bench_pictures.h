// The pictures that vision_bench measures by, rendered by a process of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "absl/status/statusor.h"

namespace tilewarden {

struct Arguments {
  int runs = 15;
  std::string level = "medium", picture, pack;
  int turns = 30, width = 1920, height = 1080;
  std::uint64_t seed = 7;
};

template <typename T>
T Must(absl::StatusOr<T> value) {
  if (!value.ok()) throw std::runtime_error(std::string(value.status().message()));
  return *std::move(value);
}

// Paints the bundled box and renders a board in the middle of a game.
void Render(const Arguments& arguments, const std::string& picture, const std::string& pack);

// The score track before and after somebody has moved a marker.
void RenderTrack(const Arguments& arguments, const std::string& before, const std::string& after);

// Before this process uses OpenCV: its threads do not survive a fork.
void RenderApart(const std::function<void()>& render);

}  // namespace tilewarden
