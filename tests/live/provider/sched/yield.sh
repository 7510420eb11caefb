#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sched:::surrender: once for each sched_yield(2), of the thread that yields; where the kernel tells of it, each of them
# either leaves the CPU or remains.
# @ref providers 7 surrender remain-cpu
. "${0%/*}/../lib.sh"

remain=
listed sched:::remain-cpu && remain='sched:::remain-cpu /pid == $target && threadname == "yielder"/ { remained++; }'
observe sched yield 40 <<EOD
int yields, remained, left;
sched:::surrender
/pid == \$target && threadname == "yielder" && args[0]->pr_lwpid == tid && args[1]->pr_pid == pid/
{
	yields++;
}
$remain
sched:::off-cpu /pid == \$target && threadname == "yielder"/ { left++; }
END { printf("%d %d\n", yields, remained + left); }
EOD
read -r yields stays <events.txt
[[ $yields == 40 ]] || complain "surrender: $yields times, not 40"
[[ -z $remain || $stays -ge 40 ]] || complain "remain-cpu and off-cpu: $stays times, not 40 or more"
exit $bad
