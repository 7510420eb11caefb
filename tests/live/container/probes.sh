#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --cgroup, --pid-namespace and the built-ins where the probe is about the task that runs next, and in what the network calls.
. "${0%/*}/lib.sh"

cgroups in out
cat >walk.sh <<'W'
for g in out in out; do
	echo $$ >"$1/$g/cgroup.procs" || exit 1
	for i in 1 2 3; do
		read -r x < <(echo) # another process, for which we wait
		echo >/dev/udp/127.0.0.1/9
	done
done
W
program='
BEGIN { ours = $target; }
sched:::on-cpu, sched:::off-cpu { @[probename, cgroup, container, cgroupid == '"$(stat -c %i "$groups/in")"'] = count(); }
ip:::send /progenyof(ours)/ { @[probename, cgroup, container, 1] = count(); }
END { printa("%s %s [%s] %d\n", @); }'
got=$("$DTRACE" -qc "bash walk.sh $groups" --cgroup "$group/in" -n "$program" | sort | sed '/^$/d')
expect "in the cgroup" "$got" "off-cpu /$group/in [] 1
on-cpu /$group/in [] 1
send /$group/in [] 1"

# without the filter there is more, so that it is the filter that leaves it out
got=$("$DTRACE" -qc "bash walk.sh $groups" -n "$program" | grep -c "/$group/out")
expect "all" "$got" 3

# in a pid namespace
got=$("$DTRACE" -qc "unshare -pf --mount-proc sleep 0.1" -n '
sched:::on-cpu /execname == "sleep" && progenyof($target)/ { @[pid == curpsinfo->pr_pid, nspid] = count(); }
END { printa("%d %d\n", @); }' | sed '/^$/d')
expect "nspid" "$got" "1 1"
finish
