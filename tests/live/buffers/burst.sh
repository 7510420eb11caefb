#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A million records in a burst from both CPUs.  With room for all of them none is lost; without, as
# many were dropped as are missing.  No line is torn, and each CPU's are in their order.
# @timeout 60
# @ref options 5.1 no-room-drops drop-counted
# @ref output 13 principal
. "$SRCDIR/tests/live/buffers/lib.sh"

run_trigger "$burst" -b 64m -n "$program"
expect "messages" "$(<err.txt)" ""
check_lines
expect "of thread 0" "${lines[0]} from ${first[0]} to ${last[0]}" "$half from 0 to $((half - 1))"
expect "of thread 1" "${lines[1]} from ${first[1]} to ${last[1]}" "$half from 0 to $((half - 1))"
expect "gaps" "$gaps" 0

run_trigger "$burst" -b 64k -n "$program"
drops '([0-9]+) drops? on CPU [0-9]+'
check_lines
n=$((lines[0] + lines[1]))
expect "records $n and drops $dropped" $((n + dropped)) $((2 * half))
[[ ${lines[0]} -gt 0 && ${lines[1]} -gt 0 ]] || complain "records ${lines[0]} and ${lines[1]}"
# those of one CPU are reported as that CPU's
for t in 0 1; do
	of_cpu=$(sed -nE "s/^dtrace: ([0-9]+) drops? on CPU $t\$/\\1/p" err.txt | awk '{ n += $1 } END { print n + 0 }')
	[[ $(getconf _NPROCESSORS_ONLN) == 1 ]] ||
		expect "of CPU $t, records ${lines[t]} and drops $of_cpu" $((lines[t] + of_cpu)) "$half"
done

# one CPU's after the other's: what is delivered at a time, here all of it at the end
run_trigger "$burst" -b 64m -x temporal=no -x switchrate=1m -n "$program"
expect "without temporal, messages" "$(<err.txt)" ""
check_lines
expect "without temporal, records" "${lines[0]} ${lines[1]}" "$half $half"
expect "without temporal, gaps" "$gaps" 0
exit $bad
