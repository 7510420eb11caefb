#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sdt: the kernel's tracepoints, with the fields of their records in order: numbers by value, arrays as what they hold.
# @ref providers 5 sdt-fields sdt-strings; providers 5
. "${0%/*}/../lib.sh"

observe procs signals 4 <<'EOD'
/* sig errno code comm[16] pid group result */
sdt:signal::signal_generate
/pid == $target && args[0] != SIGCHLD/
{
	printf("%s %d %d %d\n", args[6] == 0 ? "signal-send" : args[6] == 1 ? "signal-discard" : "other", pid, args[4], args[0]);
	@[stringof(args[3])] = count();
}
END { printa("name %s %@d\n", @); }
EOD
# the record has no process of the one that is sent it
sed -i -E 's/^(signal-[a-z]+ [0-9]+) [0-9]+/\1/' facts.txt
same 14 signal-send
same 4 signal-discard
[[ $(grep -c '^other' events.txt) == 4 ]] || complain "pending: $(grep -c '^other' events.txt)"
[[ $(grep '^name' events.txt) == "name procs 22" ]] || complain "$(grep '^name' events.txt)"

# what is of this module is listed with its group, and no system calls are
"$DTRACE" -l -P sdt >list.txt 2>&1
for group in sched:sched_switch signal:signal_generate block:block_rq_issue sock:inet_sock_set_state; do
	awk -v g="${group%:*}" -v n="${group#*:}" '$2 == "sdt" && $3 == g && $NF == n { found = 1 } END { exit !found }' \
		list.txt || complain "$group is not listed"
done
! grep -q sys_enter_ list.txt || complain "system calls are listed"
exit $bad
