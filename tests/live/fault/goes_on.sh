#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Faults by the thousand, from eight threads: one message and one ERROR each, none stops the tracer.
# @ref d-language 22 goes-on one-line
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -q -b 16m -c "$BUILD/tests/live/triggers/values spread 8 1000" -n '
	syscall::getppid:entry /pid == $target/ { @before = count(); x = 1 / (int)(arg1 & 1); @good = count(); }
	syscall::getppid:return /pid == $target/ { @returns = count(); }
	ERROR { @errors = count(); }
	END { printa("%@d ", @before); printa("%@d ", @good); printa("%@d ", @errors); printa("%@d\n", @returns); }' \
	>out.txt 2>err.txt || { tail err.txt; exit 1; }
bad=0
[[ $(head -n 1 out.txt) == "8000 4000 4000 8000" ]] || { echo "before good errors returns: $(<out.txt)"; bad=1; }
n=$(grep -cE '^dtrace: error in dt_clause_0 for probe ID [0-9]+ \(syscall:vmlinux:getppid:entry\): divide-by-zero in action #2 at line 2$' err.txt)
[[ $n == 4000 ]] || { echo "$n messages of 4000"; sort err.txt | uniq -c | head; bad=1; }
exit $bad
