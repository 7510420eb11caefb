#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# proc:::signal-send, signal-discard, signal-handle and signal-clear: who, to whom, which, how often; a signal that is
# pending already is neither sent again nor discarded.
# @ref providers 6 signal-send signal-discard signal-handle signal-clear
# @ref providers 10 send
. "${0%/*}/../lib.sh"

observe procs signals 3 <<'EOD'
proc:::signal-send /pid == $target && args[2] != SIGCHLD/
{
	printf("signal-send %d %d %d %d\n", pid, args[1]->pr_pid, args[0]->pr_lwpid, args[2]);
}
proc:::signal-discard /pid == $target && args[2] != SIGCHLD/
{
	printf("signal-discard %d %d %d %d\n", pid, args[1]->pr_pid, args[0]->pr_lwpid, args[2]);
}
proc:::signal-handle /ppid == $target && args[0] != SIGKILL/
{
	printf("signal-handle %d %d %d 0x%x\n", tid, args[0], args[1]->si_code, (uint64_t)args[2]);
}
proc:::signal-clear /ppid == $target/
{
	printf("signal-clear %d %d\n", tid, args[0]);
}
/* what it is sent: the target's members, of another process than the current one */
proc:::signal-send /pid == $target && args[2] != SIGCHLD/
{
	printf("member %s %d %d\n", args[1]->pr_fname, args[1]->pr_ppid == pid, args[1]->pr_uid);
}
proc:::signal-handle /ppid == $target && args[0] == SIGKILL/
{
	killed++;
}
END
{
	printf("killed %d\n", killed);
}
EOD
same 11 signal-send
same 3 signal-discard
same 6 signal-handle
same 3 signal-clear
[[ $(grep '^member' events.txt | sort -u) == "member procs 1 0" ]] || complain "members: $(grep '^member' events.txt | sort -u)"
# two threads, of which one tells or both
grep -q '^killed [12]$' events.txt || complain "SIGKILL: $(grep ^killed events.txt)"
exit $bad
