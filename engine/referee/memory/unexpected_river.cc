#include "engine/referee/memory/unexpected_river.h"

#include <utility>

#include "engine/referee/model.h"

namespace tilewarden::engine {

void UnexpectedRiver::Saw(std::vector<Seen> tiles) {
  looks_ = tiles.empty() ? 0 : looks_ + 1;
  tiles_ = std::move(tiles);
}

bool UnexpectedRiver::Sure() const { return looks_ >= kUnexpectedLooks; }

}  // namespace tilewarden::engine
