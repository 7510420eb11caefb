#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stop(): the process stands still until it is told to go on.
# @ref d-builtins 4 stop
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

"$DTRACE" -wq -x switchrate=10ms -n '
	syscall::getppid:entry /pid == $target && !n++/ { printf("%d\n", pid); stop(); }
	syscall::exit_group:entry /pid == $target/ { printf("went on\n"); }' \
	-c "$BUILD/tests/live/triggers/calls getppid 1" >out.txt 2>err.txt &
for _ in {1..100}; do
	read -r pid <out.txt
	[[ -n $pid && $(awk '{ print $3 }' "/proc/$pid/stat") == T ]] && break
	sleep 0.1
done 2>/dev/null
[[ -n $pid ]] || { echo "no probe fired"; kill $!; exit 1; }
state=$(awk '{ print $3 }' "/proc/$pid/stat")
grep -q 'went on' out.txt && { echo "it was not stopped"; bad=1; }
kill -CONT "$pid"
wait $! || { echo "status $?"; bad=1; }
[[ $state == T ]] || { echo "its state was $state"; bad=1; }
grep -q '^went on$' out.txt || { echo "it did not go on"; bad=1; }
[[ ! -s err.txt ]] || { cat err.txt; bad=1; }
exit ${bad:-0}
