#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# temporal: by time over all CPUs, or one CPU after another; BEGIN first and END last with both; what a speculation
# on one CPU holds can be committed on another.
# @ref options 6 merged monotonic-across-passes begin-first-end-last off-per-cpu
# @ref options 3 temporal
# @ref options 5.1 others-always-switch
# @ref cli 5.2 begin-first end-last
# @ref output 12 order when-committed
. "$SRCDIR/tests/live/buffers/lib.sh"
[[ $(nproc) -ge 2 ]] || { echo "needs two CPUs"; exit 77; }

# two calls on one CPU, two on the other, two on the first
turns() { # FIRST OTHER
	printf '#!/bin/sh\n'
	for cpu in "$1" "$2" "$1"; do
		echo "taskset -c $cpu $triggers/calls getppid 2"
	done
}
turns 0 1 >zero
turns 1 0 >one
chmod +x zero one

mine='execname == "calls" && progenyof($target)'
for policy in switch fill ring; do
	for first in zero one; do
		for own in 0 1; do
			for temporal in yes no; do
				what="$policy, temporal=$temporal, dtrace on $own, calls on $first"
				status=0
				# nothing is read before the target has died
				timeout -k 5 $((20 * ${TIMEOUT_SCALE:-1})) taskset -c $own "$DTRACE" -q -x temporal=$temporal -x bufpolicy=$policy \
					-x switchrate=10s -n 'int n; BEGIN { printf("B%d ", cpu); }
					syscall::getppid:entry /'"$mine"'/ { printf("%d.%d ", cpu, n++); } END { printf("E%d ", cpu); }' \
					-c ./$first >out.txt 2>err.txt </dev/null || status=$?
				case $temporal-$first in
				yes-zero) want="0.0 0.1 1.2 1.3 0.4 0.5" ;;
				yes-one) want="1.0 1.1 0.2 0.3 1.4 1.5" ;;
				no-zero) want="0.0 0.1 0.4 0.5 1.2 1.3" ;;
				no-one) want="0.2 0.3 1.0 1.1 1.4 1.5" ;;
				esac
				expect "$what" "$(<out.txt)" "B$own $want E$own "
				quiet "$what"
			done
		done
		for temporal in yes no; do
			what="$policy, temporal=$temporal, speculation begun on $first"
			run -x temporal=$temporal -x bufpolicy=$policy -x switchrate=10s -n 'int n, s; BEGIN { s = speculation(); }
				syscall::getppid:entry /'"$mine"'/ { n++; }
				syscall::getppid:entry /'"$mine"' && n < 3/ { speculate(s); printf("%d ", n); }
				syscall::getppid:entry /'"$mine"' && n == 4/ { commit(s); }' -c ./$first
			expect "$what" "$(<out.txt)" "1 2 "
			quiet "$what"
		done
	done
done
exit $bad
