#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# No call is lost of a class that is loaded while tracing, by a glob or a name, also if four threads wait for it; the VM
# waits for nobody when dtrace has ended. probefile and probeline are the source file and the line of the method.
main=Late
. "$SRCDIR/tests/live/java/java.inc"
# round NAME: the program's
round() { echo "$1" >&9; until_true grep -q "^done $1 " vm.out; }
start_vm java -cp .
trace 'java$target:Late?*:twice*:entry { @[probemod, probefunc, probefile, probeline] = count(); }
java$target:LateFirst:twice:return { @r[probefunc, arg0, arg1 % 2, probeline] = count(); }
java$target:LateThird:twice:entry /probefile == "Late.java" && probeline > 10/ { @p["in Late.java"] = count(); }'
for r in first second third; do round "$r"; done
finish
line() { awk -v class="class Late$1 " -v m="$2" 'index($0, class) { in_class = 1 }
	in_class && index($0, m) { print NR; exit }' "$SRCDIR/tests/live/java/Late.java"; }
n=$(line First "int twice(int n)")
expect "LateFirst twice Late.java $n 100"
expect "twice 0 0 $n 100"
expect "LateSecond twice(int) Late.java $(line Second "twice(int n)") 50"
expect "LateSecond twice(String) Late.java $(line Second "twice(String s)") 50"
expect "LateThird twice Late.java $(line Third "twice(int n)") 400"
expect "in Late.java 400"
grep -q 'before their probes' dt.out && die "counted as unplaced"
round fourth
"$DTRACE" -lvvn 'java$target:LateFourth:twice:entry' -p "$vm" >dt.out || die "not listed"
expect "$(printf '\t\tLate.java:%s' "$(line Fourth "int twice(int n)")")"
complains && die "the VM complains"
# a dtrace that does not answer costs a second, once
rm -f in
exec 9>&-
wait "$vm"
start_vm java -cp .
trace 'java$target:Late?*:twice*:entry { @ = count(); }'
kill -STOP "$tracer"
for r in first second third; do round "$r"; done
kill -CONT "$tracer"
finish
grep -q '1 process ran before its probes were placed\|1 process ran before their probes' dt.out || die "lost calls are not told of"
exit 0
