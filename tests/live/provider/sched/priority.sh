#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# sched:::change-pri: a priority that is about to change, by each of the system calls that change one.
# @ref providers 7 change-pri
. "${0%/*}/../lib.sh"

observe sched prio <<'EOD'
sched:::change-pri /progenyof($target) && threadname == "prio" && args[0]->pr_lwpid == tid && args[1]->pr_pid == pid/
{
	printf("change-pri %d %d\n", tid, args[2]);
}
EOD
same 7 change-pri
diff <(grep ^change-pri facts.txt) <(grep ^change-pri events.txt) >differences || complain "order: $(<differences)"
exit $bad
