#include "services/base/metrics.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace tilewarden::services {

std::string PrometheusText(const std::vector<Metric>& metrics) {
  std::string out, last;
  for (const Metric& metric : metrics) {
    if (metric.name != last) {
      absl::StrAppend(&out, "# HELP ", metric.name, " ", metric.help, "\n# TYPE ", metric.name,
                      absl::EndsWith(metric.name, "_total") ? " counter\n" : " gauge\n");
      last = metric.name;
    }
    absl::StrAppend(&out, metric.name, metric.labels.empty() ? "" : "{", metric.labels,
                    metric.labels.empty() ? "" : "}", " ", metric.value, "\n");
  }
  return out;
}

}  // namespace tilewarden::services
