#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where records come one after the other, those of tracesys() take the room that they need, and the reader sleeps in between.
# @timeout 60
# @ref options 5.1 no-room-drops
set -u
calls=$BUILD/tests/live/triggers/calls
complain() { echo "$1"; bad=1; }
bad=0

# 400 of them are 60 KB; with the room of the longest each would take 1.1 KB
"$DTRACE" -q -b 64k -x switchrate=1s -n 'syscall::getppid:return /pid == $target/ { tracesys(); printf("\n"); }' \
	-c "$calls getppid 400" >out.txt 2>err.txt || complain "status $?"
[[ ! -s err.txt ]] || complain "$(<err.txt)"
n=$(grep -cE '^getppid\(\) {30} = [0-9]+$' out.txt)
[[ $n == 400 ]] || complain "$n lines of 400"

# on one CPU the reader would be woken for every few dozen
cat >switches.py <<'END'
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=open("out.txt", "w"), check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_nvcsw)
END
n=$(taskset -c 0 python3 switches.py "$DTRACE" -q -b 16m -n 'syscall::getppid:return /pid == $target/ { trace(pid); }' \
	-c "$calls getppid 300000") || bad=1
[[ $n -lt 3000 ]] || complain "$n times off the CPU for 300,000 records"
exit $bad
