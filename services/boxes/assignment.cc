#include "services/boxes/assignment.h"

#include <cstddef>
#include <limits>

namespace tilewarden::services {

// Kuhn's method with potentials: rows are added one by one, each along the
// cheapest chain of columns that change hands.
std::vector<int> Assign(const std::vector<std::vector<double>>& cost) {
  const std::size_t rows = cost.size(), columns = rows == 0 ? 0 : cost.front().size();
  // Row and column 0 stand for none; the rest are counted from 1.
  std::vector<double> of_row(rows + 1, 0), of_column(columns + 1, 0);
  std::vector<std::size_t> owner(columns + 1, 0), before(columns + 1, 0);
  for (std::size_t row = 1; row <= rows; ++row) {
    owner[0] = row;
    std::size_t at = 0;
    std::vector<double> least(columns + 1, std::numeric_limits<double>::infinity());
    std::vector<bool> done(columns + 1, false);
    while (owner[at] != 0) {
      done[at] = true;
      const std::size_t here = owner[at];
      double step = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t c = 1; c <= columns; ++c) {
        if (done[c]) continue;
        const double more = cost[here - 1][c - 1] - of_row[here] - of_column[c];
        if (more < least[c]) {
          least[c] = more;
          before[c] = at;
        }
        if (least[c] < step) {
          step = least[c];
          next = c;
        }
      }
      for (std::size_t c = 0; c <= columns; ++c) {
        if (done[c]) {
          of_row[owner[c]] += step;
          of_column[c] -= step;
        } else {
          least[c] -= step;
        }
      }
      at = next;
    }
    for (; at != 0; at = before[at]) owner[at] = owner[before[at]];
  }
  std::vector<int> column_of(rows, -1);
  for (std::size_t c = 1; c <= columns; ++c) {
    if (owner[c] != 0) column_of[owner[c] - 1] = static_cast<int>(c) - 1;
  }
  return column_of;
}

}  // namespace tilewarden::services
