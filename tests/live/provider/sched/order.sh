#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# At one switch: sleep or preempt in the thread that leaves the CPU, its off-cpu, and on-cpu in the next one, which
# off-cpu's arguments are about.
# @ref providers 7 order; providers 7 on-cpu off-cpu sleep preempt
. "${0%/*}/../lib.sh"

# the probes are in another order here than they fire in
observe sched pingpong 50 <<'EOD'
int next[int], last[int];
uint64_t since[int];

sched:::on-cpu { @on[next[cpu] == tid, last[cpu]] = count(); last[cpu] = 4; }
sched:::off-cpu /threadname == "ping" || threadname == "pong"/ { @off[last[cpu] == 1 || last[cpu] == 2] = count(); }
sched:::off-cpu { next[cpu] = args[0]->pr_lwpid; last[cpu] = 3; }
sched:::preempt { last[cpu] = 1; }
sched:::sleep { last[cpu] = 2; }
END
{
	printa("on %d after %d %@d\n", @on);
	printa("off %d %@d\n", @off);
}
EOD
# switches that were under way as the probes were enabled may lack one
[[ $(grep -c '^on 1 after 3 ' events.txt) == 1 ]] || complain "no switch: $(<events.txt)"
awk '/^on/ { all += $5; if ($2 == 1 && $4 == 3) good = $5 } END { exit all - good > 4 }' events.txt ||
	complain "on-cpu not behind off-cpu: $(<events.txt)"
awk '/^off/ { all += $3; if ($2 == 1) good = $3 } END { exit good < 90 || all - good > 4 }' events.txt ||
	complain "off-cpu not behind sleep or preempt: $(<events.txt)"
exit $bad
