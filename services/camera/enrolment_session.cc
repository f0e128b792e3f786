#include "services/camera/enrolment_session.h"

#include <algorithm>
#include <cstdint>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "calibration/box/laid_tiles.h"
#include "opencv2/imgcodecs.hpp"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

// The same tile with what a person said of it as all that is known.
vision::LooseTile AsSaid(vision::LooseTile tile, const std::string& code, int turns) {
  tile.scores.readings = {{code, turns, 1}};
  tile.scores.nothing = 0;
  return tile;
}

std::string SmallPicture(const EnrolmentLook& look, const vision::LooseTile& tile) {
  std::vector<std::uint8_t> jpeg;
  cv::imencode(".jpg", calibration::CutOut(look.picture, tile.corners_px), jpeg,
               {cv::IMWRITE_JPEG_QUALITY, 80});
  return {jpeg.begin(), jpeg.end()};
}

}  // namespace

fs::path KeptPack(const fs::path& data) { return data / "box.pack"; }

EnrolmentSession::EnrolmentSession(const fs::path& data)
    : folder_(data / "enrolment"), pack_(KeptPack(data)), sets_(data / OwnTiles::kFile) {}

absl::Status EnrolmentSession::Resume() {
  if (!network_) {
    auto network = vision::TileNetwork::Load();
    if (!network.ok()) return network.status();
    network_ = *std::move(network);
  }
  if (resumed_) return absl::OkStatus();
  std::error_code error;
  if (fs::exists(List(), error)) {
    if (const absl::Status status = Load(); !status.ok()) return status;
  }
  resumed_ = true;
  return absl::OkStatus();
}

absl::Status EnrolmentSession::Load() {
  const auto record = EnrolmentRecord::Load(List());
  if (!record.ok()) return record.status();
  const auto art = sets_.Get(record->tile_set);
  if (!art.ok()) return art.status();
  std::vector<std::string> files;
  for (const EnrolmentRecord::Look& look : record->looks) files.push_back(look.picture);
  auto looks = FindTiles(files, *(*art)->set, *network_);
  if (!looks.ok()) return looks.status();
  tiles_ = (*art)->set;
  looks_ = *std::move(looks);
  for (const EnrolmentRecord::Look& look : record->looks) {
    for (const EnrolmentRecord::Tile& tile : look.tiles) {
      const bool known = tile.tile.empty() || tiles_->Find(tile.tile) >= 0;
      if (tile.confirmed && known) words_[tile.number] = {tile.tile, tile.turns};
    }
  }
  Propose();
  return absl::OkStatus();
}

void EnrolmentSession::Propose() {
  std::vector<std::vector<vision::LooseTile>> asked;
  std::vector<std::vector<bool>> left_out;
  int number = 0;
  for (const EnrolmentLook& look : looks_) {
    asked.emplace_back();
    left_out.emplace_back();
    for (const vision::LooseTile& tile : look.tiles) {
      const auto word = words_.find(++number);
      const bool none = word != words_.end() && word->second.tile.empty();
      left_out.back().push_back(none);
      if (none) continue;
      if (word == words_.end()) {
        asked.back().push_back(tile);
        continue;
      }
      const auto& [code, turns] = word->second;
      asked.back().push_back(AsSaid(
          tile, code, turns.value_or(LikeliestTurn(tile.scores, tiles_->Find(code), *tiles_))));
    }
  }
  const auto answered = ProposeTypes(asked, *tiles_);
  proposals_.clear();
  for (std::size_t look = 0; look < looks_.size(); ++look) {
    proposals_.emplace_back();
    auto next = answered[look].begin();
    for (const bool none : left_out[look]) {
      proposals_.back().push_back(none ? TileProposal() : *next++);
    }
  }
}

EnrolmentRecord EnrolmentSession::Record() const {
  EnrolmentRecord record = RecordOf(looks_, proposals_, *tiles_);
  for (std::size_t look = 0; look < looks_.size(); ++look) {
    for (std::size_t i = 0; i < proposals_[look].size(); ++i) {
      EnrolmentRecord::Tile& tile = record.looks[look].tiles[i];
      tile.confirmed = words_.contains(tile.number);
      if (tile.confirmed) tile.doubt.clear();
      if (!tile.tile.empty()) tile.turns = proposals_[look][i].turns;
    }
  }
  return record;
}

absl::Status EnrolmentSession::Save() const {
  const absl::Status saved = Record().Save(
      List(), {"A box that is being enrolled from the page; with", "  tilewarden enrol --confirmed",
               "this list becomes a pack as well."});
  return saved.ok() ? saved : absl::UnavailableError(saved.message());
}

