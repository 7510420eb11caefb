#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A dynamic variable drop loses the store alone: the rest of the clause is done, its record is printed, ERROR
# does not fire.
# @ref d-language 8.5 rest-of-clause drop-counted
# @ref d-errors 5 dynamic-variable
. "$SRCDIR/tests/live/buffers/lib.sh"

run_trigger 'values spread 1 2000' -x dynvarsize=2k -b 1m -n '
	syscall::getppid:entry /pid == $target/ { a[arg1] = arg1 + 1; @after = count(); printf("record\n"); }
	syscall::getppid:entry /pid == $target && a[arg1] == 0/ { @lost = count(); }
	ERROR { @errors = count(); }
	END { printa("after %@d\n", @after); printa("lost %@d\n", @lost); printa("errors %@d\n", @errors); }'
drops '([0-9]+) dynamic variable drops?'
expect records "$(grep -c '^record$' out.txt)" 2000
expect after "$(sed -n 's/^after //p' out.txt)" 2000
expect lost "$(sed -n 's/^lost //p' out.txt)" "$dropped"
expect errors "$(grep -c '^errors' out.txt)" 0
[[ $dropped -gt 0 ]] || complain "nothing was dropped"
exit $bad
