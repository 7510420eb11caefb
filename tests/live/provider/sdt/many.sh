#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Many tracepoints at once: a description without a name finds them by group, the right probe fires for each, arguments
# or not; rawtp has bare tracepoints, too, that are no events.
# @ref providers 5 wildcard groups bare-tracepoints; providers 0.3 unstable-set index-out-of-range unused-argument
. "${0%/*}/../lib.sh"

observe procs fork 5 <<'EOD'
int children, same, nothing;
sdt:sched::sched_process* /progenyof($target)/ { @n[probemod, probename] = count(); }
sdt:task:: /progenyof($target)/ { @n[probemod, probename] = count(); }
sdt:sched::sched_process_fork /progenyof($target)/ { children++; same += pid == arg1; nothing += arg9; }
sdt:sched:: /progenyof($target) && probename == "sched_process_fork"/ { @named[strjoin("named ", probename)] = count(); }
END { printa("%s %@d\n", @named); printa("event %s %s %@d\n", @n); printf("forks %d %d %d\n", children, same, nothing); }
EOD
grep -qx 'event sched sched_process_fork 5' events.txt || complain "forks: $(grep fork events.txt)"
grep -q '^event sched sched_process_exit [5-9]' events.txt || complain "exits: $(grep exit events.txt)"
grep -q '^event task task_newtask 5' events.txt || complain "tasks: $(grep task events.txt)"

# of many by one program, too, the name as a string is the right one's
[[ $(grep ^named events.txt) == 'named sched_process_fork 5' ]] || complain "by name: $(grep ^named events.txt)"

"$DTRACE" -lP rawtp >list.txt 2>&1
for p in pelt_cfs_tp sched_switch; do
	grep -qE "^ *[0-9]+ +rawtp .* $p\$" list.txt || complain "rawtp has no $p"
done
"$DTRACE" -n 'sdt:sched::sched_process* { trace(args[2]); }' >/dev/null 2>err.txt && complain "args[] of several"
grep -q 'args\[ \] may not be referenced because probe description .* matches an unstable set of probes' err.txt ||
	complain "$(<err.txt)"
"$DTRACE" -n 'rawtp:sched::sched_switch { trace(args[7]); }' >/dev/null 2>err.txt && complain "args[7]"
grep -q 'index 7 is out of range for rawtp:sched::sched_switch args' err.txt || complain "$(<err.txt)"
exit $bad
