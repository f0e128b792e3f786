#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "services/commands/commands.h"
#include "services/rules_check.h"

namespace tilewarden::services {
namespace {

void CheckFiles(const std::vector<std::string>& files) {
  RulesReport report;
  for (const std::string& file : files) {
    if (absl::Status status = CheckRulesFile(file, &report); !status.ok()) {
      throw CommandError(std::string(status.message()));
    }
  }
  for (const std::string& difference : report.differences) std::printf("%s\n", difference.c_str());
  for (const std::string& line : report.explained) std::printf("note: %s\n", line.c_str());
  std::printf("%d files, %d cases, %d expectations, %zu differences, %zu notes\n", report.files,
              report.cases, report.expectations, report.differences.size(),
              report.explained.size());
  if (!report.differences.empty()) {
    throw CommandError("the engine and the files differ");
  }
}

}  // namespace

void AddRulesCommand(CLI::App& app) {
  CLI::App* rules = app.add_subcommand("rules", "Work with the rules.")->require_subcommand(1);
  CLI::App* check = rules->add_subcommand(
      "check",
      "Play worked examples and recorded games against the engine and print every difference.\n"
      "Example: tilewarden rules check scenarios.json games/base.jsonl");
  const auto files = std::make_shared<std::vector<std::string>>();
  check
      ->add_option(
          "FILE", *files,
          "Scenarios (.json), games (.jsonl, .jcz) or scores after each turn (.live.jsonl)")
      ->required();
  check->callback([files] { CheckFiles(*files); });
}

}  // namespace tilewarden::services
