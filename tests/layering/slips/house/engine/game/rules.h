#include "vision/sighting.h"
