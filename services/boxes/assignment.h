// The assignment problem: each row gets a column of its own, at the least cost.
#pragma once

#include <vector>

namespace tilewarden::services {

// By row its column. `cost[row][column]`: at least as many columns as rows, all
// rows of one length, finite. Pure; time grows with rows^2 * columns.
std::vector<int> Assign(const std::vector<std::vector<double>>& cost);

}  // namespace tilewarden::services
