// What a webhook's receiver is sent, and how it is signed. Pure functions.
//
//   POST /...
//   Content-Type: application/json
//   X-Tilewarden-Event: turn_played
//   X-Tilewarden-Delivery: k3v9wq2mzd-57          the same for every try
//   X-Tilewarden-Timestamp: 1767225600            of this try, seconds since 1970
//   X-Tilewarden-Signature: sha256=5d1f...        HMAC-SHA-256 of TIMESTAMP.BODY
//
//   {"game_id":"k3v9wq2mzd","table":"Table 3","number":57,"time_ms":1767225599412,
//    "kind":"turn_played","event":{...}}
//
// A receiver computes the HMAC over the timestamp, a full stop and the body's bytes with the
// secret, compares in constant time, and refuses timestamps that are some minutes old.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilewarden/v1/game.pb.h"

namespace tilewarden::services {

struct WebhookMessage {
  std::string game_id;
  std::uint64_t number = 0;  // of the event, or of the last one that a state holds
  // As the event's field in v1.GameEvent: created, player_joined, turn_played, revised,
  // finding_raised, finding_cleared, question_asked, question_closed, ended; or state, which
  // stands for all events up to its number.
  std::string kind;
  std::string body;
};

// Of a watch's event or state; `table`: what people call the game.
WebhookMessage MessageFor(const std::string& game_id, const std::string& table,
                          const v1::WatchGameResponse& message, std::int64_t now_ms);

// "sha256=" and 64 hexadecimal digits.
std::string SignatureOf(const std::string& secret, std::int64_t timestamp_s, std::string_view body);
// All headers of one try.
std::vector<std::string> HeadersOf(const WebhookMessage& message, const std::string& secret,
                                   std::int64_t timestamp_s);

}  // namespace tilewarden::services
