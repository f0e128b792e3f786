#include "services/commands/arguments.h"

#include "CLI/CLI.hpp"

namespace tilewarden::services {

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
  option_->check(CLI::Range(least, most));
  return *this;
}

const Option& Option::NotNegative() const {
  option_->check(CLI::NonNegativeNumber);
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
    return app_->exit(error) == 0 ? 0 : 2;
  }
  return 0;
}

}  // namespace tilewarden::services
