#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A buffer too small for a burst: records printed and drops add up to the calls made.
# @ref d-errors 5 principal
# @ref output 13 principal plural never-quiet
# @ref options 3 bufsize; options 5.1 no-room-drops drop-counted
. "$SRCDIR/tests/live/buffers/lib.sh"

# a firing writes more than the buffer holds: no consumer is fast enough to prevent a drop
same='syscall::getppid:entry'
for _ in {1..4}; do same="$same, $same"; done
predicate='/pid == $target/'
text=$(printf '%0200d' 0)

run_trigger 'calls getppid 500' -b 4k -n "$same $predicate { printf(\"%s %s\n\", \"$text\", execname); }
	syscall::getppid:entry $predicate { @ = count(); }"
drops '([0-9]+) drops? on CPU [0-9]+'
n=$(grep -c "^$text" out.txt)
expect "records $n and drops $dropped" $((n + dropped)) 8000
[[ $n -gt 0 && $dropped -gt 0 ]] || complain "records $n, drops $dropped"
expect "the clause after those that dropped" "$(awk 'NF == 1 && /^ / { print $1 }' out.txt)" 500

# from both CPUs, each with its own message
run_trigger 'values spread 2 3000' -x bufsize=4k -n 'syscall::getppid:entry /pid == $target/ {
	printf("%d\n", arg0); }'
drops '([0-9]+) drops? on CPU [0-9]+'
n=$(grep -c '^[01]$' out.txt)
expect "of two CPUs, records $n and drops $dropped" $((n + dropped)) 6000

# a fault's message needs room too; ERROR fires all the same
run_trigger 'calls getppid 5000' -b 4k -n 'syscall::getppid:entry /pid == $target/ { x = *(int *)8; }
	ERROR { @ = count(); }'
expect "faults" "$(awk 'NF == 1 { print $1 }' out.txt)" 5000
n=$(grep -c 'error in dt_clause_0 .*: invalid address (0x8) in action #1 at line 1$' err.txt)
grep -v 'error in dt_clause_0' err.txt >drops.txt
mv drops.txt err.txt
drops '([0-9]+) drops? on CPU [0-9]+'
expect "messages $n and drops $dropped" $((n + dropped)) 5000
exit $bad
