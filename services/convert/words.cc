#include "services/convert/words.h"

namespace tilewarden::services {

const char* FeatureWord(v1::SegmentKind kind) {
  switch (kind) {
    case v1::SEGMENT_KIND_CITY:
      return "city";
    case v1::SEGMENT_KIND_ROAD:
      return "road";
    case v1::SEGMENT_KIND_FIELD:
      return "field";
    case v1::SEGMENT_KIND_MONASTERY:
      return "monastery";
    case v1::SEGMENT_KIND_GARDEN:
      return "garden";
    case v1::SEGMENT_KIND_TEMPLE:
      return "temple";
    default:
      return "tile";
  }
}

}  // namespace tilewarden::services
