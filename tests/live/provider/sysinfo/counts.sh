#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sysinfo's probes: as often, and by as much, as the program did it.
# @ref providers 14 readch writech sysread syswrite sysexec sysfork sysvfork nthreads pswitch inv_swtch cpumigrate mutex_adenters rw_rdfails rw_wrfails namei trap
. "${0%/*}/../lib.sh"

expect() { # NAME PREDICATE PROBE=SUM... -- TRIGGER: the sums of arg0, where there is such a probe
	local name=$1 predicate=$2 probes='' one n
	local -a wants=()
	shift 2
	while [[ $1 != -- ]]; do
		listed "sysinfo:::${1%=*}" && wants+=("$1") &&
			probes+="sysinfo:::${1%=*} /$predicate/ { @[probename] = sum(arg0); }
"
		shift
	done
	shift
	[[ ${#wants[@]} != 0 ]] || { complain "$name: no probes"; return; }
	observe "$@" <<<"$probes
	END { printa(\"%s %@d\n\", @); }"
	for one in "${wants[@]}"; do
		n=$(sed -n "s/^${one%=*} //p" events.txt)
		[[ ${n:-0} == "${one#*=}" ]] || complain "$name: ${one%=*} ${n:-0}, not ${one#*=}"
	done
}

mine='pid == $target'
expect files "$mine && threadname == \"filer\"" sysread=7 syswrite=7 readch=1400 writech=1400 -- files 7 200
expect forks "$mine" sysfork=5 sysvfork=0 -- procs fork 5
expect vforks "$mine" sysfork=0 sysvfork=4 -- procs vfork 4
expect threads "$mine" nthreads=6 sysfork=0 -- procs threads 6
expect execs 'ppid == $target' sysexec=2 -- procs exec
expect mutexes "$mine && threadname == \"waiter\"" mutex_adenters=3 -- locks mutex 3 5
expect rwsems "$mine && threadname == \"waiter\"" rw_rdfails=2 rw_wrfails=2 -- locks rwsem 2 5
if [[ $(nproc) -ge 2 ]]; then
	expect moves "$mine && threadname == \"mover\"" namei=0 -- sched migrate 4
fi

# switches, as the kernel counts them
observe sched pingpong 30 <<'EOD'
sysinfo:::pswitch /threadname == "ping" && pid == $target/ { @[probename] = sum(arg0); }
sysinfo:::inv_swtch /threadname == "ping" && pid == $target/ { @[probename] = sum(arg0); }
END { printa("%s %@d\n", @); }
EOD
voluntary=$(field facts.txt 'ping ' voluntary) involuntary=$(field facts.txt 'ping ' involuntary)
n=$(sed -n 's/^pswitch //p' events.txt)
[[ ${n:-0} == $((voluntary + involuntary)) ]] || complain "pswitch ${n:-0}, not $voluntary + $involuntary"
n=$(sed -n 's/^inv_swtch //p' events.txt)
[[ ${n:-0} == "$involuntary" ]] || complain "inv_swtch ${n:-0}, not $involuntary"
exit $bad
