// What people may say of a game besides play, each as Table::Remark takes it.
//
// Pure; each keeps its own copy of what it is made from.
#pragma once

#include <string>

#include "services/table/table.h"
#include "tilewarden/v1/game.pb.h"
#include "tilewarden/v1/log.pb.h"

namespace tilewarden::services {

// The record is one of these: nothing of play.
bool IsRemark(const v1::LogRecord& record);

// Names it anew, or puts it away.
Table::Remarking LabelRemark(const v1::LabelGameRequest& label);
// The players call, or take the call back. Errors as the CallReferee RPC.
Table::Remarking CallRemark(bool withdrawn);
// A referee whose device has this name, which may be empty. Errors as the AnswerCall RPC.
Table::Remarking AnswerRemark(v1::RefereeStep step, const std::string& referee);
// Errors as the LimitThinking RPC.
Table::Remarking ThinkingRemark(std::uint32_t limit_s);

}  // namespace tilewarden::services
