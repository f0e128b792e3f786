// Words that the notation is read and written by. Internal to notation.
#pragma once

#include <string>
#include <string_view>

#include "engine/game/figure_kind.h"

namespace tilewarden::engine {

inline constexpr std::string_view kFirstLine = "tilewarden 1";

// A colour as one word: everything but letters, digits and a few marks as %XX.
std::string Escaped(std::string_view text);
// A figure as one word: "large_follower".
std::string FigureWord(FigureKind kind);
// Whether a character stands for itself in such a word.
bool Plain(char c);

}  // namespace tilewarden::engine
