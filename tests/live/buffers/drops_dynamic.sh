#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# More elements than dynvarsize has room for, global and thread-local; a deleted one makes room.
# @ref d-errors 5 dynamic-variable
# @ref output 13 dynamic
# @ref d-language 8.5 drop-counted
# @ref options 3 dynvarsize; options 5.3 exhausted zero-frees
. "$SRCDIR/tests/live/buffers/lib.sh"

count() { # PATTERN: the counts of the rows whose key it is
	awk -v key="$1" '$1 == key { n += $2 } END { print n + 0 }' out.txt
}

for scope in "" self-\>; do
	run_trigger 'values spread 2 1000' -x dynvarsize=2k -n "
		syscall::getppid:entry /pid == \$target/ { ${scope}a[arg0, arg1] = arg1 + 1; }
		syscall::getppid:entry /pid == \$target && ${scope}a[arg0, arg1] == arg1 + 1/ { @[\"kept\"] = count(); }
		syscall::getppid:entry /pid == \$target && ${scope}a[arg0, arg1] == 0/ { @[\"lost\"] = count(); }"
	drops '([0-9]+) dynamic variable drops?'
	kept=$(count kept) lost=$(count lost)
	expect "${scope}a: kept $kept and lost $lost" $((kept + lost)) 2000
	expect "${scope}a: drops" "$dropped" "$lost"
	[[ $kept -gt 0 && $lost -gt 0 ]] || complain "${scope}a: kept $kept, lost $lost"

	# one at a time there is room for all
	run_trigger 'values spread 2 1000' -x dynvarsize=2k -n "
		syscall::getppid:entry /pid == \$target/ { ${scope}a[arg0, arg1] = 1; }
		syscall::getppid:return /pid == \$target/ { @[\"returns\"] = count(); }
		syscall::getppid:entry /pid == \$target && ${scope}a[arg0, arg1] == 1/ {
			@[\"kept\"] = count(); ${scope}a[arg0, arg1] = 0; }"
	drops '([0-9]+) dynamic variable drops?'
	expect "${scope}a, deleted: kept" "$(count kept)" 2000
	expect "${scope}a, deleted: drops" "$dropped" 0
done
exit $bad
