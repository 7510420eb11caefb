#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Far more records than the buffer holds at once: each is printed once and in order, or counted
# as dropped.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -b 64k -x switchrate=1ms -c "$BUILD/tests/live/triggers/paced 100 200" -n '
	syscall::getppid:entry /pid == $target/ { printf("%d %s %s\n", arg0, "a record", execname); }' \
	>out.txt 2>err.txt || { cat err.txt; exit 1; }

dropped=$(sed -nE 's/^dtrace: ([0-9]+) drops? on CPU [0-9]+$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }')
awk -v dropped="$dropped" '
	NF == 0 { next }
	$2 " " $3 " " $4 != "a record paced" { print "torn: " $0; bad = 1 }
	n++ && $1 <= last { print "out of order: " $1 " after " last; bad = 1 }
	{ last = $1 }
	END {
		if (n + dropped != 20000) {
			print n " records and " dropped " drops, of 20000 calls"
			bad = 1
		}
		if (n < 2000) {
			print "only " n " records of 20000 arrived"
			bad = 1
		}
		exit bad
	}' out.txt
