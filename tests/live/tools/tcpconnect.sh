#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tcpconnect prints each connection that a process opens, and its answer: established, refused, or none.
. "${0%/*}/net.sh"

tool_on_transfer 10 10 tcpconnect -p @
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +PID COMM +LADDR +LPORT RADDR +RPORT +MS ANSWER
'
expect_text established "$(awk '$8 == "established" { print $1, $2, $3, $4, $5, $6 }' <<<"$out")" \
	"$transfer python3 127.0.0.1 $client 127.0.0.1 $server"
expect_text refused "$(awk '$8 == "refused" { print $1, $2, $3, $5, $6 }' <<<"$out")" \
	"$transfer python3 127.0.0.1 127.0.0.1 $closed"
expect_text lines "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 2

tool_on_transfer 10 10 tcpconnect -p @ -f
expect_text "refused only" "$(awk 'NR > 1 && NF { print $8 }' <<<"$out")" refused
tool_on_transfer 10 10 tcpconnect -p @ -P 1
expect_text "to port 1" "$(grep -c . <<<"$out")" 1
tool_on_transfer 10 10 tcpconnect -p @ --output=json:out.json
expect_text answers "$(jq -r '.items[]? | select(.values?[1].value == "python3") | .values[-1].value' out.json | sort | tr '\n' ' ')" "established refused "

# one that nobody answers: the other end's filter loses the SYN
cat >unanswered.py <<'P'
import ctypes, socket, struct, sys
listener = socket.socket()
listener.bind(("127.0.0.1", 0))
listener.listen()
drop = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
listener.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HL", 1, ctypes.addressof(drop)))
client = socket.socket()
client.settimeout(0.3)
try:
    client.connect(listener.getsockname())
except TimeoutError:
    print(listener.getsockname()[1], flush=True)
client.close()
P
tool_during python3 -S unanswered.py -- tcpconnect -p @
cp said.txt port
expect_text "without an answer" "$(awk 'NR > 1 && NF { print $6, $8 }' <<<"$out")" "$(cat port) none"
expect_between "milliseconds until it was given up" "$(awk 'NR > 1 && NF { print int($7) }' <<<"$out")" 300 10000
tool tcpconnect -p $$ -d 1
expect_status 0
tool tcpconnect -h
expect_match stdout "$out" '^tcpconnect: '
finish
