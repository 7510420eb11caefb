#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# psinfo_t and lwpsinfo_t of another process, by the arguments of proc:::signal-send, against what /proc says of it.
# @ref providers 6 signal-send; providers 18.1; providers 18.2
# @ref providers 10 send
# @ref providers 14 trap
# @ref providers 18.1 pr_nlwp pr_pid pr_ppid pr_pgid pr_sid pr_uid pr_euid pr_gid pr_egid pr_addr pr_size pr_fname
# @ref providers 18.2 pr_lwpid pr_addr pr_state pr_sname pr_nice pr_pri pr_clname pr_name
. "${0%/*}/../lib.sh"

setsid nice -n 5 sleep 60 &
sleeper=$!
trap 'kill $sleeper 2>/dev/null' EXIT
until grep -q '^State:.S' "/proc/$sleeper/status" && [[ $(<"/proc/$sleeper/comm") == sleep ]]; do sleep 0.05; done

"$DTRACE" -q -o events.txt -c "$(type -P kill) -CONT $sleeper" -n '
proc:::signal-discard, proc:::signal-send
/pid == $target && args[1]->pr_pid == '$sleeper'/
{
	printf("pr_pid %d\npr_ppid %d\npr_pgid %d\npr_sid %d\n", args[1]->pr_pid, args[1]->pr_ppid, args[1]->pr_pgid,
	    args[1]->pr_sid);
	printf("pr_uid %d\npr_euid %d\npr_gid %d\npr_egid %d\n", args[1]->pr_uid, args[1]->pr_euid, args[1]->pr_gid,
	    args[1]->pr_egid);
	printf("pr_fname %s\npr_nlwp %d\npr_size %d\n", args[1]->pr_fname, args[1]->pr_nlwp, args[1]->pr_size);
	printf("pr_lwpid %d\npr_name %s\npr_nice %d\npr_pri %d\npr_clname %s\n", args[0]->pr_lwpid, args[0]->pr_name,
	    args[0]->pr_nice, args[0]->pr_pri, args[0]->pr_clname);
	printf("pr_state %d\npr_sname %c\npr_addr %d\n", args[0]->pr_state, args[0]->pr_sname,
	    args[0]->pr_addr == args[1]->pr_addr && args[1]->pr_addr != 0);
	printf("sig %d\n", args[2]);
	exit(0);
}' 2>err.txt || complain "$(<err.txt)"
read -r -a stat <"/proc/$sleeper/stat"
status() { awk -v key="$1:" -v n="$2" '$1 == key { print $n }' "/proc/$sleeper/status"; }
diff - events.txt <<EOE || complain "what /proc says <, psinfo_t and lwpsinfo_t >"
pr_pid $sleeper
pr_ppid ${stat[3]}
pr_pgid ${stat[4]}
pr_sid ${stat[5]}
pr_uid $(status Uid 2)
pr_euid $(status Uid 3)
pr_gid $(status Gid 2)
pr_egid $(status Gid 3)
pr_fname sleep
pr_nlwp ${stat[19]}
pr_size $((stat[22] / 1024))
pr_lwpid $sleeper
pr_name sleep
pr_nice ${stat[18]}
pr_pri $((120 + stat[18]))
pr_clname TS
pr_state 1
pr_sname S
pr_addr 1
sig 18

EOE
exit $bad
