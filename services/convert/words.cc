#include "services/convert/words.h"

#include "services/convert/kinds.h"

namespace tilewarden::services {

std::string FeatureWord(v1::SegmentKind kind) {
  const auto known = FromProto(kind);
  return known.ok() ? std::string(engine::ToString(*known)) : "tile";
}

}  // namespace tilewarden::services
