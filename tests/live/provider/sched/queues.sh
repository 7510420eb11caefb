#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sched:::enqueue and dequeue: a thread that is woken is put on the run queue of the one CPU it may use, and one that
# sleeps taken from it; one that is moved between CPUs is put on each.
# @ref providers 7 enqueue dequeue; providers 18.3
# @ref providers 18.3 cpu_id
. "${0%/*}/../lib.sh"

observe sched pingpong 50 <<'EOD'
sched:::enqueue /progenyof($target) && threadname == "ping" && args[0]->pr_name == "pong"/
{
	@["enqueue", args[1]->pr_pid, args[2]->cpu_id == cpu] = count();
}
sched:::dequeue /progenyof($target) && threadname == "pong" && args[0]->pr_name == "pong"/
{
	@["dequeue", args[1]->pr_pid, args[2]->cpu_id == cpu] = count();
}
END
{
	printa("%s %d %d %@d\n", @);
}
EOD
read -r _ pid _ < <(grep '^pong ' facts.txt)
for what in enqueue dequeue; do
	n=$(grep "^$what $pid 1 " events.txt | cut -d ' ' -f 4)
	[[ ${n:-0} -ge 49 && ${n:-0} -le 52 ]] || complain "$what: $(<events.txt)"
	! grep "^$what $pid 0 " events.txt || complain "$what on another CPU"
done

if [[ $(nproc) -ge 2 ]]; then
	observe sched migrate 10 <<-'EOD'
	sched:::enqueue /args[1]->pr_pid == $target && args[0]->pr_name == "mover"/ { @[args[2]->cpu_id] = count(); }
	END { printa("on %d %@d\n", @); }
	EOD
	for cpu in $(awk '$1 == "migrate" { print $3 }' facts.txt | sort -u); do
		n=$(grep "^on $cpu " events.txt | cut -d ' ' -f 3)
		[[ ${n:-0} -ge 5 ]] || complain "enqueue on CPU $cpu: ${n:-0} times, not 5 or more"
	done
fi
exit $bad
