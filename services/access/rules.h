// Who may call which method. This is the one place that says so. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tilewarden/v1/access.pb.h"

namespace tilewarden::services {

// Those who may call a method.
class Callers {
 public:
  static constexpr Callers Anyone() { return Callers(~0u); }
  template <typename... Roles>
  static constexpr Callers Only(Roles... roles) {
    return Callers((0u | ... | (1u << roles)));
  }

  constexpr bool anyone() const { return roles_ == ~0u; }
  constexpr bool Include(v1::Role role) const { return (roles_ >> role & 1u) != 0; }

 private:
  explicit constexpr Callers(unsigned roles) : roles_(roles) {}
  unsigned roles_;
};

// The rule of a method, "tilewarden.v1.GameService.PlayTurn"; nothing for one
// without a rule, which then nobody from elsewhere may call.
std::optional<Callers> CallersOf(std::string_view method);

// "camera", "display", "referee", "admin".
std::string NameOf(v1::Role role);
// ROLE_UNSPECIFIED for another word.
v1::Role RoleNamed(std::string_view name);

}  // namespace tilewarden::services
