// Figures about a running service in Prometheus' text format. Pure functions.
#pragma once

#include <string>
#include <vector>

namespace tilewarden::services {

struct Metric {
  std::string name;    // tilewarden_..., counters end in _total
  std::string help;    // one line
  std::string labels;  // kind="page", or empty
  double value = 0;
};

// Metrics of one name stand together. Names that end in _total are counters,
// all others gauges.
std::string PrometheusText(const std::vector<Metric>& metrics);

}  // namespace tilewarden::services
