#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Every unit of profile-N and tick-N: those that are short fire, the longest do not, in whatever
# case they are spelt; what is no rate matches no probe.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
bad=0

for p in profile tick; do
	for n in 1000 1000hz 1000HZ 1000000ns 1000000nsec 1000us 1000usec 2ms 2msec 2Ms; do
		"$DTRACE" -qn "$p-$n { printf(\"%s\n\", probename); exit(0); }" >out.txt 2>err.txt
		status=$?
		[[ $status == 0 && $(head -n 1 out.txt) == "$p-$n" ]] ||
			{ echo "$p-$n: status $status"; cat out.txt err.txt; bad=1; }
	done
	for n in 1s 1sec 1m 1min 1h 1hour 1d 1day 1D; do
		"$DTRACE" -qn "$p-$n { exit(3); } tick-5ms { exit(0); }" >out.txt 2>err.txt ||
			{ echo "$p-$n: status $?"; cat err.txt; bad=1; }
	done
	for n in 0 5001 0ms 199us 1x 1hertz ms -1 1.5ms; do
		"$DTRACE" -qn "$p-$n { exit(0); }" >out.txt 2>err.txt && { echo "$p-$n was accepted"; bad=1; }
		grep -q "does not match any probes" err.txt || { echo "$p-$n:"; cat err.txt; bad=1; }
	done
done

# two rates at once: the shorter period fires more often, however busy the machine is
timeout 60 "$DTRACE" -q -n 'tick-1000 { a++; } tick-10ms { b++; } tick-10ms /b == 20/ { exit(0); }
	END { printf("%d %d\n", a, b); }' >out.txt 2>err.txt || { cat err.txt; bad=1; }
read -r a b <out.txt
[[ $b -ge 20 && $a -gt $b ]] || { echo "tick-1000: $a, tick-10ms: $b"; bad=1; }
exit $bad
