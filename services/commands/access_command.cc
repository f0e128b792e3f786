#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "services/access/certificate.h"
#include "services/access/pairing_text.h"
#include "services/access/rules.h"
#include "services/access/token_file.h"
#include "services/base/check_text.h"
#include "services/base/clock.h"
#include "services/base/folders.h"
#include "services/base/status.h"
#include "services/client/front.h"
#include "services/commands/network_options.h"
#include "services/commands/running.h"
#include "services/table/table.h"
#include "tilewarden/v1/access.grpc.pb.h"

namespace tilewarden::services {
namespace {

struct AccessCommand {
  std::filesystem::path data = DefaultDataFolder(), known_engines, authority;
  std::string role, table, device, id, page, engine, code, fingerprint;
  bool plain_text = false;
  int days = TokenFile::kTokenDays;

  std::unique_ptr<TokenFile> Open() const {
    return Check(TokenFile::Open(data / TokenFile::kFile));
  }
  Grant grant() const { return {RoleNamed(role), table}; }
};

void List(const AccessCommand& command) {
  const auto tokens = Check(command.Open()->List(NowMs()));
  if (tokens.empty()) {
    std::printf("No device has been let in yet; tilewarden access pair shows a code.\n");
    return;
  }
  std::printf("%-10s  %-8s  %-10s  %-10s  %-10s  %s\n", "id", "role", "since", "last seen", "until",
              "device");
  for (const Token& token : tokens) {
    std::printf("%-10s  %-8s  %-10s  %-10s  %-10s  %s%s\n", token.id.c_str(),
                NameOf(token.grant.role).c_str(), LocalDay(token.made_ms).c_str(),
                token.seen_ms == 0 ? "never" : LocalDay(token.seen_ms).c_str(),
                token.revoked ? "revoked" : LocalDay(token.expires_ms).c_str(),
                Printable(token.device).c_str(),
                token.grant.table.empty()
                    ? ""
                    : absl::StrCat(" (table ", Printable(token.grant.table), ")").c_str());
  }
}

void Make(const AccessCommand& command) {
  const std::string token =
      Check(command.Open()->Make(command.grant(), command.device, command.days, NowMs()));
  std::printf("%s\n", token.c_str());
  std::fprintf(stderr, "This token is shown once and kept nowhere: whoever has it is a %s.\n",
               command.role.c_str());
}

void Revoke(const AccessCommand& command) {
  Check(command.Open()->Revoke(command.id));
  std::printf("Token %s is revoked; its device is shut out within a second.\n", command.id.c_str());
}

void ShowCode(const AccessCommand& command) {
  const auto code = Check(command.Open()->MakeCode(command.grant(), NowMs()));
  Pairing pairing{.role = command.grant().role,
                  .code = code.text,
                  .expires_ms = code.expires_ms,
                  .page = command.page};
  if (absl::StartsWith(command.page, "https://")) {
    std::string at = command.page.substr(8);
    at = at.substr(0, at.find('/'));
    pairing.fingerprint = Check(FingerprintAt(absl::StrContains(at, ':') ? at : at + ":443"));
    if (command.page.back() != '/') pairing.page += '/';
  } else if (command.page.empty() && !command.plain_text) {
    pairing.fingerprint =
        Check(OwnCertificate(command.data / kOwnCertificate, NowMs())).fingerprint;
  }
  std::fputs(PairingText(pairing).c_str(), stdout);
}

// What is known of an engine service before anything is sent to it.
KnownEngine Recognise(const AccessCommand& command) {
  KnownEngine engine;
  engine.plain_text = command.plain_text;
  if (command.plain_text) return engine;
  if (!command.authority.empty()) {
    std::ifstream file(command.authority, std::ios::binary);
    engine.authority.assign(std::istreambuf_iterator<char>(file), {});
    if (FingerprintOf(engine.authority).empty()) {
      throw CommandError(command.authority.string() + " holds no certificate");
    }
    return engine;
  }
  engine.fingerprint = Check(FingerprintAt(command.engine));
  if (!command.fingerprint.empty()) {
    if (PlainFingerprint(command.fingerprint) == engine.fingerprint) return engine;
    throw CommandError(absl::StrCat(command.engine, " shows another certificate, ",
                                    engine.fingerprint,
                                    ": it is not the machine whose screen you read"));
  }
  if (isatty(STDIN_FILENO) != 1) {
    throw CommandError(
        "say which certificate is right: --fingerprint, as the engine's screen "
        "shows it, or --authority");
  }
  std::printf(
      "%s shows the certificate\n\n    %s\n\nDoes the engine's screen say the same? yes/no: ",
      command.engine.c_str(), engine.fingerprint.c_str());
  std::fflush(stdout);
  char answer[8] = "";
  if (std::fgets(answer, sizeof answer, stdin) == nullptr || std::string(answer) != "yes\n") {
    throw CommandError("nothing was sent or kept");
  }
  return engine;
}

void Join(const AccessCommand& command) {
  KnownEngine engine = Recognise(command);
  if (!command.code.empty()) {
    v1::PairRequest request;
    request.set_code(command.code);
    request.set_device(command.device);
    v1::PairResponse response;
    Check(
        CallFront(command.engine, engine, "/tilewarden.v1.AccessService/Pair", request, &response));
    engine.token = response.token();
    std::printf("%s lets this device in as %s.\n", command.engine.c_str(),
                NameOf(response.role()).c_str());
  }
  Check(KnownEngines(command.known_engines).Keep(command.engine, engine));
  std::printf("Kept in %s.\n", command.known_engines.c_str());
}

void AddRoleOptions(Command sub, AccessCommand* command) {
  sub.Add("--role", &command->role, "camera, display, referee or admin")
      .OneOf({"camera", "display", "referee", "admin"})
      .Required();
  sub.Add("--table", &command->table,
          "Cameras: the name of the games that it may report to; else all");
}

void AddDataOption(Command sub, AccessCommand* command) {
  sub.Add("--data", &command->data, "Folder that the games are kept in").ShowDefault();
}

}  // namespace

void AddAccessCommand(Command app) {
  auto command = std::make_shared<AccessCommand>();
  Command access = app.AddCommand(
      "access",
      "Who is let in from other machines: lists devices, makes and revokes their tokens. On the\n"
      "engine's own machine nobody needs one.\n"
      "Example: tilewarden access list\n"
      "         tilewarden access revoke 7K2M9QXW4D");
  access.NeedsCommand();
  Command list = access.AddCommand("list",
                                   "Lists the devices that were let in.\n"
                                   "Example: tilewarden access list");
  AddDataOption(list, command.get());
  list.Runs([command] { List(*command); });

  Command make = access.AddCommand(
      "make",
      "Makes a token and prints it, for programs that cannot enter a code.\n"
      "Example: tilewarden access make --role display --device \"Score board\" --days 30");
  AddRoleOptions(make, command.get());
  make.Add("--device", &command->device, "What people call it, for the list");
  make.Add("--days", &command->days, "How long it is good").ShowDefault();
  AddDataOption(make, command.get());
  make.Runs([command] { Make(*command); });

  Command pair = access.AddCommand(
      "pair",
      "Shows a code with which one device gets in, once, within ten minutes.\n"
      "Example: tilewarden access pair --role display --page https://192.168.1.5:8080/");
  AddRoleOptions(pair, command.get());
  pair.Add("--page", &command->page,
           "The page's address, as the gateway prints it: also shows a QR code");
  pair.AddFlag("--plain-text-on-network", &command->plain_text,
               "The services run without TLS: there is no certificate to compare");
  AddDataOption(pair, command.get());
  pair.Runs([command] { ShowCode(*command); });

  Command join = access.AddCommand(
      "join",
      "On another machine: gets this device in, and remembers the engine service for vision,\n"
      "gateway and export.\n"
      "Example: tilewarden access join 192.168.1.5:50551 --code K7QF-9M2X");
  join.Add("ADDRESS", &command->engine, "Where the engine service listens").Required();
  join.Add("--code", &command->code,
           "As the engine's screen shows it; without: only its certificate is kept");
  join.Add("--device", &command->device, "What people call this device, for the list");
  const Option pinned = join.Add("--fingerprint", &command->fingerprint,
                                 "Its certificate, as its screen shows it; else you are asked");
  const Option signed_by = join.Add("--authority", &command->authority,
                                    "PEM file of who signed its certificate, instead");
  join.AddFlag("--plain-text-on-network", &command->plain_text,
               "It runs without TLS: everybody in the network can read along")
      .Excludes(pinned)
      .Excludes(signed_by);
  pinned.Excludes(signed_by);
  AddKnownEnginesOption(join, &command->known_engines);
  join.Runs([command] { Join(*command); });

  Command revoke = access.AddCommand("revoke",
                                     "Revokes a device's token.\n"
                                     "Example: tilewarden access revoke 7K2M9QXW4D");
  revoke.Add("ID", &command->id, "As tilewarden access list shows it").Required();
  AddDataOption(revoke, command.get());
  revoke.Runs([command] { Revoke(*command); });
}

}  // namespace tilewarden::services
