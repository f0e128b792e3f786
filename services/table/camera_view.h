// How a table's camera is doing and what it last saw, for people. Kept in memory only.
// Thread safe; never blocks for long.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "engine/referee/sighting.h"
#include "tilewarden/v1/query.pb.h"
#include "tilewarden/v1/vision.pb.h"

namespace tilewarden::services {

class CameraView {
 public:
  // While one of these lives, a camera's stream is open.
  class Stream {
   public:
    // `tile_set`: what this camera reads with; empty: it does not say.
    Stream(CameraView* view, const std::string& tile_set);
    ~Stream();
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

   private:
    CameraView* const view_;
  };

  // `lies`: how the sighting's lattice lies on the board, where that is known.
  void Saw(const v1::Sighting& sighting, const std::optional<engine::BoardFromLattice>& lies,
           std::int64_t now_ms);
  // The same sighting once more, with its picture.
  void Pictured(const v1::Sighting& sighting, const std::optional<engine::BoardFromLattice>& lies,
                std::int64_t now_ms);
  // Whether a camera's stream is open.
  bool followed() const;
  v1::GetCameraViewResponse Tell(bool picture, std::int64_t now_ms) const;
  // The box that the camera reads; absent: none said so, or none has seen anything.
  std::optional<v1::RecognisedBox> Box(std::int64_t now_ms) const;

 private:
  void PicturedLocked(const v1::Sighting& sighting,
                      const std::optional<engine::BoardFromLattice>& lies, std::int64_t now_ms);

  mutable std::mutex mutex_;
  int streams_ = 0;
  std::string tile_set_;
  v1::GetCameraViewResponse last_;  // without ages
  std::int64_t seen_ms_ = 0, pictured_ms_ = 0;
  std::optional<std::int64_t> moved_ms_;
};

}  // namespace tilewarden::services
