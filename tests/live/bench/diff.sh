#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bench/diff measures two versions in turns and says which rows got slower. Here the other version is the same dtrace, and
# the present one waits a second before it starts: no machine is so busy that this is not seen.
# @vm no: measures, which makes no sense there
# @timeout 120
# @alone
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
fail() { echo "$1"; cat out err; exit 1; }

mkdir -p base/build
ln -s "$(realpath "$DTRACE")" base/build/dtrace
printf '#!/bin/sh\nsleep 1\nexec %s "$@"\n' "$(realpath "$DTRACE")" >slow
chmod +x slow
status=0
DTRACE=$PWD/slow ROUNDS=2 "$SRCDIR/bench/diff" base start >out 2>err || status=$?
[[ $status == 1 ]] || fail "status $status, not 1"
grep -qE '^start: time, ms .*  slower$' out || fail 'not slower'
grep -qx 'bench-diff: again: start' err || fail 'not measured again'
[[ $(grep -c '^bench-diff: round . of 2$' err) == 4 ]] || fail 'not two series of two rounds'

# rows that are not measured fail
status=0
DTRACE=/bin/false ROUNDS=1 "$SRCDIR/bench/diff" base start >out 2>err || status=$?
[[ $status == 1 ]] && grep -qE '^start: time, ms .*  missing$' out || fail 'no row is missing'
grep -q '^now: bench: start: status 1 from:' err || fail 'no reason'
status=0
"$SRCDIR/bench/diff" no-such-commit start >out 2>err || status=$?
[[ $status == 2 ]] && grep -qx 'bench-diff: no commit or folder no-such-commit' err || fail "status $status"
