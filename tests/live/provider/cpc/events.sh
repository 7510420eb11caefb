#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cpc: the kernel's software events that a program can cause, each at the rate that its name asks for.
# @ref providers 13
. "${0%/*}/../lib.sh"

expect() { # EVENT COUNT NAME LEAST MOST TRIGGER...: fired so often for processes called NAME ("": all)
	local probe="cpc:::$1-all-$2" name=$3 least=$4 most=$5 n
	shift 5
	observe "$@" <<-EOD
	int n;
	$probe /$([[ -n $name ]] && echo "threadname == \"$name\"" || echo 1)/ { n++; }
	END { printf("%d\n", n); }
	EOD
	n=$(<events.txt)
	[[ ${n:-0} -ge $least && ${n:-0} -le $most ]] || complain "$probe: ${n:-0} times, not $least to $most"
}

# a CPU's count may have been begun by others, who may take a firing too
expect page_faults 10 faulter 19 26 vm minor 250
expect minor_faults 25 faulter 8 11 vm minor 250
expect context_switches 5 ping 5 45 sched pingpong 100
expect task_clock 1000000 burner 20 330 sched burn 300 1
"$triggers/vm" major 20 >can.txt 2>&1
[[ $? == 77 ]] || expect major_faults 2 faulter 8 11 vm major 20
if [[ $(nproc) -ge 2 ]]; then
	expect cpu_migrations 4 '' 5 1000000 sched migrate 60
fi
exit $bad
