#include "services/commands/configuration.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>
#include <system_error>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "fmt/format.h"
#include "services/commands/commands.h"
#include "services/store/store_address.h"

// As engine/tiles/tile_set_file.cc has it: one program, one kind of parser.
#define TOML_EXCEPTIONS 0
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace tilewarden::services {
namespace {

// The commands that have settings.
const std::vector<std::string>& Services() {
  static const std::vector<std::string> kServices = {"engine", "gateway", "up", "vision"};
  return kServices;
}

bool IsService(const std::string& name) {
  return std::find(Services().begin(), Services().end(), name) != Services().end();
}

std::string VariableOf(const std::string& service, const std::string& option) {
  std::string name = absl::StrCat("TILEWARDEN_", service, "_", option);
  for (char& c : name) {
    c = c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

std::vector<CLI::Option*> SettingsOf(CLI::App& service) {
  return service.get_options([](const CLI::Option* option) {
    return !option->get_lnames().empty() && option->get_lnames()[0] != "help";
  });
}

// A value as it would be written after a flag.
std::string TextOf(const toml::node& value, const std::string& key) {
  if (const auto* text = value.as_string()) return text->get();
  if (const auto* number = value.as_integer()) return absl::StrCat(number->get());
  if (const auto* truth = value.as_boolean()) return truth->get() ? "true" : "false";
  throw CommandError(absl::StrCat(key, " needs a text, a whole number, true or false"), 2);
}

bool IsSecret(const std::string& option) {
  return absl::EndsWith(option, "-password") || absl::EndsWith(option, "-secret");
}

// A value for people: no secrets, but where they are read from.
std::string Shown(const std::string& option, const std::string& value) {
  const bool hide = IsSecret(option) && !value.empty() && !absl::StartsWith(value, "@");
  return hide ? "***" : WithoutSecrets(value);
}

// And as the file would say it.
std::string Quoted(const std::string& text) {
  int number = 0;
  if (text == "true" || text == "false" || absl::SimpleAtoi(text, &number)) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// The options that the file gives a value.
std::set<const CLI::Option*> Read(CLI::App& app, const std::filesystem::path& file) {
  std::set<const CLI::Option*> from_file;
  for (const std::string& service : Services()) {
    for (CLI::Option* option : SettingsOf(*app.get_subcommand(service))) {
      option->envname(VariableOf(service, option->get_lnames()[0]));
    }
  }
  if (file.empty()) return from_file;
  const auto fail = [&](const std::string& what) {
    return CommandError(absl::StrCat(file.string(), ": ", what), 2);
  };
  const toml::parse_result parsed = toml::parse_file(file.string());
  if (!parsed) {
    throw fail(fmt::format("{} (line {})", parsed.error().description(),
                           parsed.error().source().begin.line));
  }
  for (const auto& [section, content] : parsed.table()) {
    const std::string service(section.str());
    if (!IsService(service) || !content.is_table()) {
      throw fail(absl::StrCat("there is no section '", service, "'; the sections are ",
                              absl::StrJoin(Services(), ", ")));
    }
    CLI::App* command = app.get_subcommand(service);
    for (const auto& [key, value] : *content.as_table()) {
      const std::string name = absl::StrCat(service, ".", std::string(key.str()));
      CLI::Option* option = command->get_option_no_throw("--" + std::string(key.str()));
      if (option == nullptr || key.str() == "help") {
        throw fail(
            absl::StrCat("there is no setting ", name, "; see tilewarden ", service, " --help"));
      }
      try {
        option->run_callback_for_default()->default_val(TextOf(value, name));
        // --help shows defaults too.
        option->default_str(Shown(std::string(key.str()), option->get_default_str()));
      } catch (const CLI::Error& error) {
        throw fail(absl::StrCat(name, ": ", error.what()));
      }
      from_file.insert(option);
    }
  }
  return from_file;
}

std::string Describe(CLI::App& service, const std::set<const CLI::Option*>& from_file) {
  std::string out = absl::StrCat("[", service.get_name(), "]\n");
  for (const CLI::Option* option : SettingsOf(service)) {
    const std::string& name = option->get_lnames()[0];
    const char* variable = std::getenv(option->get_envname().c_str());
    const std::string flag = absl::StrJoin(option->results(), ",");
    std::string value = option->get_default_str(), origin = "default";
    if (from_file.contains(option)) origin = "the file";
    if (variable != nullptr && *variable != 0) {
      value = variable;
      origin = option->get_envname();
    }
    if (option->count() > 0 && flag != value) {
      value = flag;
      origin = "the command line";
    }
    const bool is_flag = option->get_items_expected_max() == 0;
    if (is_flag && value.empty()) value = "false";
    out += value.empty()
               ? fmt::format("# {} is not set\n", name)
               : fmt::format("{:<40}  # {}\n", name + " = " + Quoted(Shown(name, value)), origin);
  }
  return out;
}

// A service's words were understood.
struct Understood {};

// The service that the words name, as they set it.
CLI::App& Understand(CLI::App& app, std::vector<std::string> words) {
  const std::string service = words.front();
  if (!IsService(service)) {
    throw CommandError(
        absl::StrCat("'", service, "' has no settings; engine, gateway, up and vision have"), 2);
  }
  CLI::App& command = *app.get_subcommand(service);
  std::reverse(words.begin(), words.end());
  try {
    app.parse(words);
  } catch (const Understood&) {
  } catch (const CLI::ParseError& error) {
    throw CommandError(error.what(), 2);
  }
  if (const auto unknown = command.remaining(); !unknown.empty()) {
    throw CommandError(absl::StrCat("'", service, "' has no setting '", unknown.front(),
                                    "'; see tilewarden ", service, " --help"),
                       2);
  }
  return command;
}

}  // namespace

std::filesystem::path SettingsFile() {
  if (const char* named = std::getenv("TILEWARDEN_CONFIG"); named != nullptr) return named;
  std::vector<std::filesystem::path> folders;
  if (const char* folder = std::getenv("XDG_CONFIG_HOME"); folder != nullptr && *folder != 0) {
    folders.emplace_back(folder);
  } else if (const char* home = std::getenv("HOME"); home != nullptr) {
    folders.push_back(std::filesystem::path(home) / ".config");
  }
  folders.emplace_back("/etc");
  for (const auto& folder : folders) {
    std::error_code error;
    auto file = folder / "tilewarden" / "tilewarden.toml";
    if (std::filesystem::is_regular_file(file, error)) return file;
  }
  return {};
}

void ReadSettings(CommandLine& line, const std::filesystem::path& file) { Read(line.app(), file); }

std::string DescribeSettings(const std::filesystem::path& file, std::vector<std::string> words) {
  CommandLine line("tilewarden", "");
  AddCommands(line.top());
  const auto from_file = Read(line.app(), file);
  for (const std::string& service : Services()) {
    CLI::App* command = line.app().get_subcommand(service);
    // Told about, not run: left before its callback, which owns what the options write to.
    command->parse_complete_callback([] { throw Understood{}; });
    for (CLI::Option* option : command->get_options()) option->required(false);
  }
  std::string out = absl::StrCat("# File: ", file.empty() ? "none" : file.string(), "\n");
  if (!words.empty()) {
    return absl::StrCat(out, "\n", Describe(Understand(line.app(), std::move(words)), from_file));
  }
  for (const std::string& service : Services()) {
    absl::StrAppend(&out, "\n", Describe(*line.app().get_subcommand(service), from_file));
  }
  return out;
}

}  // namespace tilewarden::services
