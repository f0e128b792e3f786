// Takes a person out of what is kept of games: the name of a player, and where what people wrote
// speaks of that person (names of games, reasons for points). Everything else stays.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/store/store.h"
#include "tilewarden/v1/game.pb.h"
#include "tilewarden/v1/log.pb.h"

namespace tilewarden::services {

// The text with "…" in place of the name wherever that stands as a word of its own, with capitals
// or without (those of ASCII), or with an s at its end: "Annas Spiel", "Anna's game", but not
// "Annabel". Pure.
std::string WithoutName(const std::string& text, const std::string& name);

// What people wrote in this record that speaks of the name.
std::vector<std::string> TextsThatMention(const v1::LogRecord& record, const std::string& name);

// What a game's log must become; absent: it says nothing of the name. The term is not set. `tell`
// adds that the game is called as it is called, so that whoever watches it gets the state. Blocks
// on the disk. Errors as Store::ReadLog; DATA_LOSS.
absl::StatusOr<std::optional<Change>> ChangeThatForgets(Store* store, const StoredGame& game,
                                                        const std::string& name, bool tell);

}  // namespace tilewarden::services
