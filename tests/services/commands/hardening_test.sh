#!/bin/sh
# How hard the program makes it for whoever finds a mistake in it.
#
#   tests/services/commands/hardening_test.sh PROGRAM
set -eu
program=$1
fail() {
  echo "hardening_test: $1" >&2
  exit 1
}
readelf -hW "$program" | grep -q 'Type: *DYN' || fail "it lies at a fixed address"
readelf -dW "$program" | grep -q 'BIND_NOW\|Flags:.*NOW' || fail "it binds late: no full RELRO"
readelf -lW "$program" | grep -q GNU_RELRO || fail "it has no RELRO"
readelf -lW "$program" | grep GNU_STACK | grep -q RWE && fail "its stack may hold code"
names=$(readelf --dyn-syms -W "$program" | grep -o '__stack_chk_fail\|__[a-z]*_chk@\|glibcxx_assert_fail' | sort -u)
for name in __stack_chk_fail _chk@ glibcxx_assert_fail; do
  echo "$names" | grep -q "$name" || fail "nothing of it calls $name"
done
echo "hardening_test: as hard as it should be"
