#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# proc:::create, start, lwp-create, lwp-start, lwp-exit and exit for children by fork(2) and vfork(2) and for threads:
# one each, with the numbers that the calls returned, in the parent's or in the child's context.
# @ref providers 0.4 override-rule; providers 6 create lwp-create start lwp-start exit lwp-exit
# @ref providers 18.1 pr_pid pr_fname
. "${0%/*}/../lib.sh"

program='
proc:::create /progenyof($target)/ { printf("create %d %d\n", pid, args[0]->pr_pid); }
proc:::lwp-create /progenyof($target)/ { printf("lwp-create %d %d\n", args[0]->pr_lwpid, args[1]->pr_pid); }
proc:::start /progenyof($target)/ { printf("start %d\n", pid); }
proc:::lwp-start /progenyof($target)/ { printf("lwp-start %d\n", tid); }
proc:::lwp-exit /progenyof($target) && tid != $target/ { printf("lwp-exit %d\n", tid); }
proc:::exit /progenyof($target) && pid != $target/ { printf("exit %d %d\n", pid, args[0]); }'

# the facts of exit have the status too, which the probe has not
for what in "fork 5" "vfork 3"; do
	observe procs $what <<<"$program"
	sed -i -E 's/^(exit [0-9]+ [0-9]+) .*/\1/' facts.txt
	same $((6 * ${what#* })) create lwp-create start lwp-start lwp-exit exit
done
observe procs threads 4 <<<"$program"
same 12 create lwp-create start lwp-start lwp-exit exit

# contexts: the parent makes, the child starts and is called as its parent was
observe procs fork 2 <<'EOD'
proc:::create /progenyof($target)/ { parent[args[0]->pr_pid] = pid; made = timestamp; }
proc:::start /ppid == $target/ { printf("ok %d %d %d\n", parent[pid] == ppid, pid == tid, timestamp >= made); }
proc:::start /ppid == $target/ { printf("name %s %s\n", execname, curpsinfo->pr_fname); }
EOD
grep . events.txt | sort | uniq -c | sed 's/^ *//' >got
diff - got <<'EOE' || complain "contexts"
2 name procs procs
2 ok 1 1 1
EOE
exit $bad
