#include "services/access/rules.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"

namespace tilewarden::services {
namespace {

constexpr std::string_view kPackage = "tilewarden.v1.";

constexpr Callers kAnyone = Callers::Anyone();
constexpr Callers kAll =
    Callers::Only(v1::ROLE_CAMERA, v1::ROLE_DISPLAY, v1::ROLE_REFEREE, v1::ROLE_ADMIN);
constexpr Callers kReaders = Callers::Only(v1::ROLE_DISPLAY, v1::ROLE_REFEREE, v1::ROLE_ADMIN);
constexpr Callers kReferees = Callers::Only(v1::ROLE_REFEREE, v1::ROLE_ADMIN);
constexpr Callers kCameras = Callers::Only(v1::ROLE_CAMERA, v1::ROLE_ADMIN);
constexpr Callers kAdmins = Callers::Only(v1::ROLE_ADMIN);

constexpr std::array<std::pair<std::string_view, Callers>, 54> kRules = {{
    {"AccessService.Pair", kAnyone},
    {"AccessService.GetAccess", kAll},
    {"AccessService.CreatePairingCode", kAdmins},
    {"AccessService.ListDevices", kAdmins},
    {"AccessService.RevokeDevice", kAdmins},
    {"AccessService.Leave", kAll},
    {"AccessService.OpenHouse", kAdmins},

    {"SightingService.JoinGame", kCameras},
    {"SightingService.ReportSightings", kCameras},

    {"GameService.ListGames", kReaders},
    {"GameService.GetGame", kReaders},
    {"GameService.WatchGame", kReaders},
    {"GameService.WatchSummary", kReaders},
    {"GameService.GetTileSet", kReaders},
    // The tablet at a table often only watches, and its players must be able to call.
    {"GameService.CallReferee", kReaders},
    {"GameService.AnswerCall", kReferees},
    {"GameService.LimitThinking", kReferees},
    {"GameService.CreateGame", kReferees},
    {"GameService.PlayTurn", kReferees},
    {"GameService.CorrectTurn", kReferees},
    {"GameService.UndoTurn", kReferees},
    {"GameService.ChangePoints", kReferees},
    {"GameService.AnswerQuestion", kReferees},
    {"GameService.EndGame", kReferees},
    {"GameService.LabelGame", kReferees},
    // Nothing brings a game back.
    {"GameService.DeleteGame", kAdmins},

    // What readers see of each game, added up.
    {"PlayerService.ListPlayers", kReaders},
    {"PlayerService.ExportPlayer", kReaders},
    {"PlayerService.DeletePlayer", kAdmins},

    {"QueryService.DescribeFeature", kReaders},
    {"QueryService.ListTurns", kReaders},
    {"QueryService.ListChoices", kReaders},
    {"QueryService.PreviewChange", kReaders},
    {"QueryService.ExportGame", kReaders},
    {"QueryService.GetCameraView", kReaders},
    {"QueryService.GetFindingEvidence", kReaders},
    // What somebody did wrong, long after the others have forgotten it.
    {"QueryService.ListClips", kReferees},
    {"QueryService.ListTileSets", kReaders},

    // Tiles are shared by all tables.
    {"TileService.ListTileDefinitions", kReaders},
    {"TileService.CheckTile", kReaders},
    {"TileService.SaveTile", kAdmins},
    {"TileService.RemoveTile", kAdmins},

    // Answered by vision services, which ask the engine service who calls.
    {"EnrolmentService.GetEnrolment", kReaders},
    {"EnrolmentService.TakeLook", kReferees},
    {"EnrolmentService.DropLook", kReferees},
    {"EnrolmentService.NameTile", kReferees},
    {"EnrolmentService.KeepBox", kReferees},

    {"CalibrationService.GetCalibrationBoard", kReaders},
    {"CalibrationService.CalibrateCamera", kReferees},

    {"CameraService.ListCameras", kReferees},
    {"CameraService.ChooseCamera", kAdmins},
    {"CameraService.GetTableView", kReaders},
    {"CameraService.SendPicture", kCameras},

    // Answered by vision services, which are asked on their own machine only.
    {"VisionService.GetVisionStatus", kAdmins},
}};

}  // namespace

std::optional<Callers> CallersOf(std::string_view method) {
  if (!absl::StartsWith({method.data(), method.size()}, {kPackage.data(), kPackage.size()})) {
    return std::nullopt;
  }
  method.remove_prefix(kPackage.size());
  const auto rule = std::find_if(kRules.begin(), kRules.end(),
                                 [&](const auto& entry) { return entry.first == method; });
  if (rule == kRules.end()) return std::nullopt;
  return rule->second;
}

std::string NameOf(v1::Role role) {
  // ROLE_CAMERA gives camera.
  return absl::AsciiStrToLower(v1::Role_Name(role).substr(5));
}

v1::Role RoleNamed(std::string_view name) {
  for (const v1::Role role :
       {v1::ROLE_CAMERA, v1::ROLE_DISPLAY, v1::ROLE_REFEREE, v1::ROLE_ADMIN}) {
    if (name == NameOf(role)) return role;
  }
  return v1::ROLE_UNSPECIFIED;
}

}  // namespace tilewarden::services
