#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Option droptags: each message says of which kind it is; drops do not change the status.
# @ref d-errors 5 droptags singular status-unaffected
# @ref output 13 droptags plural status-unaffected
# @ref d-errors 1.5 faults-and-drops
# @ref options 4 droptags
. "$SRCDIR/tests/live/buffers/lib.sh"

run_trigger 'values spread 1 2000' -x droptags -b 4k -x aggsize=1k -x dynvarsize=1k -n '
	syscall::getppid:entry /pid == $target/ { printf("text\n"); @[arg1] = count(); a[arg1] = 1; }
	syscall::getppid:return /pid == $target/ { x = *(int *)8; }
	ERROR { x = *(int *)8; }'
# on a slow machine they come in several turns, and a sum follows
grep -v -e '^dtrace: error in' -e ' in all: ' err.txt | sed -E 's/[0-9]+ (errors|drops|aggregation|dynamic)/N \1/; s/CPU [0-9]+/CPU C/' | sort -u

# one of a kind; its message has no plural
"$DTRACE" -q -x droptags -n 'BEGIN { x = *(int *)8; } BEGIN { exit(4); } ERROR { x = *(int *)8; }' \
	>out.txt 2>err.txt
echo "status $?"
cat err.txt
exit $bad
