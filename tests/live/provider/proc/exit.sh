#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @timeout 180
# proc:::exit's reasons: CLD_EXITED, CLD_KILLED, CLD_DUMPED as wait(2) says, whatever the status.
# @ref providers 6 exit
. "${0%/*}/../lib.sh"

observe procs die <<'EOD'
proc:::exit /progenyof($target) && pid != $target/
{
	printf("exit %d %d\n", pid, args[0]);
}
proc:::exit /progenyof($target) && pid != $target/
{
	printf("named %d\n", args[0] == CLD_EXITED ? 1 : args[0] == CLD_KILLED ? 2 : args[0] == CLD_DUMPED ? 3 : 0);
}
proc:::lwp-exit /progenyof($target) && pid != $target/
{
	printf("lwp-exit %d\n", tid);
}
EOD
sed -i -E 's/^(exit [0-9]+ [0-9]+) .*/\1/' facts.txt
same 9 exit
same 9 lwp-exit
[[ $(grep -c '^named 1' events.txt) == 5 ]] || complain "CLD_EXITED: $(grep -c '^named 1' events.txt) times"
[[ $(grep -c '^named [23]' events.txt) == 4 ]] || complain "killed or dumped: $(grep -c '^named [23]' events.txt) times"
exit $bad
