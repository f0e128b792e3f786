// Lets calls in to a service that holds no tokens: it asks the engine service who
// calls, and the rules what they may. For services that listen on this machine
// alone, as the vision service does.
//
//   who calls                                   is let in
//   this process, or this machine               as admin
//   a gateway on behalf of another machine      as the engine service says
//
// Thread safe. Admit blocks on the engine service where a gateway calls, for up to
// ten seconds.
#pragma once

#include <string_view>
#include <utility>

#include "absl/status/statusor.h"
#include "services/access/guard.h"
#include "services/client/engines.h"

namespace tilewarden::services {

class AskingGuard {
 public:
  // `engines`: channels that add no token of their own, as EnginesAt for pages.
  explicit AskingGuard(Engines engines) : engines_(std::move(engines)) {}

  // Errors as Guard::Admit; UNAVAILABLE: the engine service cannot be asked.
  absl::StatusOr<Caller> Admit(const Arrival& call, std::string_view method);

 private:
  const Engines engines_;
};

}  // namespace tilewarden::services
