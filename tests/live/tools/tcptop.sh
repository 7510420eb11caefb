#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcptop sums up what a process sends and receives over each connection.
. "${0%/*}/net.sh"

"$DTRACE" -en 'sdt:sock::sock_send_length' >/dev/null 2>&1 ||
	{ tool tcptop -h; expect_match help "$out" 'This machine cannot run it: .*sock_send_length'
	[[ $failures == 0 ]] && echo "this kernel has no tracepoint sock:sock_send_length (Linux 6.3)" && exit 77; finish; }
# one table, at the end
tool_on_transfer 1048576 20480 tcptop -p @ -i 600
expect_status 0
expect_err ""
expect_match stdout "$out" '^[A-Z].*, every [0-9]+ seconds. Ends with \^C.

20[0-9]{2} .*
 +PID COMM +LOCAL +REMOTE +TX KB +RX KB
'
row() { awk -v l="127.0.0.1:$1" '$3 == l { print $1, $4, $5, $6 }' <<<"$out"; } # PORT
expect_text client "$(row "$client")" "$transfer 127.0.0.1:$server 1024 20"
expect_text server "$(row "$server")" "$transfer 127.0.0.1:$client 20 1024"
expect_text rows "$(awk 'NR > 4 && NF' <<<"$out" | wc -l)" 2

tool_on_transfer 1048576 20480 tcptop -p @ -i 600 -n 1
expect_text "one row" "$(awk 'NR > 4 && NF' <<<"$out" | wc -l)" 1
tool tcptop -p $$ -i 1 -d 2
expect_text "tables" "$(grep -c '^20' <<<"$out")" 2
tool tcptop -h
expect_match stdout "$out" '^tcptop: '
finish
