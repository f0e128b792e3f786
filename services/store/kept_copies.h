// The games that lie in a data folder besides its log: nightly copies, and what going back to a
// copy has kept.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/store/store.h"

namespace tilewarden::services {

// Changes a copy; whether it did.
using CopyChange = std::function<absl::StatusOr<bool>(Store*)>;

struct CopiesChanged {
  int changed = 0;
  std::vector<std::string> left;  // a sentence for each that could not be read
};

// Shows every copy in the data folder and its `backups` to `change`, and puts the changed one in
// the place of the old one, at one moment and with the old one's time; one that holds `text` in
// whatever place, too. `log`, which a service has open, is left out; empty: there is none.
// UNAVAILABLE: the disk is full or failed; copies are then as they were, or changed. Blocks on the
// disk.
absl::StatusOr<CopiesChanged> ChangeKeptCopies(const std::filesystem::path& folder,
                                               const std::filesystem::path& log,
                                               const std::string& text, const CopyChange& change);

}  // namespace tilewarden::services
