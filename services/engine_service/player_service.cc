#include "services/engine_service/player_service.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "services/base/check_text.h"
#include "services/base/leader.h"
#include "services/base/whole_file.h"
#include "services/convert/convert.h"
#include "services/store/kept_copies.h"
#include "services/table/forgetting.h"
#include "services/table/game_list.h"
#include "services/table/player_figures.h"
#include "services/table/remarks.h"
#include "spdlog/spdlog.h"

namespace tilewarden::services {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kLongestCounting{2};

absl::Status CheckName(const std::string& name) {
  if (name.empty()) return absl::InvalidArgumentError("name: whose?");
  return CheckText("name", name, kLongestName, "bytes");
}

absl::Status NobodyOfThisName(const std::string& name) {
  return absl::NotFoundError(
      absl::StrCat("nobody called ", name, " has played; names are told apart by each letter"));
}

// All games, newest first: a list that is changed while it is read would skip some.
absl::StatusOr<std::vector<StoredGame>> AllGames(Store* store) {
  std::vector<StoredGame> games;
  const auto status = ForEachGame(store, kGamesAtOnce, [&](const StoredGame& game) {
    games.push_back(game);
    return true;
  });
  if (!status.ok()) return status;
  return games;
}

// A sentence for each file of plain text that holds the name: own tiles, notes of boxes. Whether
// the word means this person, people know.
std::vector<std::string> TextsThatHold(const fs::path& folder, const std::string& name) {
  constexpr std::uintmax_t kLongestText = 1 << 20;
  std::vector<std::string> sentences;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder, error), end; !error && it != end;
       it.increment(error)) {
    std::error_code skipped;
    if (!it->is_regular_file(skipped)) continue;
    const std::string called = it->path().lexically_relative(folder).string();
    bool holds = WithoutName(called, name) != called;
    if (!holds && it->file_size(skipped) <= kLongestText) {
      const auto text = ReadFile(it->path());
      holds = text && text->find('\0') == std::string::npos && WithoutName(*text, name) != *text;
    }
    if (!holds) continue;
    sentences.push_back(
        absl::StrCat(called, " holds this word too; change it there if it means this person"));
  }
  return sentences;
}

// The game as it was at its last event.
absl::StatusOr<engine::Referee> RefereeOf(const std::vector<LogEntry>& log, TileSets* tile_sets) {
  std::vector<engine::Event> events;
  std::shared_ptr<const TileArt> art, begun_with;
  for (const LogEntry& entry : log) {
    v1::LogRecord record;
    if (!record.ParseFromString(entry.record)) {
      return absl::DataLossError(absl::StrCat("event ", entry.number, " cannot be read"));
    }
    if (IsRemark(record)) continue;
    if (art == nullptr) {
      auto found = tile_sets->Get(record.started().tile_set(), record.started().own_tiles());
      if (!found.ok()) return found.status();
      art = begun_with = *std::move(found);
    }
    auto event = FromLog(record, *art->set);
    if (!event.ok()) return event.status();
    auto after = ArtAfter(*event, art, tile_sets);
    if (!after.ok()) return after.status();
    art = *std::move(after);
    events.push_back(*std::move(event));
  }
  if (art == nullptr) return absl::DataLossError("the log has no beginning");
  return engine::Referee::Restore(begun_with->set, events, JudgingWith(tile_sets, *begun_with));
}

}  // namespace

// A game that ended before its results were kept.
absl::Status PlayerServiceImpl::Count(const StoredGame& game, v1::GameSummary* summary) {
  const auto log = games_->store()->ReadLog(game.id);
  if (!log.ok()) return log.status();
  const auto now = StoredAgain(games_->store(), game);
  if (!now.ok()) return now.status();
  auto read = SummaryOf(*now);
  if (!read.ok()) return read.status();
  *summary = *std::move(read);
  if (!LacksResults(*summary)) return absl::OkStatus();
  const auto referee = RefereeOf(*log, &games_->tile_sets());
  if (!referee.ok()) return referee.status();
  *summary->mutable_results() = SummaryToProto({}, *referee, 0).results();
  const auto term = games_->store()->Lead(game.id);
  if (!term.ok()) return term.status();
  Change change;
  change.game_id = game.id;
  change.term = *term;
  change.as_of = log->back().number;
  change.summary = summary->SerializeAsString();
  const absl::Status status = games_->store()->Append(change);
  // Whoever has written to it since has kept them.
  return absl::IsAborted(status) ? absl::OkStatus() : status;
}

grpc::Status PlayerServiceImpl::ListPlayers(grpc::ServerContext* context,
                                            const v1::ListPlayersRequest* request,
                                            v1::ListPlayersResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const auto until = std::chrono::steady_clock::now() + kLongestCounting;
    const std::lock_guard counting(counting_);
    const auto games = AllGames(games_->store());
    if (!games.ok()) return games.status();
    PlayerStatistics statistics;
    std::uint32_t left = 0;
    absl::Status led_elsewhere;
    for (const StoredGame& game : *games) {
      auto summary = SummaryOf(game);
      if (!summary.ok()) return summary.status();
      if (LacksResults(*summary)) {
        if (std::chrono::steady_clock::now() >= until) {
          ++left;
        } else if (const auto status = Count(game, &*summary); LeaderOf(status)) {
          led_elsewhere = status;
        } else if (!status.ok()) {
          spdlog::warn("game {} counts for nobody: {}", game.id, status.ToString());
        }
      }
      statistics.Add(*summary);
    }
    if (!led_elsewhere.ok()) return led_elsewhere;
    for (v1::PlayerFigures& figures : statistics.Figures()) {
      *response->add_players() = std::move(figures);
    }
    response->set_games_to_count(left);
    return absl::OkStatus();
  });
}

