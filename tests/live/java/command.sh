#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With -c the VM is not there at the start: it is attached to when it can be, and no call of a class that comes after
# that is lost.
main=Late
. "$SRCDIR/tests/live/java/java.inc"
mkfifo in
"$DTRACE" -q -n 'BEGIN { printf("target %d\n", $target); }
java$target:LateFirst:twice:entry { @[probefunc, probeline > 0] = count(); }
java$target:LateFourth:twice:entry { printf("traced\n"); }
java$target:LateNone:twice:entry { @n = count(); }' -c 'java -cp . Late' <in >dt.out 2>dt.err &
tracer=$!
exec 9>in
until_true grep -q ready dt.out
is_traced() { echo fourth >&9; grep -q traced dt.out; }
until_true is_traced
echo first >&9
until_true grep -q '^done first' dt.out
exec 9>&-
wait "$tracer" || die "dtrace fails"
tracer=
expect "twice 1 100"
grep -q 'LateNone:twice:entry did not match any probes' dt.err || die "no message about a class that never came"
[ "$("$DTRACE" -q -n 'java$target:Late::entry { @ = count(); }' -c true 2>&1 | grep -c 'did not match')" = 1 ] ||
	die "not told that true is no Java VM"
exit 0
