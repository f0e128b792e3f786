#include "services/table/board_picture.h"

#include <algorithm>
#include <cstdint>

#include "services/convert/convert.h"

namespace tilewarden::services {

v1::BoardPicture OnBoard(const v1::TopView& view, const engine::BoardFromLattice& lies) {
  const engine::Cell corner = FromProto(view.corner());
  const auto columns = static_cast<int>(view.columns()), rows = static_cast<int>(view.rows());
  const engine::Cell one = lies(corner);
  const engine::Cell other = lies({corner.x + columns - 1, corner.y + rows - 1});
  v1::BoardPicture out;
  out.set_jpeg(view.jpeg());
  out.set_quarter_turns(static_cast<std::uint32_t>(lies.turn & 3));
  *out.mutable_north_west() =
      ToProto(engine::Cell{std::min(one.x, other.x), std::min(one.y, other.y)});
  out.set_columns(lies.turn % 2 == 0 ? view.columns() : view.rows());
  out.set_rows(lies.turn % 2 == 0 ? view.rows() : view.columns());
  return out;
}

}  // namespace tilewarden::services
