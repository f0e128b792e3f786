// The clock on the wall. Thread safe.
#pragma once

#include <cstdint>

namespace tilewarden::services {

// Milliseconds since 1970. People may set this clock back, so measure durations with a steady
// one.
std::int64_t NowMs();

}  // namespace tilewarden::services
