#!/bin/sh
# Makes the Debian package, installs it into a root of its own, runs what was
# installed, and removes it again without a trace.
#
#   tests/services/commands/package_test.sh BUILD_FOLDER
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
  echo "package_test: $1" >&2
  exit 1
}

(cd "$build" && cpack -G DEB -B "$work/made" >"$work/cpack.log" 2>&1) || {
  cat "$work/cpack.log"
  fail "cpack failed"
}
package=$(ls "$work"/made/*.deb)
dpkg-deb --field "$package" Depends | grep -q "libgrpc.*libmosquitto\|libmosquitto.*libgrpc" ||
  fail "the package names no libraries"

root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
: >"$root/var/lib/dpkg/status"
# Its libraries are this machine's, not that root's.
dpkg_there() {
  dpkg --root="$root" --force-script-chrootless --force-depends --log=/dev/null "$@" >"$work/dpkg.log" 2>&1 || {
    cat "$work/dpkg.log"
    fail "dpkg $1 failed"
  }
}
dpkg_there --install "$package"
program=$root/usr/bin/tilewarden
[ -f "$root/usr/share/tilewarden/tilesets/base.toml" ] || fail "the tile sets are not there"
for unit in tilewarden tilewarden-engine tilewarden-gateway tilewarden-vision; do
  [ -f "$root/lib/systemd/system/$unit.service" ] || [ -f "$root/usr/lib/systemd/system/$unit.service" ] ||
    fail "no unit $unit"
done
entry=$root/usr/share/applications/tilewarden.desktop
[ -f "$entry" ] && [ -f "$root/usr/share/icons/hicolor/scalable/apps/tilewarden.svg" ] || fail "no desktop entry"
[ -x "$root/usr/bin/$(sed -n 's/^Exec=//p' "$entry")" ] || fail "the desktop entry starts nothing"
TILEWARDEN_CONFIG=$root/etc/tilewarden/tilewarden.toml "$program" config >"$work/config" || fail "config failed"
grep -q '^\[up\]' "$work/config" || fail "the settings are not told"

"$program" engine --listen 127.0.0.1:0 --data "$work/data" >"$work/engine.log" 2>&1 &
engine=$!
for _ in $(seq 100); do
  grep -q '^engine service on' "$work/engine.log" && break
  sleep 0.1
done
grep -q '^engine service on' "$work/engine.log" || fail "the engine service did not start: $(cat "$work/engine.log")"
kill "$engine"
wait "$engine" || fail "the engine service did not stop cleanly"

dpkg_there --purge tilewarden
left=$(find "$root" -type f ! -path "$root/var/lib/dpkg/*")
[ -z "$left" ] || fail "left behind: $left"
echo "package_test: $(basename "$package") installs, runs and is removed"
