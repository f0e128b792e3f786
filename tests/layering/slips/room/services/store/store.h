#include "services/table/table.h"
