#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Methods get their own code back when tracing ends, and when the tracer is killed. The agent's file has no name.
. "$SRCDIR/tests/live/java/java.inc"

# An agent has a thread until all methods are restored.
agents() { grep -lx "dtrace agent" /proc/"$vm"/task/*/comm 2>/dev/null | wc -l; }
none() { [ "$(agents)" = 0 ]; }
files() { ls -A /proc/"$vm"/root/tmp | grep "^\.dtrace-"; }
# stubs FIRINGS: how often the first method's stub is called in a round of 10
stubs() {
	"$DTRACE" -qn 'pid$target::dtrace_java_stubs:0 { @[probefunc] = count(); }
	tick-10ms /!said/ { said = 1; printf("traced\n"); }' -p "$vm" >stubs.out 2>&1 &
	local looking=$!
	until_true grep -q -e traced -e dtrace: stubs.out
	calls 10
	kill -TERM "$looking"
	wait "$looking"
	[ "$(awk '$1 == "dtrace_java_stubs" { print $2 }' stubs.out)" = "$1" ] || { cat stubs.out; die "not $1 calls"; }
}
start_vm java -cp .
before=$(files)
trace 'java$target:Calls:keep:entry { @[probefunc] = count(); }'
stubs 10
[ "$(agents)" = 1 ] || die "no agent"
calls 10
kill -9 "$tracer"
wait "$tracer" 2>/dev/null
until_true none
stubs ""
trace 'java$target:Calls:keep:entry { @[probefunc] = count(); }'
calls 10
finish
expect "keep 10"
none || die "an agent is left"
[ "$(files)" = "$before" ] || die "a file is left"
exit 0
