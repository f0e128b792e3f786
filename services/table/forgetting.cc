#include "services/table/forgetting.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/table/game_list.h"
#include "services/table/player_figures.h"

namespace tilewarden::services {
namespace {

constexpr std::string_view kSomebody = "…";

// Of the character that begins at, or holds, this byte: whether words of letters like it are
// written together. Those of Chinese, Japanese and Korean are not set apart, so that a name may
// stand anywhere among them.
bool IsLetterAt(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at] & 0xc0) == 0x80) --at;
  const auto byte = [&](std::size_t i) -> unsigned {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  if (byte(0) < 0x80) return absl::ascii_isalnum(static_cast<unsigned char>(text[at]));
  if (byte(0) < 0xe0) return ((byte(0) & 0x1f) << 6 | (byte(1) & 0x3f)) >= 0xc0;
  if (byte(0) >= 0xf0) return false;
  return ((byte(0) & 0x0f) << 12 | (byte(1) & 0x3f) << 6) < 0x2000;
}

bool IsWordStart(std::string_view text, std::size_t at) {
  return at == 0 || !IsLetterAt(text, at - 1) || !IsLetterAt(text, at);
}
// Between the character before and what follows.
bool IsWordEnd(std::string_view text, std::size_t at) {
  return at == text.size() || !IsLetterAt(text, at) || !IsLetterAt(text, at - 1);
}

// How long the word is that begins there and is the name; 0: another one does.
std::size_t NameAt(std::string_view text, std::size_t at, std::string_view name) {
  const auto there = text.substr(at, name.size());
  if (!absl::EqualsIgnoreCase({there.data(), there.size()}, {name.data(), name.size()}) ||
      !IsWordStart(text, at)) {
    return 0;
  }
  const std::size_t end = at + name.size();
  if (IsWordEnd(text, end)) return name.size();
  return text[end] == 's' && IsWordEnd(text, end + 1) ? name.size() + 1 : 0;
}

// Every text of people in a record, to be changed or read.
template <typename Visit>
void ForEachText(v1::LogRecord* record, const Visit& visit) {
  if (record->has_started()) visit(record->mutable_started()->mutable_name());
  if (record->has_labelled()) visit(record->mutable_labelled()->mutable_name());
  // The name of a referee's device.
  if (record->has_referee_called() && record->referee_called().has_call()) {
    visit(record->mutable_referee_called()->mutable_call()->mutable_referee());
  }
  if (record->has_points_changed()) visit(record->mutable_points_changed()->mutable_reason());
}

// Whether anything was there to take out.
bool TakeOut(const std::string& name, std::string* text) {
  const std::string without = WithoutName(*text, name);
  return std::exchange(*text, without) != without;
}

bool TakeOut(const std::string& name, v1::LogRecord* record) {
  bool changed = false;
  ForEachText(record, [&](std::string* text) { changed = TakeOut(name, text) || changed; });
  if (!record->has_started()) return changed;
  v1::LoggedStart* started = record->mutable_started();
  for (int i = 0; i < started->names_size(); ++i) {
    if (started->names(i) != name) continue;
    started->mutable_names(i)->clear();
    changed = true;
  }
  return changed;
}

bool TakeOut(const std::string& name, v1::GameSummary* summary) {
  bool changed = TakeOut(name, summary->mutable_name());
  changed = TakeOut(name, summary->mutable_table()) || changed;
  if (summary->has_call()) {
    changed = TakeOut(name, summary->mutable_call()->mutable_referee()) || changed;
  }
  for (v1::Player& player : *summary->mutable_players()) {
    if (PersonOf(player) != name) continue;
    player.set_name(player.colour());
    changed = true;
  }
  return changed;
}

}  // namespace

std::string WithoutName(const std::string& text, const std::string& name) {
  if (name.empty()) return text;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t length = NameAt(text, at, name)) {
      out += kSomebody;
      at += length;
    } else {
      out += text[at++];
    }
  }
  return out;
}

std::vector<std::string> TextsThatMention(const v1::LogRecord& record, const std::string& name) {
  std::vector<std::string> texts;
  v1::LogRecord copy = record;
  ForEachText(&copy, [&](const std::string* text) {
    if (WithoutName(*text, name) != *text) texts.push_back(*text);
  });
  return texts;
}

absl::StatusOr<std::optional<Change>> ChangeThatForgets(Store* store, const StoredGame& game,
                                                        const std::string& name, bool tell) {
  const auto log = store->ReadLog(game.id);
  if (!log.ok()) return log.status();
  // After the log: what is written in between shows in its last number.
  const auto now = StoredAgain(store, game);
  if (!now.ok()) return now.status();
  auto summary = SummaryOf(*now);
  if (!summary.ok()) return summary.status();
  Change change;
  change.game_id = game.id;
  change.as_of = log->back().number;
  for (const LogEntry& entry : *log) {
    if (!HoldsText(entry.record, name)) continue;
    v1::LogRecord record;
    if (!record.ParseFromString(entry.record)) {
      return absl::DataLossError(
          absl::StrCat("event ", entry.number, " of game ", game.id, " cannot be read"));
    }
    if (!TakeOut(name, &record)) continue;
    change.rewritten.push_back({entry.number, entry.time_ms, record.SerializeAsString()});
  }
  const bool in_summary = TakeOut(name, &*summary);
  if (change.rewritten.empty() && !in_summary) return std::nullopt;
  if (tell) {
    v1::LogRecord record;
    record.mutable_labelled()->set_name(summary->name());
    record.mutable_labelled()->set_archived(summary->archived());
    const LogEntry& last = log->back();
    summary->set_event_number(last.number + 1);
    // At the time of the last one: a game is as old as its play.
    change.entries = {{last.number + 1, last.time_ms, record.SerializeAsString()}};
  }
  change.summary = summary->SerializeAsString();
  return change;
}

}  // namespace tilewarden::services
