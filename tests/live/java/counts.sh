#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# java$target counts exactly the calls that the program reports: overloads by their types, returns by exceptions, globs.
. "$SRCDIR/tests/live/java/java.inc"
start_vm java -cp .
calls 10
trace 'java$target:Cal*::entry { @[probemod, probefunc, probename] = count(); }
java$target:Calls:add?int?int?:entry { @one["by types"] = count(); }
java$target:Calls:add(int,int):entry, java$target:Calls:add(long, int):entry { @two[probefunc] = count(); }
java$target:Calls:[agkh]*:return { @r[probefunc, arg0] = count(); }'
calls 1000
finish
expect "Calls add(int,int) entry 1000"
expect "Calls add(long,int) entry 500"
for f in greet half grade keep; do expect "Calls $f entry 1000"; done
expect "by types 1000"
[ "$(grep -c 'add(int,int) *1000' dt.out)" = 1 ] || die "add(int,int) is no description"
[ "$(grep -c 'add(long,int) *500' dt.out)" = 1 ] || die "add(long, int) is no description"
for f in "add(int,int)" greet half keep; do expect "$f 0 1000"; done
thrown=$(sed -n 's/^round 2 .* thrown //p' vm.out)
expect "grade 1 $thrown"
expect "grade 0 $((1000 - thrown))"
complains && die "the VM complains"
[ "$(wc -l <vm.out)" = 3 ] || die "the VM prints more than the program"
exit 0
