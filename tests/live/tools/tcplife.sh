#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcplife prints each connection of a process once when it ends, both ends of one on loopback, with the bytes that went over
# it; -L, -R and -p leave out others.
. "${0%/*}/net.sh"

tool_on_transfer 1048576 20480 tcplife -p @
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +PID COMM +LADDR +LPORT RADDR +RPORT +TX KB +RX KB +MS
'
line() { awk -v l="$1" -v r="$2" '$4 == l && $6 == r { print $1, $2, $3, $5, $7, $8 }' <<<"$out"; } # LPORT RPORT
expect_text client "$(line "$client" "$server")" "$transfer python3 127.0.0.1 127.0.0.1 1024 20"
expect_text server "$(line "$server" "$client")" "$transfer python3 127.0.0.1 127.0.0.1 20 1024"
expect_text "other processes" "$(awk -v p="$transfer" 'NR > 1 && NF && $1 != p' <<<"$out")" ""
# both, and the one that was refused
expect_text lines "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 3
# milliseconds, not less than nothing and not more than the test took
expect_text durations "$(awk 'NR > 1 && NF && ($9 <= 0 || $9 > 60000)' <<<"$out")" ""

tool_on_transfer 10 10 tcplife -p @ -R 1
expect_text "remote port 1" "$(grep -c . <<<"$out")" 1
tool_on_transfer 10 10 tcplife -p @ -L 1
expect_text "local port 1" "$(grep -c . <<<"$out")" 1
tool_on_transfer 4096 4096 tcplife -p @ --output=json:out.json
expect_text "ports" "$(jq -r '.items[]? | select(.values?[1].value == "python3") | "\(.values[3].value) \(.values[5].value)"' out.json | sort | grep -v "^[0-9]* $closed$" | head -1)" \
	"$(printf '%s\n' "$client $server" "$server $client" | sort | grep -v "^[0-9]* $closed$" | head -1)"
tool tcplife -p $$ -d 1
expect_status 0
tool tcplife -h
expect_match stdout "$out" '^tcplife: '
finish
