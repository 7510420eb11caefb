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
	observe locks $how 400 2 <<-EOD
	long n, t, longest;
	lockstat:::$probe /pid == \$target && execname == "waiter"/ { n++; t += arg1; longest = arg1 > longest ? arg1 : longest; }
	END { printf("%d %d %d\n", n, t, longest); }
	EOD
	read -r n sum longest <events.txt
	if [[ $n == 0 ]]; then
		# a hypervisor that runs one CPU after the other leaves nobody to wait for
		echo "$probe: no wait"
		continue
	fi
	seen=$((seen + 1))
	# two CPUs for 0.4 s, and what the start takes
	[[ $sum -gt 0 && $sum -le 2000000000 && $longest -le 1000000000 ]] || complain "$probe: $n times, $sum ns, at most $longest"
done
[[ $bad != 0 || $seen != 0 ]] || { echo "no lock was contended"; exit 77; }
exit $bad
