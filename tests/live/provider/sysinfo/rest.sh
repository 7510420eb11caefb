#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sysinfo's probes whose number is the kernel's affair: they fire where they should, at least so often.
# @ref providers 14 phread phwrite bread bwrite lread lwrite cpumigrate idlethread trap xcalls namei modload
. "${0%/*}/../lib.sh"

ran=0
expect() { # PREDICATE PROBE=LEAST..MOST... -- TRIGGER: the sums of arg0, where there is such a probe
	local predicate=$1 probes='' one n least most
	local -a wants=()
	shift
	while [[ $1 != -- ]]; do
		listed "sysinfo:::${1%=*}" && wants+=("$1") &&
			probes+="sysinfo:::${1%=*} /$predicate/ { @[probename] = sum(arg0); }
"
		shift
	done
	shift
	[[ ${#wants[@]} != 0 ]] || return
	observe "$@" <<<"$probes
	END { printa(\"%s %@d\n\", @); }"
	for one in "${wants[@]}"; do
		n=$(sed -n "s/^${one%=*} //p" events.txt)
		least=${one#*=} most=${one#*..} least=${least%..*}
		[[ ${n:-0} -ge $least && ${n:-0} -le $most ]] || complain "$*: ${one%=*} ${n:-0}, not $least to $most"
		ran=$((ran + 1))
	done
}

any=1000000000
expect 'pid == $target && threadname == "filer"' namei=6..6 -- files 6
expect 'pid == $target && threadname == "faulter"' trap=30..$any -- vm minor 30
module loop
if "$triggers/blockio" w 0 512 >can.txt 2>&1; then
	# whoever gives them to the device; others' are counted too
	expect 1 phwrite=4..$any bwrite=4..$any phread=3..$any bread=3..$any -- \
		blockio w 8 4096 w 16 4096 r 8 4096 w 100 512 r 16 4096 w 200 4096 r 24 512
	if [[ -x /sbin/mkfs.ext4 ]]; then
		expect 'pid == $target && threadname == "fswriter"' lread=1..$any -- blockio fs small 8192
		expect 'ppid == $target' lwrite=1..$any -- blockio fs small 8192
	fi
fi
if [[ $(nproc) -ge 2 ]]; then
	expect 1 cpumigrate=10..$any -- sched migrate 10
	expect 'pid == $target && threadname == "caller"' xcalls=1..$any -- sched crosscall 200
fi

# where a CPU was idle
read -r _ _ _ _ idle _ </proc/stat
expect 1 idlethread=0..$any -- sched sleep 20 10
read -r _ _ _ _ idle2 _ </proc/stat
n=$(sed -n "s/^idlethread //p" events.txt)
[[ $idle2 == "$idle" || ${n:-0} -ge 1 ]] || complain "idlethread ${n:-0}, idle $((idle2 - idle)) ticks"
[[ $ran -ge 4 ]] || complain "$ran probes"
exit $bad
