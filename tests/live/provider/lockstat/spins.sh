#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# lockstat's spin probes, where threads on two CPUs want the same lock: they fire, for no longer than the program took.
# @ref providers 12 adaptive-spin spin-spin rw-spin
. "${0%/*}/../lib.sh"
[[ $(nproc) -ge 2 ]] || { echo "one CPU"; exit 77; }

seen=0
for what in "adaptive adaptive-spin" "spin spin-spin" "rwspin rw-spin"; do
	read -r how probe <<<"$what"
	listed "lockstat:::$probe" || { echo "$(<listed.txt)"; continue; }
	from=${EPOCHREALTIME/./}
	observe locks $how 400 2 <<-EOD
	long n, t;
	lockstat:::$probe /pid == \$target && threadname == "waiter"/ { n++; t += arg1; }
	END { printf("%d %d\n", n, t); }
	EOD
	took=$((${EPOCHREALTIME/./} - from))
	read -r n sum <events.txt
	if [[ $n == 0 ]]; then
		# a hypervisor that runs one CPU after the other leaves nobody to wait for
		echo "$probe: no wait"
		continue
	fi
	seen=$((seen + 1))
	# two threads, each for no longer than all of it took
	[[ $sum -gt 0 && $sum -le $((took * 2000)) ]] || complain "$probe: $n times, $sum ns of $took us"
done
[[ $bad != 0 || $seen != 0 ]] || { echo "no lock was contended"; exit 77; }
exit $bad
