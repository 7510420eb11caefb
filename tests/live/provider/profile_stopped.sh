#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Firings that are missing because the kernel has stopped a clock are counted, of profile and of cpc.  Here the limit for events
# between two timer ticks is so low that busy CPUs reach it; an idle CPU, which has no tick, reaches the normal one.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
DTRACE_VM=${DTRACE_VM:+1}
limit=/proc/sys/kernel/perf_event_max_sample_rate
before=$(<$limit)
trap 'echo "$before" >$limit' EXIT
echo 500 >$limit || exit 1
bad=0

"$BUILD/tests/live/triggers/busy" user 60000 &
busy=$!
for clock in profile-1000 cpc:::cpu_clock-all-1000000 cpc:::task_clock-all-1000000; do
	"$DTRACE" -q -x cpu=0 -x statusrate=400ms -x droptags -n "BEGIN { t = timestamp; } $clock { n++; }
		tick-1s { printf(\"%d %d\\n\", n, (timestamp - t) / 1000000); exit(0); }" >out.txt 2>err.txt
	read -r n ms <out.txt
	missed=$(sed -n 's/^dtrace: \[DTRACEDROP_STOPPED\] \([0-9]*\) missed firings of clocks that the kernel had stopped$/\1/p' err.txt |
		awk '{ n += $1 } END { print n + 0 }')
	echo "$clock: $n fired, $missed missed in $ms ms"
	# what neither fired nor is counted came late: the CPU of a busy host did not run, of an emulator's most of all
	[[ $missed -gt 0 && $((n + missed)) -le $((ms + ms / 20 + 5)) && $((n + missed)) -ge $((ms * 2 / (DTRACE_VM ? 6 : 3))) ]] || bad=1
done

# Other software events come one at a time: the limit does not stop them.
"$DTRACE" -q -x droptags -n 'cpc:::page_faults-all-1 /threadname == "faulter"/ { n++; } END { printf("%d\n", n); }' \
	-c "$BUILD/tests/live/triggers/vm minor 256" >out.txt 2>err.txt
n=$(grep -x '[0-9][0-9]*' out.txt)
[[ $n -ge 256 && $n -le 300 && ! -s err.txt ]] || { echo "$n of 256 page faults: $(cat err.txt)"; bad=1; }
kill "$busy"
exit $bad
