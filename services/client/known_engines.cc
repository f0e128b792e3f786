#include "services/client/known_engines.h"

#include <cstdlib>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "nlohmann/json.hpp"
#include "services/access/addresses.h"
#include "services/base/whole_file.h"

namespace tilewarden::services {
namespace {

absl::StatusOr<nlohmann::json> Read(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return nlohmann::json::object();
  auto all = nlohmann::json::parse(ReadFile(file).value_or(""), nullptr, false);
  if (!all.is_object()) {
    return absl::FailedPreconditionError(absl::StrCat(
        file.string(), " cannot be read; move it away and run tilewarden access join again"));
  }
  return all;
}

std::string Text(const nlohmann::json& entry, const char* key) {
  const auto found = entry.find(key);
  return found != entry.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

std::filesystem::path KnownEngines::DefaultFile() {
  std::filesystem::path folder;
  if (const char* config = std::getenv("XDG_CONFIG_HOME"); config != nullptr && *config != 0) {
    folder = config;
  } else if (const char* home = std::getenv("HOME"); home != nullptr && *home != 0) {
    folder = std::filesystem::path(home) / ".config";
  }
  return folder / "tilewarden" / "engines.json";
}

absl::StatusOr<KnownEngine> KnownEngines::Find(const std::string& address) const {
  const auto all = Read(file_);
  if (!all.ok()) return all.status();
  const auto entry = all->find(address);
  if (entry == all->end() || !entry->is_object()) {
    if (IsLoopbackListener(address)) return KnownEngine{};
    return absl::FailedPreconditionError(
        absl::StrCat("the engine service on ", address,
                     " is not known here; run tilewarden access join ", address));
  }
  const auto plain = entry->find("plain_text");
  return KnownEngine{Text(*entry, "fingerprint"), Text(*entry, "authority"),
                     plain != entry->end() && plain->is_boolean() && plain->get<bool>(),
                     Text(*entry, "token")};
}

absl::Status KnownEngines::Keep(const std::string& address, const KnownEngine& engine) const {
  auto all = Read(file_);
  if (!all.ok()) return all.status();
  nlohmann::json entry = {{"token", engine.token}};
  if (!engine.fingerprint.empty()) entry["fingerprint"] = engine.fingerprint;
  if (!engine.authority.empty()) entry["authority"] = engine.authority;
  if (engine.plain_text) entry["plain_text"] = true;
  (*all)[address] = std::move(entry);
  std::error_code error;
  std::filesystem::create_directories(file_.parent_path(), error);
  return WritePrivateFile(file_, all->dump(2) + "\n", IfThere::kReplace);
}

}  // namespace tilewarden::services
