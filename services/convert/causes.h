// Why turns were revised, as the log keeps it. Pure functions.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "engine/referee/referee.h"
#include "tilewarden/v1/log.pb.h"

namespace tilewarden::services {

v1::RevisionCause ToProto(engine::RevisionCause cause);
// DATA_LOSS: a cause that this program does not know. Logs from before causes were stored are
// told by what they had instead.
absl::StatusOr<engine::RevisionCause> CauseOf(const v1::LoggedRevision& revision);
// Nothing: the board as it was first seen.
absl::StatusOr<std::optional<engine::RevisionCause>> CauseOf(const v1::LoggedBoard& board);

}  // namespace tilewarden::services
