#!/bin/sh
# How much the units leave open to whoever gets into a service.
#
#   tests/services/commands/units_test.sh FOLDER_OF_UNITS
set -eu
fail() {
  echo "units_test: $1" >&2
  exit 1
}
command -v systemd-analyze >/dev/null || fail "systemd-analyze is missing: scripts/install-packages test installs it"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for unit in "$1"/*.service; do
  # A program that is there stands for ours.
  sed 's|/usr/bin/tilewarden|/bin/true|' "$unit" >"$work/$(basename "$unit")"
  systemd-analyze verify --man=no "$work/$(basename "$unit")" >"$work/said" 2>&1 || fail "$unit: $(cat "$work/said")"
  [ ! -s "$work/said" ] || fail "$unit: $(cat "$work/said")"
  level=$(systemd-analyze security --offline=yes --no-pager "$unit" 2>/dev/null |
    sed -n 's/.*exposure level.*: \([0-9.]*\).*/\1/p')
  [ -n "$level" ] || fail "$unit cannot be judged"
  [ "$(printf '%s\n3.0\n' "$level" | sort -n | tail -1)" = 3.0 ] || fail "$unit leaves too much open: $level"
  # Without it this machine's own addresses are not found, and nobody is told the right one.
  grep -q '^RestrictAddressFamilies=.*AF_NETLINK' "$unit" || fail "$unit cannot find this machine's addresses"
  grep -q '^WatchdogSec=' "$unit" || fail "$unit is not watched"
  # Within it every account is nobody's, so that people of this machine are not told from a proxy.
  ! grep -q '^PrivateUsers=yes' "$unit" || fail "$unit cannot see whose a connection is"
  echo "units_test: $(basename "$unit") $level"
done
