#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rawtp: the kernel's tracepoints with their arguments, typed as the kernel has them.
# @ref providers 5 rawtp-typed; providers 5
. "${0%/*}/../lib.sh"

observe procs fork 6 <<'EOD'
rawtp:sched::sched_process_fork
/pid == $target/
{
	printf("create %d %d\n", args[0]->pid, args[1]->pid);
	@["type", args[1]->real_parent->pid == pid, args[1]->tgid == args[1]->pid] = count();
	@["same", arg0 == (uint64_t)args[0], arg1 == (uint64_t)args[1]] = count();
}
END { printa("%s %d %d %@d\n", @); }
EOD
same 6 create
diff - <(grep -E '^(type|same)' events.txt | sort) <<'EOE' || complain "arguments"
same 1 1 6
type 1 1 6
EOE

# what has no record is there too
"$DTRACE" -l -P rawtp >list.txt 2>&1
grep -q 'sched_process_fork$' list.txt || complain "not listed"
if "$DTRACE" -en 'rawtp:::sched_update_nr_running_tp' >/dev/null 2>&1; then
	observe sched pingpong 20 <<-'EOD'
	int n, cpus;
	rawtp:::sched_update_nr_running_tp /pid == $target && threadname == "ping"/ { n++; cpus |= args[0]->cpu == cpu; }
	END { printf("%d %d\n", n >= 20, cpus); }
	EOD
	[[ $(<events.txt) == "1 1" ]] || complain "sched_update_nr_running_tp: $(<events.txt)"
fi
exit $bad