absl::Status EnrolmentSession::TakeLook(const cv::Mat& picture, const std::string& tile_set) {
  if (looks_.size() >= kMostLooks) {
    return absl::FailedPreconditionError(
        absl::StrCat("there are ", kMostLooks, " looks already; take the last one back first"));
  }
  auto tiles = tiles_;
  if (looks_.empty()) {
    const auto art = sets_.Get(tile_set);
    if (!art.ok()) return absl::InvalidArgumentError(art.status().message());
    tiles = (*art)->set;
  } else if (!tile_set.empty() && tile_set != tiles->id()) {
    return absl::InvalidArgumentError(absl::StrCat("the looks so far are of the box ", tiles->id(),
                                                   ", not of ", tile_set,
                                                   "; take them back first"));
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  const fs::path file = folder_ / absl::StrCat("look-", looks_.size() + 1, ".png");
  if (error || !cv::imwrite(file.string(), picture)) {
    return absl::UnavailableError(absl::StrCat(file.string(), ": cannot be written"));
  }
  auto found = FindTiles({file.string()}, *tiles, *network_);
  if (absl::IsInvalidArgument(found.status())) {
    return absl::FailedPreconditionError(
        "no tiles were found: lay them face up under the camera, a finger's breadth apart, on a "
        "plain table that they stand out from");
  }
  if (!found.ok()) return found.status();
  if (const absl::Status status = CheckSet(*found, *tiles, *network_); !status.ok()) {
    return absl::FailedPreconditionError(status.message());
  }
  tiles_ = std::move(tiles);
  looks_.push_back(std::move(found->front()));
  Propose();
  return Save();
}

absl::Status EnrolmentSession::DropLook(std::size_t look) {
  if (look == 0 || look != looks_.size()) return absl::OkStatus();
  looks_.pop_back();
  int left = 0;
  for (const EnrolmentLook& other : looks_) left += static_cast<int>(other.tiles.size());
  words_.erase(words_.upper_bound(left), words_.end());
  if (!looks_.empty()) {
    Propose();
    return Save();
  }
  proposals_.clear();
  tiles_ = nullptr;
  std::error_code error;
  fs::remove(List(), error);
  return error ? absl::UnavailableError(absl::StrCat(List().string(), ": ", error.message()))
               : absl::OkStatus();
}

absl::Status EnrolmentSession::NameTile(int number, const std::string& tile,
                                        std::optional<int> turns) {
  std::size_t count = 0;
  for (const EnrolmentLook& look : looks_) count += look.tiles.size();
  if (number < 1 || static_cast<std::size_t>(number) > count) {
    return absl::NotFoundError(absl::StrCat("number: there is no tile ", number));
  }
  if (!tile.empty() && tiles_->Find(tile) < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("tile: the box ", tiles_->id(), " has no type \"", tile, "\""));
  }
  if (turns && (*turns < 0 || *turns > 3)) {
    return absl::InvalidArgumentError("turns: quarter turns are 0 to 3");
  }
  words_[number] = {tile, turns};
  Propose();
  return Save();
}

absl::StatusOr<std::shared_ptr<const calibration::ReferencePack>> EnrolmentSession::Keep(
    const std::string& title, const std::string& licence) {
  if (looks_.empty()) return absl::FailedPreconditionError("no look has been taken yet");
  const EnrolmentRecord record = Record();
  for (const EnrolmentRecord::Look& look : record.looks) {
    for (const EnrolmentRecord::Tile& tile : look.tiles) {
      if (tile.doubt.empty()) continue;
      return absl::FailedPreconditionError(
          absl::StrCat("tile ", tile.number, " is still doubtful; confirm or correct it"));
    }
  }
  auto pack = PackOf(record, *tiles_, *network_);
  if (!pack.ok()) return absl::FailedPreconditionError(pack.status().message());
  pack->title = title.empty() ? tiles_->name() : title;
  pack->licence = licence;
  if (const absl::Status saved = pack->Save(pack_); !saved.ok()) {
    return absl::UnavailableError(saved.message());
  }
  return std::make_shared<const calibration::ReferencePack>(*std::move(pack));
}

bool EnrolmentSession::IsKept() const {
  std::error_code error;
  const auto kept = fs::last_write_time(pack_, error);
  return !error && kept >= fs::last_write_time(List(), error) && !error;
}

v1::Enrolment EnrolmentSession::Tell() const {
  v1::Enrolment told;
  told.set_looks(static_cast<std::uint32_t>(looks_.size()));
  told.set_most_looks(static_cast<std::uint32_t>(kMostLooks));
  if (looks_.empty()) return told;
  told.set_tile_set(tiles_->id());
  told.set_kept(IsKept());
  const EnrolmentRecord record = Record();
  for (std::size_t look = 0; look < looks_.size(); ++look) {
    for (std::size_t i = 0; i < proposals_[look].size(); ++i) {
      const TileProposal& proposal = proposals_[look][i];
      const EnrolmentRecord::Tile& named = record.looks[look].tiles[i];
      v1::EnrolledTile* tile = told.add_tiles();
      tile->set_number(static_cast<std::uint32_t>(named.number));
      tile->set_look(static_cast<std::uint32_t>(look + 1));
      tile->set_picture(SmallPicture(looks_[look], looks_[look].tiles[i]));
      tile->set_tile(named.tile);
      tile->set_turns(static_cast<std::uint32_t>(proposal.turns));
      tile->set_probability(named.confirmed ? 1 : proposal.probability);
      tile->set_confirmed(named.confirmed);
      tile->set_doubtful(!named.doubt.empty());
      for (const TileProposal::Other& other : proposal.others) {
        tile->add_others(tiles_->types()[static_cast<std::size_t>(other.type)].id);
      }
    }
  }
  std::stable_sort(told.mutable_tiles()->begin(), told.mutable_tiles()->end(),
                   [](const v1::EnrolledTile& a, const v1::EnrolledTile& b) {
                     if (a.doubtful() != b.doubtful()) return a.doubtful();
                     return a.doubtful() && a.probability() < b.probability();
                   });
  const std::vector<int> found = FoundByType(record, *tiles_);
  for (const bool none : {true, false}) {
    for (std::size_t t = 0; t < found.size(); ++t) {
      if (found[t] >= tiles_->counts()[t] || (found[t] == 0) != none) continue;
      v1::MissingTiles* missing = told.add_missing();
      missing->set_tile(tiles_->types()[t].id);
      missing->set_found(static_cast<std::uint32_t>(found[t]));
      missing->set_copies(static_cast<std::uint32_t>(tiles_->counts()[t]));
    }
  }
  return told;
}

}  // namespace tilewarden::services