grpc::Status PlayerServiceImpl::ExportPlayer(grpc::ServerContext* context,
                                             const v1::ExportPlayerRequest* request,
                                             v1::ExportPlayerResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    const std::string& name = request->name();
    if (auto status = CheckName(name); !status.ok()) return status;
    PlayerStatistics statistics;
    const auto next = [&](const StoredGame& game) -> absl::StatusOr<bool> {
      auto summary = SummaryOf(game);
      if (!summary.ok()) return summary.status();
      for (int seat = 0; seat < summary->players_size(); ++seat) {
        if (PersonOf(summary->players(seat)) != name) continue;
        if (LacksResults(*summary)) {
          if (auto status = Count(game, &*summary); !status.ok()) return status;
        }
        *response->add_games() = GameOf(*summary, seat);
      }
      statistics.Add(*summary);
      const auto log = games_->store()->ReadLog(game.id);
      if (!log.ok()) return log.status();
      for (const LogEntry& entry : *log) {
        v1::LogRecord record;
        if (!HoldsText(entry.record, name) || !record.ParseFromString(entry.record)) continue;
        for (std::string& text : TextsThatMention(record, name)) {
          v1::PlayerMention* mention = response->add_mentions();
          mention->set_game_id(game.id);
          mention->set_text(std::move(text));
        }
      }
      return true;
    };
    if (auto status = ForEachGame(games_->store(), kGamesAtOnce, next); !status.ok()) return status;
    for (v1::PlayerFigures& figures : statistics.Figures()) {
      if (figures.name() == name) *response->mutable_figures() = std::move(figures);
    }
    return response->has_figures() ? absl::OkStatus() : NobodyOfThisName(name);
  });
}

grpc::Status PlayerServiceImpl::DeletePlayer(grpc::ServerContext* context,
                                             const v1::DeletePlayerRequest* request,
                                             v1::DeletePlayerResponse* response) {
  return Guarded(guard_, context, *request, [&]() -> absl::Status {
    if (auto status = CheckName(request->name()); !status.ok()) return status;
    const std::lock_guard deleting(deleting_);
    return Delete(request->name(), response);
  });
}

absl::Status PlayerServiceImpl::DeleteFromGames(const std::string& name,
                                                v1::DeletePlayerResponse* response) {
  for (const auto& table : games_->open_tables()) {
    const std::string& called = table->table_name();
    if (WithoutName(called, name) == called || !table->followed()) continue;
    return absl::FailedPreconditionError(
        absl::StrCat("a camera follows the table \"", called,
                     "\", whose name holds this one; end its game first"));
  }
  const auto games = AllGames(games_->store());
  if (!games.ok()) return games.status();
  absl::Status led_elsewhere;
  for (const StoredGame& game : *games) {
    const auto forgotten = games_->Forget(game, name);
    if (LeaderOf(forgotten.status())) {
      led_elsewhere = forgotten.status();
    } else if (absl::IsDataLoss(forgotten.status())) {
      response->add_left(absl::StrCat("game ", game.id, " was not searched (",
                                      std::string(forgotten.status().message()),
                                      "); delete it if nobody needs it"));
    } else if (!forgotten.ok() && !absl::IsNotFound(forgotten.status())) {
      return forgotten.status();
    } else if (forgotten.ok() && *forgotten) {
      response->set_games(response->games() + 1);
    }
  }
  return led_elsewhere;
}

absl::Status PlayerServiceImpl::Delete(const std::string& name,
                                       v1::DeletePlayerResponse* response) {
  const absl::Status in_games = DeleteFromGames(name, response);
  if (!in_games.ok() && !LeaderOf(in_games)) return in_games;
  const auto answers = games_->store()->ForgetText(name);
  if (!answers.ok()) return answers.status();
  const auto devices =
      guard_->tokens().Reword([&](const std::string& text) { return WithoutName(text, name); });
  if (!devices.ok()) return devices.status();
  const auto in_copy = [&](Store* copy) -> absl::StatusOr<bool> {
    const auto games = AllGames(copy);
    if (!games.ok()) return games.status();
    bool changed = false;
    for (const StoredGame& game : *games) {
      const auto change = ChangeThatForgets(copy, game, name, false);
      if (!change.ok()) return change.status();
      if (!*change) continue;
      if (auto status = copy->Append(**change); !status.ok()) return status;
      changed = true;
    }
    const auto forgotten = copy->ForgetText(name);
    if (!forgotten.ok()) return forgotten.status();
    return changed || *forgotten > 0;
  };
  auto copies = ChangeKeptCopies(data_, log_, name, in_copy);
  if (!copies.ok()) return copies.status();
  response->set_copies(static_cast<std::uint32_t>(copies->changed));
  for (std::string& sentence : copies->left) response->add_left(std::move(sentence));
  for (std::string& sentence : TextsThatHold(data_, name)) {
    response->add_left(std::move(sentence));
  }
  // Elsewhere it goes on.
  if (!in_games.ok()) return in_games;
  if (response->games() + response->copies() == 0 && *answers == 0 && !*devices) {
    return NobodyOfThisName(name);
  }
  return absl::OkStatus();
}

}  // namespace tilewarden::services
