#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A VM that has few descriptors left is traced, or refused with a reason.  Afterwards the same ones are open as before.
. "$SRCDIR/tests/live/java/java.inc"
program='java$target:Calls:half:entry { @ = count(); } tick-100ms { exit(0); }'

open_there() { find "/proc/$vm/fd" -mindepth 1 -printf '%f\n' | sort -n; }
# limit N: at which the VM can open N more
limit() { awk -v n="$1" '{ used[$1] } END { for (i = 0; n > 0; i++) if (!(i in used)) n--; print i }' <<<"$before"; }
same() { [[ $(open_there) == "$before" ]]; }

start_vm java -cp .
calls 1
"$DTRACE" -qn "$program" -p "$vm" >dt.out 2>&1 || die "not traced" # from here on the VM listens
before=$(open_there)
refused=0 traced=0
for more in {1..6}; do
	# not 0: a VM that cannot accept a connection of its attach mechanism does not listen any more
	prlimit --pid "$vm" --nofile="$(limit "$more")":
	if "$DTRACE" -qn "$program" -p "$vm" >dt.out 2>&1; then
		traced=$((traced + 1))
	else
		refused=$((refused + 1))
		echo "$more: $(<dt.out)" >>reasons
		grep -q "^dtrace: .*process $vm" dt.out || die "no reason with $more more descriptors"
	fi
	until_true same
done
cat reasons
[[ $refused -ge 2 && $traced -ge 1 ]] || die "refused $refused times, traced $traced times"
grep -q "does not load the agent: it cannot connect to dtrace" reasons || die "the agent had enough in each run"
prlimit --pid "$vm" --nofile=1024:
trace 'java$target:Calls:half:entry { @[probefunc] = count(); } END { printa("%s %@d\n", @); }'
calls 5
finish
expect "half 5"
exit 0
