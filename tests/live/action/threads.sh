#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Eight threads on all CPUs: every record of each arrives, those of one thread in order.
# @ref d-language 5.3 order-on-a-cpu
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -b 16m -c "$BUILD/tests/live/triggers/values spread 8 2000" -n '
	syscall::getppid:entry /pid == $target/ { printf("%d %d\n", arg0, arg1); @ = count(); }' \
	>out.txt 2>err.txt || { cat err.txt; exit 1; }
cat err.txt
awk '
	NF == 1 { total = $1 }
	NF == 2 {
		if ($2 != next_of[$1]) {
			print "thread " $1 ": call " $2 ", expected " next_of[$1]
			bad = 1
		}
		next_of[$1] = $2 + 1
	}
	END {
		for (t = 0; t < 8; t++)
			if (next_of[t] != 2000) {
				print "thread " t ": " next_of[t] + 0 " records, expected 2000"
				bad = 1
			}
		if (total != 16000) {
			print "counted " total ", expected 16000"
			bad = 1
		}
		exit bad
	}' out.txt
