#include "services/commands/arguments.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <optional>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tilewarden::services {
namespace {

// A whole number from `least` on, up to `most` if there is a most; said as people say it.
CLI::Validator WholeNumber(std::int64_t least, std::optional<std::int64_t> most) {
  const std::string range =
      most ? absl::StrCat("from ", least, " to ", *most) : absl::StrCat(least, " or more");
  return CLI::Validator(
      [=](std::string& word) -> std::string {
        std::int64_t value = 0;
        const bool number = CLI::detail::lexical_cast(word, value);
        if (number && value >= least && (!most || value <= *most)) return "";
        return absl::StrCat(word, " is not a whole number ", range);
      },
      range);
}

// Letters to change, add or leave out to get from one word to the other.
std::size_t Distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
    }
  }
  return row[b.size()];
}

// What to say of a word that stands where a command is needed and is none. Empty: there is none.
std::string UnknownCommand(const CLI::App& top, int argc, char** argv) {
  const CLI::App* app = &top;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (app->get_require_subcommand_min() == 0 || word.empty() || word.front() == '-') return "";
    std::vector<std::string> names;
    const CLI::App* next = nullptr;
    for (const CLI::App* command : app->get_subcommands({})) {
      names.push_back(command->get_name());
      if (command->get_name() == word) next = command;
    }
    if (next != nullptr) {
      app = next;
      continue;
    }
    const std::string program =
        app == &top ? top.get_name() : absl::StrCat(top.get_name(), " ", app->get_name());
    const auto nearest = std::min_element(
        names.begin(), names.end(),
        [&](const auto& a, const auto& b) { return Distance(a, word) < Distance(b, word); });
    const bool alike = nearest != names.end() && Distance(*nearest, word) <= 2;
    return absl::StrCat("there is no command \"", word, "\"",
                        alike ? absl::StrCat("; did you mean \"", program, " ", *nearest, "\"?")
                              : absl::StrCat("; choose one of ", absl::StrJoin(names, ", "), "."),
                        " \"", program, " --help\" says what each one does");
  }
  return "";
}

}  // namespace

const Option& Option::Required() const {
  option_->required();
  return *this;
}

const Option& Option::ShowDefault() const {
  option_->capture_default_str();
  return *this;
}

const Option& Option::OneOf(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

const Option& Option::Between(int least, int most) const {
  option_->check(WholeNumber(least, most));
  return *this;
}

const Option& Option::NotNegative() const {
  option_->check(WholeNumber(0, std::nullopt));
  return *this;
}

const Option& Option::ExistingPath() const {
  option_->check(CLI::ExistingPath);
  return *this;
}

const Option& Option::ExistingFile() const {
  option_->check(CLI::ExistingFile);
  return *this;
}

const Option& Option::ExistingFolder() const {
  option_->check(CLI::ExistingDirectory);
  return *this;
}

const Option& Option::Excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}

const Option& Option::SplitAt(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

Command Command::AddCommand(const std::string& name, const std::string& about) const {
  return Command(app_->add_subcommand(name, about));
}

void Command::NeedsCommand() const { app_->require_subcommand(1); }

Option Command::Add(const std::string& names, std::string* value, const std::string& about) const {
  return Option(app_->add_option(names, *value, about));
}

Option Command::Add(const std::string& names, std::filesystem::path* value,
                    const std::string& about) const {
  return Option(app_->add_option(names, *value, about));
}

Option Command::Add(const std::string& names, int* value, const std::string& about) const {
  return Option(app_->add_option(names, *value, about));
}

Option Command::Add(const std::string& names, std::int64_t* value, const std::string& about) const {
  return Option(app_->add_option(names, *value, about));
}

Option Command::Add(const std::string& names, std::vector<std::string>* value,
                    const std::string& about) const {
  return Option(app_->add_option(names, *value, about));
}

Option Command::AddFlag(const std::string& names, bool* value, const std::string& about) const {
  return Option(app_->add_flag(names, *value, about));
}

Option Command::AddNumbered(const std::string& names,
                            const std::vector<std::pair<std::string, int>>& numbers, int preset,
                            const std::function<void(int)>& take, const std::string& about) const {
  CLI::Option* option = app_->add_option_function<int>(names, take, about);
  option->type_name("ENUM");
  option->transform(CLI::CheckedTransformer(numbers));
  for (const auto& [word, number] : numbers) {
    if (number == preset) option->default_str(word);
  }
  return Option(option);
}

void Command::Runs(const std::function<void()>& action) const { app_->callback(action); }

void Command::RunsWithRest(const std::function<void(std::vector<std::string>)>& action) const {
  app_->prefix_command();
  app_->callback([app = app_, action] { action(app->remaining()); });
}

CommandLine::CommandLine(const std::string& program, const std::string& about)
    : app_(std::make_unique<CLI::App>(about, program)) {}

CommandLine::~CommandLine() = default;

void CommandLine::TellVersion(const std::string& version) {
  app_->set_version_flag("--version", version);
}

int CommandLine::Run(int argc, char** argv) {
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (const std::string unknown = UnknownCommand(*app_, argc, argv); !unknown.empty()) {
      std::fprintf(stderr, "%s: %s\n", app_->get_name().c_str(), unknown.c_str());
      return 2;
    }
    return app_->exit(error) == 0 ? 0 : 2;
  }
  return 0;
}

}  // namespace tilewarden::services
