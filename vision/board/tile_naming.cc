#include "vision/board/tile_naming.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "vision/board/board_growth.h"
#include "vision/picture/tile_patch.h"
#include "vision/tiles/tile_evidence.h"
#include "vision/tiles/tile_outline.h"

namespace tilewarden::vision {
namespace {

// What the network all but rules out: it leaves out what is below 0.0005.
constexpr double kLeast = 3e-4;
// What it gives a type that it does not know: of 80 turns with the winter box, one picture of each
// type, 46 are right without it, and 73, 73, 72 and 72 with 0.01, 0.03, 0.1 and 0.3.
constexpr double kUnknown = 0.03;
// A name that the pictures did not think of is tried from this probability on.
constexpr double kWorthTrying = 0.1;
// Places that look less like a tile are not asked about.
constexpr double kConceivable = 0.02;
// Without them the network must be surer: a place is a tile where it gives less for none, and
// more for the name.
constexpr double kSurelyTile = 0.05, kSurelyNamed = 0.8;
// Pictures that cost more do not say where a tile lies.
constexpr float kUnlike = 0.5F;

// Whether the network is sure, and of the type that the pictures name.
bool IsClear(const TileScores& scores, const TileMatcher& matcher, const TileMatcher::Match& best) {
  constexpr double kSure = 0.98;  // more asks with four looks more often
  return !scores.readings.empty() && scores.readings.front().probability > kSure &&
         scores.readings.front().tile == matcher.ReferenceOf(best).tile;
}

// Turns that show the same are one name, under the one that fits best.
void MergeTurns(const TileNetwork& network, std::vector<TileCandidate>& names) {
  std::vector<TileCandidate> merged;
  for (const TileCandidate& name : names) {
    const int turns = network.Turns(name.tile);
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const TileCandidate& other) {
      return other.tile == name.tile && (other.rotation - name.rotation) % turns == 0;
    });
    if (same == merged.end()) {
      merged.push_back(name);
    } else {
      same->probability += name.probability;
    }
  }
  names = std::move(merged);
}

}  // namespace

TileNaming::TileNaming(const TileMatcher& matcher, TileNetwork& network) : matcher_(matcher) {
  const std::vector<std::string> known = network.Tiles();
  for (const TileMatcher::Reference& reference : matcher.references()) {
    if (reference.rotation != 0) continue;
    const bool is_known = std::find(known.begin(), known.end(), reference.tile) != known.end();
    std::vector<std::string>& types = is_known ? looks_.tiles : unknown_;
    if (std::find(types.begin(), types.end(), reference.tile) == types.end()) {
      types.push_back(reference.tile);
    }
  }
  // Of a box that is new to it, it would only know what it is not.
  if (looks_.tiles.size() <= unknown_.size()) return;
  looks_.turns = false;
  network_ = &network;
}

void TileNaming::Ask(const cv::Mat& picture, const PicturePyramid& pyramid, Board& board) const {
  std::vector<std::pair<LatticeCell, ReadCell*>> asked;
  std::vector<cv::Mat> patches;
  for (auto* cells : {&board.tiles, &board.others}) {
    for (auto& [cell, read] : *cells) {
      if (read.asked || read.candidates.empty() || read.tile_probability < kConceivable) continue;
      cv::Mat patch = CutPatch(picture, CornersOf(read.candidates.front().px_from_tile));
      if (patch.empty()) continue;
      patches.push_back(std::move(patch));
      asked.emplace_back(cell, &read);
    }
  }
  absl::StatusOr<std::vector<TileScores>> answers = network_->Name(patches, looks_);
  if (!answers.ok()) return;
  // Four looks cost four times as much: only where one leaves a doubt.
  std::vector<std::size_t> again;
  std::vector<cv::Mat> doubtful;
  for (std::size_t i = 0; i < asked.size(); ++i) {
    if (IsClear((*answers)[i], matcher_, asked[i].second->candidates.front())) continue;
    again.push_back(i);
    doubtful.push_back(patches[i]);
  }
  Looks careful = looks_;
  careful.turns = true;
  absl::StatusOr<std::vector<TileScores>> second = network_->Name(doubtful, careful);
  if (!second.ok()) return;
  for (std::size_t k = 0; k < again.size(); ++k) (*answers)[again[k]] = std::move((*second)[k]);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    ReadCell& read = *asked[i].second;
    const TileScores& scores = (*answers)[i];
    read.asked = true;
    if (!IsUnknown(read.candidates.front())) {
      read.tile_probability = WithNetwork(read.tile_probability, scores.nothing);
    }
    for (const TileReading& reading : scores.readings) {
      if (reading.probability < kWorthTrying) break;
      AddCandidate(pyramid, matcher_, board, asked[i].first, PlaceOf(board, asked[i].first),
                   reading.tile, reading.rotation, read);
    }
    TellNetwork(scores, read);
  }
}

bool TileNaming::IsUnknown(const TileMatcher::Match& match) const {
  const std::string& tile = matcher_.ReferenceOf(match).tile;
  return std::find(unknown_.begin(), unknown_.end(), tile) != unknown_.end();
}

