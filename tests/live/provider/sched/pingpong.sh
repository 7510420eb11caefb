#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Two that take turns on one CPU, as processes with pipes and as threads with a futex: sleep and preempt, off-cpu and
# on-cpu as often as the kernel counted switches; wakeup as often as there were turns, of whom and by whom.
# @ref providers 7 on-cpu off-cpu sleep preempt wakeup enqueue dequeue
. "${0%/*}/../lib.sh"

program='
inline int mine = progenyof($target) && (threadname == "ping" || threadname == "pong" || threadname == "even" || threadname == "odd");
sched:::sleep /mine/ { @sleep[threadname, pid, tid] = count(); }
sched:::preempt /mine/ { @preempt[threadname, pid, tid] = count(); }
sched:::off-cpu /mine/ { @off[threadname, pid, tid] = count(); }
sched:::on-cpu /mine/ { @on[threadname, pid, tid] = count(); }
sched:::wakeup /mine/ { @woken[tid, args[1]->pr_pid, args[0]->pr_lwpid] = count(); }
sched:::off-cpu /mine/ { @next[tid, args[1]->pr_pid, args[0]->pr_lwpid] = count(); }
END
{
	printa("sleep %s %d %d %@d\n", @sleep);
	printa("preempt %s %d %d %@d\n", @preempt);
	printa("off %s %d %d %@d\n", @off);
	printa("on %s %d %d %@d\n", @on);
	printa("wakeup %d %d %d %@d\n", @woken);
	printa("next %d %d %d %@d\n", @next);
}'

for how in "pingpong ping pong" "futex even odd"; do
	read -r what one other <<<"$how"
	observe sched $what 50 <<<"$program"
	# the kernel's counts, as the events' lines
	awk '$4 == "voluntary" {
		if ($5) print "sleep", $1, $2, $3, $5
		if ($7) print "preempt", $1, $2, $3, $7
		print "off", $1, $2, $3, $5 + $7
		print "on", $1, $2, $3, $5 + $7
	}' facts.txt >counts && mv counts facts.txt
	same 0 sleep preempt off on
	read -r _ _ pid tid _ < <(grep "^off $one " facts.txt)
	read -r _ _ pid2 tid2 _ < <(grep "^off $other " facts.txt)
	[[ -n $tid && -n $tid2 ]] || complain "$what: no facts"
	# each turn wakes the other, but where that one hasn't slept yet, at an end
	for pair in "$tid $pid2 $tid2" "$tid2 $pid $tid"; do
		n=$(grep "^wakeup $pair " events.txt | cut -d ' ' -f 5)
		[[ ${n:-0} -ge 49 && ${n:-0} -le 51 ]] || complain "$what: wakeup $pair: ${n:-0} times, not about 50"
		n=$(grep "^next $pair " events.txt | cut -d ' ' -f 5)
		[[ ${n:-0} -ge 40 ]] || complain "$what: off-cpu for $pair: ${n:-0} times"
	done
done
exit $bad
