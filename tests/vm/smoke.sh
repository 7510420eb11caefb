#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One boot of a stock kernel that is already there: tests/vm/run carries a command's words, output, errors and
# status, nothing is written on this side, and dtrace traces on a kernel that isn't this one.
# @timeout 180
set -u
why=$("$SRCDIR/tests/vm/lacking") && { echo "skip: $why"; exit 77; }
for series in 6.1 6.12; do
	kernel=$("$SRCDIR/tests/vm/kernels" -n "$series" 2>/dev/null) && break
done
[[ -n $kernel ]] || { echo "skip: no stock kernel in build/vm; tests/vm/kernels downloads them"; exit 77; }

cat >inside <<'E2'
uname -r
printf '[%s]' "$@"
echo
echo errors >&2
touch written
"$DTRACE" -qn 'BEGIN { printf("on Linux\n"); exit(0); }'
"$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { @[execname, probefunc] = count(); }' \
	-c "$BUILD/tests/live/triggers/calls getppid 123" | tr -s ' '
exit 7
E2
status=0
"$SRCDIR/tests/vm/run" -t 150 "$kernel" -- env DTRACE="$DTRACE" BUILD="$BUILD" \
	bash ./inside a 'b  c' '' $'d\n"e' '$HOME *' >out 2>err || status=$?

failures=0
expect() { # WHAT GOT WANT
	[[ $2 == "$3" ]] && return
	failures=$((failures + 1))
	printf '%s: got\n%s\nexpected\n%s\n' "$1" "$2" "$3"
}
expect status $status 7
expect stderr "$(<err)" errors
expect release "$(sed -n 1p out | cut -d . -f 1,2)" "$series"
expect output "$(sed 1d out)" '[a][b  c][][d
"e][$HOME *]
on Linux


 calls getppid 123'
expect "written to" "$(ls)" $'err\ninside\nout'
[[ $failures == 0 ]] || cat err
exit $((failures != 0))
