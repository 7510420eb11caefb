#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# proc:::fault: the signal and siginfo_t of what the processor refuses; not of signals that a program sends.
# @ref providers 6 fault
. "${0%/*}/../lib.sh"

observe procs faults <<'EOD'
proc:::fault /ppid == $target/
{
	printf("fault %d %d %d %#x\n", pid, args[0], args[1]->si_code, (uint64_t)args[1]->_sifields._sigfault._addr);
}
EOD
# what has no address prints a 0 here and 0x0 there
sed -i -E 's/ 0x0$/ 0/' facts.txt events.txt
same "$([[ $(uname -m) == x86_64 ]] && echo 5 || echo 2)" fault

observe procs signals 2 <<'EOD'
proc:::fault /progenyof($target)/ { printf("fault %d %d\n", pid, args[0]); }
EOD
! grep fault events.txt || complain "fault without a fault"
exit $bad
