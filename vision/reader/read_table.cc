#include "vision/reader/read_table.h"

#include <algorithm>
#include <array>

#include "vision/board/board_by_networks.h"
#include "vision/board/board_by_pictures.h"
#include "vision/figures/figure_network.h"
#include "vision/picture/stage_clock.h"
#include "vision/tiles/tile_network.h"
#include "vision/track/score_track_reader.h"

namespace tilewarden::vision {
namespace {

// Below this a picture holds no tile that could be read.
constexpr int kSmallestPicture_px = 48;

Sighting NothingSeen(const cv::Mat& picture) {
  Sighting sighting;
  sighting.width_px = picture.cols;
  sighting.height_px = picture.rows;
  sighting.settled = true;
  return sighting;
}

absl::StatusOr<Sighting> ReadBy(BoardReader& board, const cv::Mat& picture,
                                const PicturePyramid& pyramid, const Options& options,
                                StageClock& clock, Sighting& sighting) {
  if (absl::Status status = board.Find(picture, pyramid, clock); !status.ok()) return status;
  absl::StatusOr<std::vector<NotRead>> not_read = board.WhatIsNotRead(picture, pyramid);
  if (!not_read.ok()) return not_read.status();
  sighting.not_read = *std::move(not_read);
  clock.Done("not read");
  if (absl::Status status = board.Describe(picture, {}, options, clock, &sighting); !status.ok()) {
    return status;
  }
  ScoreTrackReader track;
  sighting.score_track = track.Read(picture, pyramid, 0, {}, options);
  clock.Done("score track");
  return sighting;
}

absl::StatusOr<Sighting> Read(const Networks& networks, const cv::Mat& picture,
                              const calibration::ReferencePack& pack,
                              const std::vector<std::string>& types, const Options& options) {
  if (absl::Status status = CheckPicture(picture); !status.ok()) return status;
  if (absl::Status status = options.Check(); !status.ok()) return status;
  Sighting sighting = NothingSeen(picture);
  if (TooSmallForATile(picture)) return sighting;
  StageClock clock(sighting.stage_ms);
  if (pack.pictures.empty()) {
    BoardByNetworks board(pack, types, networks.finder(), networks.tiles(), networks.figures(),
                          networks.kinds());
    const PicturePyramid pyramid(picture);
    return ReadBy(board, picture, pyramid, options, clock, sighting);
  }
  const TileMatcher matcher(pack);
  const PicturePyramid pyramid(picture);
  clock.Done("prepare");
  BoardByPictures board(matcher, networks.finder(), networks.tiles(), networks.figures(),
                        networks.kinds());
  return ReadBy(board, picture, pyramid, options, clock, sighting);
}

}  // namespace

absl::Status CheckPicture(const cv::Mat& picture) {
  if (picture.empty()) return absl::InvalidArgumentError("the picture is empty");
  if (picture.type() != CV_8UC3) {
    return absl::InvalidArgumentError("the picture is not 8-bit colour (BGR)");
  }
  return absl::OkStatus();
}

bool TooSmallForATile(const cv::Mat& picture) {
  return std::min(picture.cols, picture.rows) < kSmallestPicture_px;
}

absl::StatusOr<Sighting> ReadTable(const Networks& networks, const cv::Mat& picture,
                                   const calibration::ReferencePack& pack, const Options& options) {
  return Read(networks, picture, pack, {}, options);
}

absl::StatusOr<Sighting> ReadTableWithoutPack(const Networks& networks, const cv::Mat& picture,
                                              const std::vector<std::string>& types,
                                              const Options& options) {
  return Read(networks, picture, {}, types, options);
}

double HowUnlike(const cv::Mat& picture, const Sighting& sighting,
                 const calibration::ReferencePack& pack) {
  const TileMatcher matcher(pack);
  const PicturePyramid pyramid(picture);
  std::vector<double> unlike;
  for (const SightedTile& tile : sighting.tiles) {
    if (tile.candidates.empty()) continue;
    const TileCandidate& name = tile.candidates.front();
    std::array<cv::Point2f, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
      corners[i] = {static_cast<float>(tile.corners_px[i].x),
                    static_cast<float>(tile.corners_px[i].y)};
    }
    // In whichever turn: those that show the same to the rules are painted apart.
    double least = 1;
    for (std::size_t i = 0; i < matcher.references().size(); ++i) {
      if (matcher.references()[i].tile != name.tile) continue;
      TileMatcher::Match match;
      match.reference = static_cast<int>(i);
      match.px_from_tile = PxFromTile(corners);
      least = std::min<double>(least, matcher.AlignInAnyLight(pyramid, match).cost);
    }
    unlike.push_back(least);
  }
  if (unlike.empty()) return 1;
  const auto third = unlike.begin() + static_cast<std::ptrdiff_t>(unlike.size() / 3);
  std::nth_element(unlike.begin(), third, unlike.end());
  return *third;
}

}  // namespace tilewarden::vision
