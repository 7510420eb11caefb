#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Arguments of all trace events at once are refused, at the clause and by its description; the same without arguments is
# not, nor are those of a few.
# @ref providers 5 wildcard
. "${0%/*}/../lib.sh"
[[ $("$DTRACE" -lP sdt 2>/dev/null | wc -l) -gt 129 ]] || { echo "few trace events"; exit 77; }

timeout 30 "$DTRACE" -qs /dev/stdin -c true >out.txt 2>err.txt <<'EOD'
sdt:sched::sched_process_exit { trace(arg0); }

sdt:::
/pid == $target/
{
	trace(arg0);
}
EOD
[[ $? == 1 ]] || complain "status not 1"
want='line 3: the arguments of [0-9]+ trace events are too many with probe description sdt:::, the most is 128: describe fewer'
grep -Eq "$want" err.txt || complain "$(<err.txt)"
"$DTRACE" -eqn 'sdt:::, sdt:sched:: { @ = count(); } sdt:sched::sched_process_exit { trace(arg0); }' >out.txt 2>err.txt ||
	complain "few: $(<err.txt)"
exit $bad
