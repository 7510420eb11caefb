#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Who and where a thread is, in the probes that fire for it while another one runs still: built-ins, curpsinfo, curlwpsinfo
# and curcpu agree.
# @ref providers 7 on-cpu off-cpu; providers 18.2 pr_onpro pr_lwpid pr_pri pr_name; providers 18.3; providers 19 pr_onpro
. "${0%/*}/../lib.sh"

observe sched pingpong 20 <<'EOD'
sched:::on-cpu, sched:::off-cpu
/progenyof($target) && (threadname == "ping" || threadname == "pong")/
{
	@[probename, "pid", pid == curpsinfo->pr_pid && ppid == curpsinfo->pr_ppid] = count();
	@[probename, "tid", tid == curlwpsinfo->pr_lwpid && curthread->pid == tid] = count();
	@[probename, "name", threadname == curlwpsinfo->pr_name] = count();
	@[probename, "onpro", curlwpsinfo->pr_onpro == cpu && curcpu->cpu_id == cpu] = count();
}
sched:::on-cpu
/progenyof($target) && (threadname == "ping" || threadname == "pong")/
{
	/* real-time, of priority 10 */
	@[probename, "priority", curlwpsinfo->pr_pri == 89 && curlwpsinfo->pr_clname == "RT"] = count();
}
END { printa("%s %s %d %@d\n", @); }
EOD
n=$(awk '$4 == "voluntary" { n += $5 + $7 } END { print n }' facts.txt)
sort events.txt | sed '/^$/d' >got
diff - got <<EOE || complain "of $n switches each way"
off-cpu name 1 $n
off-cpu onpro 1 $n
off-cpu pid 1 $n
off-cpu tid 1 $n
on-cpu name 1 $n
on-cpu onpro 1 $n
on-cpu pid 1 $n
on-cpu priority 1 $n
on-cpu tid 1 $n
EOE
exit $bad
