#include "services/publish/webhook_message.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "services/base/message_json.h"

namespace tilewarden::services {
namespace {

std::string KindOf(const v1::GameEvent& event) {
  const auto* field =
      v1::GameEvent::descriptor()->FindFieldByNumber(static_cast<int>(event.what_case()));
  return field == nullptr ? "event" : field->name();
}

}  // namespace

WebhookMessage MessageFor(const std::string& game_id, const std::string& table,
                          const v1::WatchGameResponse& message, std::int64_t now_ms) {
  const bool is_state = message.has_state();
  WebhookMessage out;
  out.game_id = game_id;
  out.number = is_state ? message.state().event_number() : message.event().number();
  out.kind = is_state ? "state" : KindOf(message.event());
  const nlohmann::ordered_json about = {{"game_id", game_id},
                                        {"table", table},
                                        {"number", out.number},
                                        {"time_ms", is_state ? now_ms : message.event().time_ms()},
                                        {"kind", out.kind}};
  out.body = about.dump();
  // The same JSON as `tilewarden watch --json` prints.
  out.body.pop_back();
  absl::StrAppend(&out.body, is_state ? ",\"state\":" : ",\"event\":",
                  is_state ? ToJson(message.state()) : ToJson(message.event()), "}");
  return out;
}

std::string SignatureOf(const std::string& secret, std::int64_t timestamp_s,
                        std::string_view body) {
  const std::string text = absl::StrCat(timestamp_s, ".", std::string(body));
  std::string digest(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  HMAC(EVP_sha256(), secret.data(), static_cast<int>(secret.size()),
       reinterpret_cast<const unsigned char*>(text.data()), text.size(),
       reinterpret_cast<unsigned char*>(digest.data()), &size);
  digest.resize(size);
  return absl::StrCat("sha256=", absl::BytesToHexString(digest));
}

std::vector<std::string> HeadersOf(const WebhookMessage& message, const std::string& secret,
                                   std::int64_t timestamp_s) {
  return {"Content-Type: application/json", absl::StrCat("X-Tilewarden-Event: ", message.kind),
          absl::StrCat("X-Tilewarden-Delivery: ", message.game_id, "-", message.number),
          absl::StrCat("X-Tilewarden-Timestamp: ", timestamp_s),
          absl::StrCat("X-Tilewarden-Signature: ", SignatureOf(secret, timestamp_s, message.body)),
          // Bodies go at once, without asking first.
          "Expect:"};
}

}  // namespace tilewarden::services
