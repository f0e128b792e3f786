// What a command takes on the command line, behind names of our own: CLI11 is a header of 10,000
// lines of templates, and no command needs to see it. Commands and options live as long as the
// CommandLine that they are of; these are handles, to be copied freely. Not thread safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace tilewarden::services {

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  const Option& Required() const;
  // --help tells the value that it has without being given.
  const Option& ShowDefault() const;
  const Option& OneOf(const std::vector<std::string>& words) const;
  const Option& Between(int least, int most) const;
  const Option& NotNegative() const;
  const Option& ExistingPath() const;
  const Option& ExistingFile() const;
  const Option& ExistingFolder() const;
  // Only one of the two may be given.
  const Option& Excludes(const Option& other) const;
  // Several values in one word, with this between them.
  const Option& SplitAt(char delimiter) const;

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}

  // A command below this one, with what --help says of it.
  Command AddCommand(const std::string& name, const std::string& about) const;
  // One of the commands below must be given.
  void NeedsCommand() const;

  // An option, "--name", or a value with no flag before it, "NAME"; both: "name,--name". What is
  // given is written to `value`, which is its default until then.
  Option Add(const std::string& names, std::string* value, const std::string& about) const;
  Option Add(const std::string& names, std::filesystem::path* value,
             const std::string& about) const;
  Option Add(const std::string& names, int* value, const std::string& about) const;
  Option Add(const std::string& names, std::int64_t* value, const std::string& about) const;
  Option Add(const std::string& names, std::vector<std::string>* value,
             const std::string& about = "") const;
  Option AddFlag(const std::string& names, bool* value, const std::string& about) const;
  // One of several, each by its word. --help tells which it is without being given.
  template <typename Enum>
  Option AddChoice(const std::string& names, Enum* value,
                   const std::vector<std::pair<std::string, Enum>>& words,
                   const std::string& about) const {
    std::vector<std::pair<std::string, int>> numbers;
    for (const auto& [word, meant] : words) numbers.emplace_back(word, static_cast<int>(meant));
    return AddNumbered(
        names, numbers, static_cast<int>(*value),
        [value](int number) { *value = static_cast<Enum>(number); }, about);
  }

  // What the command does, once all words are understood.
  void Runs(const std::function<void()>& action) const;
  // The same, given all words behind the command as they are.
  void RunsWithRest(const std::function<void(std::vector<std::string>)>& action) const;

 private:
  Option AddNumbered(const std::string& names,
                     const std::vector<std::pair<std::string, int>>& numbers, int preset,
                     const std::function<void(int)>& take, const std::string& about) const;

  CLI::App* app_;
};

// All of the program's words.
class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& about);
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;
  ~CommandLine();

  CLI::App& app() { return *app_; }
  Command top() { return Command(app_.get()); }
  void TellVersion(const std::string& version);
  // Understands the words and runs the command that they name. The exit status: 0, or 2 where the
  // words were wrong, which is said on stderr. What the command throws is passed on.
  int Run(int argc, char** argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace tilewarden::services
