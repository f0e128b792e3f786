#!/bin/sh
# Whether the program works with the system calls that its units leave it: all others fail as they
# do there. Emulated with strace, because no systemd runs where this is tested.
#
#   tests/services/commands/filter_test.sh PROGRAM UNIT
set -eu
program=$1
unit=$2
fail() {
  echo "filter_test: $1" >&2
  exit 1
}
for tool in strace systemd-analyze curl; do
  command -v $tool >/dev/null || fail "$tool is missing: scripts/install-packages test installs it"
done
work=$(mktemp -d)
up=
end() {
  [ -z "$up" ] || kill "$up" 2>/dev/null || true
  wait
  rm -rf "$work"
}
trap end EXIT

# The calls of a set, and of those within it.
calls() {
  systemd-analyze syscall-filter "$1" | sed '1d; s/#.*//; s/ //g' | while read -r name; do
    case $name in
    '') ;;
    @*) calls "$name" ;;
    *) echo "$name" ;;
    esac
  done
}
for set in $(sed -n 's/^SystemCallFilter=\([^~].*\)/\1/p' "$unit"); do calls "$set"; done | sort -u >"$work/with"
for set in $(sed -n 's/^SystemCallFilter=~\(.*\)/\1/p' "$unit"); do calls "$set"; done | sort -u >"$work/without"
allowed=$(comm -23 "$work/with" "$work/without" | sed 's/^/?/' | paste -sd,)
[ -n "$allowed" ] || fail "$unit has no filter"

strace -f -qq -o "$work/refused" -e trace="!$allowed" -e inject="!$allowed:error=EPERM" \
  "$program" up --listen 127.0.0.1:0 --page-listen 127.0.0.1:0 --data "$work/data" >"$work/said" 2>"$work/errors" &
up=$!
tries=0
while ! grep -q '^page on' "$work/said"; do
  kill -0 "$up" 2>/dev/null || fail "it does not start: $(cat "$work/errors" "$work/refused")"
  tries=$((tries + 1))
  [ "$tries" -lt 600 ] || fail "it does not start in a minute"
  sleep 0.1
done
page=$(sed -n 's/^page on //p' "$work/said")
printf '\0\0\0\0\0' | curl -sS -m 20 --data-binary @- -H 'Content-Type: application/grpc-web+proto' \
  "${page}tilewarden.v1.GameService/ListGames" | grep -aq 'grpc-status: 0' || fail "it does not answer"
kill -TERM "$(pgrep -P "$up" | head -1)" 2>/dev/null || kill "$up"
wait "$up" || fail "it does not end well: $(cat "$work/errors")"
up=
echo "filter_test: starts, answers and ends; refused: $(sed 's/^[0-9]* *\([a-z0-9_]*\).*/\1/' "$work/refused" | sort | uniq -c | tr -s '\n ' ' ')"
