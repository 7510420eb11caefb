#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Times between sched probes are those of the kernel's clocks: a rest is seen within the call that rests and is not
# shorter than asked; times on the CPU add up to the thread's CPU time.
# @ref providers 7 on-cpu off-cpu sleep preempt tick
. "${0%/*}/../lib.sh"

observe sched sleep 20 5 <<'EOD'
sched:::sleep /pid == $target && threadname == "sleeper"/
{
	self->from = timestamp;
}
sched:::on-cpu /self->from/
{
	printf("slept %d %d %d\n", tid, self->from, timestamp);
	self->from = 0;
}
EOD
[[ $(grep -c ^slept events.txt) == 5 ]] || complain "slept $(grep -c ^slept events.txt) times, not 5"
paste -d ' ' <(grep ^slept facts.txt) <(grep ^slept events.txt) | awk '
	$2 != $6 || $7 < $3 || $8 > $4 || $8 - $7 < 19000000 { print "outside of the call, or too short: " $0; bad = 1 }
	END { exit bad }' || bad=1

observe sched burn 400 2 <<'EOD'
inline int mine = progenyof($target) && threadname == "burner";
syscall::prctl:return /mine/ { self->on = timestamp; }
sched:::on-cpu /mine/ { self->on = timestamp; }
sched:::off-cpu /mine && self->on/ { @[tid] = sum(timestamp - self->on); self->on = 0; }
syscall::prctl:entry /mine && self->on/ { @[tid] = sum(timestamp - self->on); self->on = 0; }
sched:::preempt /mine/ { @preempt[tid] = count(); }
sched:::sleep /mine/ { @slept[tid] = count(); }
sched:::tick /mine && args[0]->pr_lwpid == tid && args[1]->pr_pid == pid/ { @ticks = count(); }
END
{
	printa("on %d %@d\n", @);
	printa("preempt %d %@d\n", @preempt);
	printa("sleep %d %@d\n", @slept);
	printa("ticks %@d\n", @ticks);
}
EOD
# the same CPU for both: together not longer than it took, and each about as long as the kernel says; timer
# interrupts and time that a hypervisor takes are not in that
awk 'NR == FNR { if ($1 == "on") on[$2] = $3; if ($1 == "preempt") preempt[$2] = $3; if ($1 == "sleep") sleep[$2] = $3; next }
	$1 == "burner" {
		n++
		sum += on[$3]
		if (!first || $11 < first) first = $11
		if ($13 > last) last = $13
		if (on[$3] < $9 * 0.95 - 2000000) { print "on the CPU " on[$3] " ns: " $0; bad = 1 }
		# one more or less at each end of what is counted
		if (preempt[$3] < $7 - 2 || preempt[$3] > $7 + 2) { print "preempted " preempt[$3] + 0 " times: " $0; bad = 1 }
		if (sleep[$3] + 0 != $5) { print "slept " sleep[$3] + 0 " times: " $0; bad = 1 }
	}
	END {
		if (n != 2) { print n " burners"; bad = 1 }
		if (sum > last - first) { print "together " sum " ns, in " last - first; bad = 1 }
		exit bad
	}' events.txt facts.txt || bad=1
[[ $(grep ^ticks events.txt | cut -d ' ' -f 2) -ge 5 ]] || complain "$(grep ^ticks events.txt || echo no ticks)"
exit $bad
