#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One speculation is enough when it is given back; without a free one, and without room, drops are counted.
# @ref d-language 17.2 recycled none-free specsize
# @ref d-errors 5 speculative speculation-unavailable
. "$SRCDIR/tests/live/buffers/lib.sh"

# one at a time
"$DTRACE" -q -n '
	tick-50ms { this->s = speculation(); }
	tick-50ms /this->s/ { speculate(this->s); printf("number %d\n", ++n); }
	tick-50ms /this->s/ { commit(this->s); }
	tick-50ms /n == 5/ { exit(0); }' >out.txt 2>err.txt || complain "status $?"
expect stdout "$(<out.txt)" "$(seq -f 'number %g' 5)"
expect stderr "$(<err.txt)" ""

# all taken
"$DTRACE" -q -x nspec=2 -n 'BEGIN { a = speculation(); b = speculation(); c = speculation(); d = speculation();
	printf("%d %d %d %d", a, b, c, d); exit(0); }' >out.txt 2>err.txt || complain "status $?"
expect stdout "$(<out.txt)" "1 2 0 0"
expect stderr "$(<err.txt)" "dtrace: 2 failed speculations (no speculative buffer available)"
"$DTRACE" -q -n 'BEGIN { a = speculation(); b = speculation(); exit(0); }' >out.txt 2>err.txt || complain "status $?"
expect stderr "$(<err.txt)" "dtrace: 1 failed speculation (no speculative buffer available)"

# more than fits
"$DTRACE" -q -x specsize=1k -c "$BUILD/tests/live/triggers/calls getppid 500" -n '
	BEGIN { s = speculation(); }
	syscall::getppid:entry /pid == $target/ { speculate(s); printf("%d %40s\n", n++, "text"); }
	END { commit(s); }' >out.txt 2>err.txt || complain "status $?"
dropped=$(sed -nE 's/^dtrace: ([0-9]+) speculative drops?$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }')
n=$(grep -c ' text$' out.txt)
expect "printed $n and dropped $dropped" $((n + dropped)) 500
[[ $n -gt 0 && $dropped -gt 0 ]] || complain "printed $n, dropped $dropped"
# drops that are reported more than once are added up
expect "other messages" "$(grep -vE '^dtrace: [0-9]+ speculative drops?( in all: .*)?$' err.txt)" ""
exit $bad
