#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --cgroup: only what runs in the cgroup and below it is traced, by every probe but BEGIN, END, ERROR and tick.
. "${0%/*}/lib.sh"

cgroups in/sub in2 out
cat >walk.sh <<'W'
for g in . in in/sub in2 out in; do
	echo $$ >"$1/$g/cgroup.procs" || exit 1
	kill -0 $$
	kill -0 $$
done
W
run() { # OPTIONS... -- clauses before
	"$DTRACE" -qc "bash walk.sh $groups" "$@" -n "$KILL"'/ { @[cgroup] = count(); } END { printf("end\n"); printa("%s %@d\n", @); }'
}
want="begin
end
/$group/in/sub 2
/$group/in 4"
begin='BEGIN { printf("begin\n"); }'
expect "by directory" "$(run --cgroup "$groups/in" -n "$begin")" "$want"
expect "by name" "$(run --cgroup="$group/in" -n "$begin")" "$want"
expect "as the built-in has it" "$(run --cgroup "/$group/in/" -n "$begin")" "$want"
expect "-x" "$(run -x cgroup="$group/in" -n "$begin")" "$want"
expect "pragma" "$(run -s /dev/stdin <<<"#pragma D option cgroup=$group/in
$begin")" "$want"
expect "the root" "$(run --cgroup / -n "$begin" | grep -c "/$group")" 5

here=$PWD
# the current directory is looked at first
expect "relative" "$(cd "$groups" && "$DTRACE" -qc "bash $here/walk.sh $groups" --cgroup in -n "$KILL"'/ { @ = count(); }' | tr -d ' \n')" 6

# samples come from there alone, tick from where it is; faults there are reported
cat >busy.sh <<'W'
for g in in out in; do
	echo $$ >"$1/$g/cgroup.procs" || exit 1
	for ((i = 0; i < 100000; i++)); do :; done
	kill -0 $$
done
while [[ ! -e ticked ]]; do sleep 0.01; done
W
got=$("$DTRACE" -wqc "bash busy.sh $groups" --cgroup "$group/in" -n "
	profile-997 { @[cgroup == \"/$group/in\"] = count(); }
	tick-20ms /!ticked/ { ticked = 1; system(\"touch ticked\"); }
	syscall::kill:entry { trace(*(int *)8); }
	ERROR { faults++; }
	END { printf(\"%d faults\n\", faults); printa(\"%d\n\", @); }" 2>/dev/null)
expect "samples, ticks and faults" "$got" "2 faults
1"
finish
