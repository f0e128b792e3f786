// How much of a gRPC stream may be in flight.
#pragma once

namespace tilewarden::services {

// Bytes that one side sends before the other one has read any: a state and half a picture fit.
// It is given because gRPC would find it out by pings, two for many a small message.
inline constexpr int kWindow = 256 << 10;

}  // namespace tilewarden::services
