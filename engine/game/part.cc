#include "engine/game/part.h"

namespace tilewarden::engine {

Parts& Parts::operator=(const Parts& other) {
  if (this == &other) return *this;
  parts_.clear();
  hooks_ = other.hooks_;
  limited_ = other.limited_;
  parts_.reserve(other.parts_.size());
  for (const std::unique_ptr<Part>& part : other.parts_) parts_.push_back(part->Clone());
  return *this;
}

void Parts::Add(std::unique_ptr<Part> part) {
  part->number_ = static_cast<std::uint8_t>(parts_.size() + 1);
  hooks_ |= part->hooks_;
  parts_.push_back(std::move(part));
}

void Parts::Learn(const TileSet& tiles) {
  if ((hooks_ & Bit(Hook::kLimits)) == 0) return;
  std::vector<bool> limited;
  for (const CompiledTile& tile : tiles.compiled()) {
    limited.push_back(First<Hook::kLimits>([&](const Part& part) { return part.Limits(tile); }));
  }
  limited_ = std::make_shared<const std::vector<bool>>(std::move(limited));
}

std::size_t Parts::MemoryUsed() const {
  std::size_t bytes = parts_.capacity() * sizeof(parts_[0]);
  for (const std::unique_ptr<Part>& part : parts_) bytes += sizeof(Part) + part->MemoryUsed();
  return bytes;
}

}  // namespace tilewarden::engine
