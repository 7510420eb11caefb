#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With returns=address the kernel remembers 64 nested calls of a thread: the returns of deeper ones are counted as lost,
# whichever processes the probe is about.  Received and lost make up the calls.
# @alone
set -u
. "${0%/*}/lib.sh"

lost() { sed -nE 's/^dtrace: ([0-9]+) returns? of calls that were nested too deep$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }'; }
deep() { # WHAT RETURNS LOST OPTION...
	local what=$1 returns=$2 missing=$3
	shift 3
	try "$DTRACE" -q -x returns=address "$@"
	expect_text "$what" "$(grep -v '^$' out.txt) $(lost)" "$returns $missing"
	expect_text "$what: other messages" "$(grep -v 'nested too deep' err.txt)" ""
}
mine='pid$target:a.out:depth:return { @ = count(); } END { printa("%@d\n", @); }'

deep "64 deep" 64 0 -n "$mine" -c "$here/work depth 64"
deep "65 deep" 64 1 -n "$mine" -c "$here/work depth 65"
deep "several" 133 36 -n "$mine" -c "$here/work depth 5 depth 100 depth 64"
deep "with entries" $'36\n64' 36 -n 'pid$target:a.out:depth:entry { @a = sum(arg0 > 64); }' \
	-n 'pid$target:a.out:depth:return { @b = count(); } END { printa("%@d\n", @a); printa("%@d\n", @b); }' \
	-c "$here/work depth 100"
clauses=''
for _ in {1..20}; do
	clauses+='pid$target:a.out:depth:return { @ = count(); } '
done
deep "values" "64 4384" 36 -n 'pid$target:a.out:depth:return { @ = count(); @sum = sum(arg1); } END { printa("%@d ", @); printa("%@d\n", @sum); }' \
	-c "$here/work depth 100"
deep "twenty clauses" $((20 * 64)) 72 -n "$clauses END { printa(\"%@d\\n\", @); }" -c "$here/work depth 100"
deep "followed" 128 42 --follow -x hold=exec -Zn "${mine/a.out/work}" -c "sh -c '$here/work depth 100; $here/work depth 70; :'"
deep "in all" 64 36 -x hold=exec -Zn 'pid*:work:depth:return /execname == "work"/ { @ = count(); } END { printa("%@d\n", @); }' \
	-c "sh -c 'sleep 0.1; $here/work depth 100; :'"

try "$DTRACE" -q --fail-on-drops -x returns=address -n "$mine" -c "$here/work depth 65"
expect_status 1
try "$DTRACE" -q --fail-on-drops -n "$mine" -c "$here/work depth 100"
expect_status 0
finish
