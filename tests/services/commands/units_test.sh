#!/bin/sh
# How much the units leave open to whoever gets into a service.
#
#   tests/services/commands/units_test.sh FOLDER_OF_UNITS
set -eu
fail() {
  echo "units_test: $1" >&2
  exit 1
}
command -v systemd-analyze >/dev/null || {
  echo "units_test: no systemd-analyze, so nothing is judged"
  exit 0
}
for unit in "$1"/*.service; do
  level=$(systemd-analyze security --offline=yes --no-pager "$unit" 2>/dev/null |
    sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
  [ -n "$level" ] || fail "$unit cannot be judged"
  [ "$(printf '%s\n3.0\n' "$level" | sort -n | tail -1)" = 3.0 ] || fail "$unit leaves too much open: $level"
  # Without it this machine's own addresses are not found, and nobody is told the right one.
  grep -q '^RestrictAddressFamilies=.*AF_NETLINK' "$unit" || fail "$unit cannot find this machine's addresses"
  echo "units_test: $(basename "$unit") $level"
done
