#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bufpolicy=switch: the buffer is read while tracing goes on; what does not fit at the time is dropped, what is there stays.
# @ref options 3 bufpolicy
# @ref options 5.1 switch no-room-drops drop-counted
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

# more in one firing than the buffer holds
clauses=""
for ((i = 1; i <= 24; i++)); do
	clauses+="tick-4 /n < 5/ { printf(\"firing %d record $i\\n\", n); tracemem(curthread, 1500); }"$'\n'
done
for policy in "" -xbufpolicy=switch; do
	try "$DTRACE" -x cpu=0 -b 8k $policy -qn "int n; $clauses tick-4 /++n == 6/ { exit(0); }"
	expect_status 0
	records=$(grep -acE '^firing [0-9]+ record [0-9]+$' out.txt)
	drops=$(sed -nE 's/^dtrace: ([0-9]+) drops? on CPU 0$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }')
	expect_text "records $records and drops $drops" $((records + drops)) 120
	[[ $drops -gt 0 ]] || complain "nothing was dropped"
	# of each firing the first are there
	for ((i = 0; i < 5; i++)); do
		grep -aqx "firing $i record 1" out.txt || complain "firing $i: its first record was dropped"
	done
	expect_text "order" "$(grep -aoE '^firing [0-9]+ record [0-9]+$' out.txt | sort -snk2,2 -k4,4n)" \
		"$(grep -aoE '^firing [0-9]+ record [0-9]+$' out.txt)"
done

finish
