// An upward include, on purpose: the layering test must refuse it.
#include "vision/sighting.h"