void TileNaming::TellNetwork(const TileScores& scores, ReadCell& read) const {
  // What it takes for no tile that it knows may be one of the others.
  constexpr double kMostlyNothing = 0.5;
  if (!unknown_.empty() && scores.nothing > kMostlyNothing) return;
  for (TileMatcher::Match& match : read.candidates) {
    const TileMatcher::Reference& reference = matcher_.ReferenceOf(match);
    const bool unknown = IsUnknown(match);
    double p = unknown ? kUnknown : kLeast;
    for (const TileReading& reading : scores.readings) {
      if (unknown && reading.tile == kOtherTile) p += reading.probability;
      if (reading.tile == reference.tile &&
          reading.rotation == reference.rotation % network_->Turns(reference.tile)) {
        p += reading.probability;
      }
    }
    match.network = static_cast<float>(std::log(p));
  }
}

void TileNaming::AskAboutUnlike(const cv::Mat& picture, const PicturePyramid& pyramid,
                                Board& board) const {
  std::vector<std::pair<LatticeCell, cv::Matx33f>> places;
  std::vector<cv::Mat> patches;
  for (auto& [cell, read] : board.others) {
    if (read.asked) continue;
    read.asked = true;
    const cv::Matx33f expected = PlaceOf(board, cell);
    if (!InPicture(expected, picture.size())) continue;
    const bool outlined = OutlineOf(board, cell) != nullptr;
    places.emplace_back(cell, outlined ? expected : OutlineNear(pyramid, expected));
    patches.push_back(CutPatch(picture, CornersOf(places.back().second)));
  }
  const auto clear = [](const TileScores& scores) {
    return !scores.readings.empty() && scores.readings.front().tile != kOtherTile &&
           scores.nothing < kSurelyTile && scores.readings.front().probability > kSurelyNamed;
  };
  Looks looks = looks_;
  for (const bool turns : {false, true}) {
    looks.turns = turns;
    const absl::StatusOr<std::vector<TileScores>> answers = network_->Name(patches, looks);
    if (!answers.ok()) return;
    std::vector<std::pair<LatticeCell, cv::Matx33f>> left;
    std::vector<cv::Mat> left_patches;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const TileScores& scores = (*answers)[i];
      if (!clear(scores)) continue;
      left.push_back(places[i]);
      left_patches.push_back(patches[i]);
      if (!turns) continue;
      const auto& [cell, px_from_tile] = places[i];
      ReadCell& read = board.others.at(cell);
      read.candidates.clear();
      for (const TileReading& reading : scores.readings) {
        if (reading.probability < kWorthTrying) break;
        AddCandidate(pyramid, matcher_, board, cell, px_from_tile, reading.tile, reading.rotation,
                     read);
      }
      if (read.candidates.empty()) continue;
      TellNetwork(scores, read);
      read.tile_probability = 1 - scores.nothing;
      // Where it is unlike its picture the outline says where it lies.
      for (TileMatcher::Match& match : read.candidates) {
        if (match.cost > kUnlike) match.px_from_tile = px_from_tile;
      }
    }
    places = std::move(left);
    patches = std::move(left_patches);
  }
}

void TileNaming::Name(const cv::Mat& picture, const PicturePyramid& pyramid, Board& board) const {
  if (board.tiles.empty()) return;
  if (network_ != nullptr) {
    // Each adds tiles that the network found.
    constexpr int kMostRounds = 8;
    for (int round = 0; round < kMostRounds; ++round) {
      Ask(picture, pyramid, board);
      AskAboutUnlike(picture, pyramid, board);
      if (!AddLikelyTiles(board)) break;
      GrowBoard(pyramid, matcher_, board);
    }
  }
  for (auto& [cell, names] : NamesOfBoard(board)) {
    std::vector<TileMatcher::Match>& candidates = board.tiles.at(cell).candidates;
    const auto best =
        std::find_if(candidates.begin(), candidates.end(), [&, &name = names.front()](auto& match) {
          const TileMatcher::Reference& reference = matcher_.ReferenceOf(match);
          return reference.tile == name.tile && reference.rotation == name.rotation;
        });
    std::rotate(candidates.begin(), best, best + 1);
  }
}

std::map<LatticeCell, std::vector<TileCandidate>> TileNaming::NamesOfBoard(
    const Board& board) const {
  std::vector<const std::vector<TileMatcher::Match>*> tiles;
  for (const auto& [cell, read] : board.tiles) {
    if (read.asked) tiles.push_back(&read.candidates);
  }
  const Trust trust = FitTrust(tiles);
  std::map<LatticeCell, std::vector<TileCandidate>> all;
  for (const auto& [cell, read] : board.tiles) {
    std::vector<TileCandidate> names =
        NamesOf(matcher_, read.candidates, trust, read.tile_probability);
    const auto likelier = [](const auto& a, const auto& b) {
      return a.probability > b.probability;
    };
    std::stable_sort(names.begin(), names.end(), likelier);
    if (network_ != nullptr) {
      MergeTurns(*network_, names);
      std::stable_sort(names.begin(), names.end(), likelier);
    }
    constexpr double kWorthTelling = 1e-4;
    while (names.size() > 1 && names.back().probability < kWorthTelling) names.pop_back();
    all.emplace(cell, std::move(names));
  }
  return all;
}

}  // namespace tilewarden::vision
