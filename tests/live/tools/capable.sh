#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# capable prints the capabilities that the kernel asks a process for, granted and denied.
. "${0%/*}/lib.sh"

"$DTRACE" -en 'sdt:capability::cap_capable' >/dev/null 2>&1 ||
	{ tool capable -h; expect_match help "$out" 'This machine cannot run it: .*cap_capable'
	[[ $failures == 0 ]] && echo "this kernel has no tracepoint capability:cap_capable" && exit 77; finish; }
command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >asks.py <<'P'
import os, socket, sys
sys.stdin.buffer.raw.read(1)
for i in range(3):
    socket.sethostname(socket.gethostname()) # CAP_SYS_ADMIN in a namespace of its own
os.setresuid(65534, 65534, 65534)
for i in range(2):
    try:
        socket.sethostname("x")
    except PermissionError:
        pass
P
run() { tool_beside unshare -u python3 -S asks.py -- capable -p @ "$@"; } # WORD...
seen() { awk -v p="$during" '$2 == p && $5 == "CAP_SYS_ADMIN" { print $1, $4, $6 }' <<<"$out" | sort | uniq -c | awk '{ print $1, $2, $3, $4 }'; }
run
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +UID +PID COMM +CAP NAME +RESULT
'
# a number granted to root for setting the name, and both denied
expect_match granted "$(seen)" '(^|
)[3-9] 0 21 granted'
expect_match denied "$(seen)" '2 65534 21 denied'
run -x
expect_text "denied only" "$(awk -v p="$during" '$2 == p { print $6 }' <<<"$out" | sort -u)" denied
run -u
expect_text "once" "$(awk -v p="$during" '$2 == p && $5 == "CAP_SYS_ADMIN"' <<<"$out" | wc -l)" 1
run -n nosuchname
expect_text "another name" "$(grep -c . <<<"$out")" 1
run --output=json:out.json
expect_text JSON "$(jq -r '.items[]? | select(.values?[5].value == "denied" and .values[4].value == "CAP_SYS_ADMIN") | .values[3].value' out.json | tr '\n' ' ')" "21 21 "
tool capable -p $$ -d 1
expect_status 0
tool capable -h
expect_match stdout "$out" '^capable: '
finish
