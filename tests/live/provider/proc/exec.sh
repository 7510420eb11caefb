#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# proc:::exec, exec-success and exec-failure: paths and error numbers of execve(2) and execveat(2).
# @ref providers 6 exec exec-success exec-failure
# @ref providers 18.1 pr_psargs
. "${0%/*}/../lib.sh"

observe procs exec <<'EOD'
proc:::exec /progenyof($target)/ { printf("exec %d %s\n", pid, stringof(args[0])); }
proc:::exec-success /progenyof($target) && pid != $target/ { printf("exec-success %d %s\n", pid, execname); }
proc:::exec-failure /progenyof($target)/ { printf("exec-failure %d %d\n", pid, args[0]); }
proc:::exec-success /progenyof($target) && pid != $target/ { printf("args %s\n", curpsinfo->pr_psargs); }
proc:::exit /progenyof($target) && pid != $target/ { printf("exit %d %d\n", pid, args[0]); }
EOD
sed -i -E 's/^(exit [0-9]+ [0-9]+) .*/\1/' facts.txt
# where the kernel tells of it only when it has the file, the path of one that is not there is not seen
same 5 exec
same 2 exec-success
same 3 exec-failure
same 5 exit
# the new image's
diff <(sort events.txt | grep ^args) - <<'EOE' || complain "pr_psargs"
args procs exit 3
args procs exit 5
EOE

# the path is a string, and where it is in the process
observe procs exec <<'EOD'
proc:::exec /progenyof($target) && pid != $target/ { trace(args[0]); trace("\n"); }
proc:::exec /progenyof($target) && pid != $target/ { printf("same %d %s\n", args[0] == copyinstr(arg0), args[0]); }
EOD
diff <(sed -nE 's/^exec [0-9]+ (.*)/\1\nsame 1 \1/p' facts.txt | sort) <(grep . events.txt | sort) ||
	complain "args[0] and arg0: facts <, events >"
exit $bad
