#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gethostlatency prints each call of getaddrinfo() and its like, with the name and whether there was an answer.
. "${0%/*}/net.sh"

cat >resolve.py <<'P'
import socket, sys
sys.stdin.readline()
for name in ["localhost"] * 5 + ["no.such.name.invalid"] * 2:
    try:
        socket.getaddrinfo(name, None)
    except socket.gaierror:
        pass
socket.gethostbyname("localhost")
P
# without network: no name server is asked
resolve() { tool_beside unshare -n python3 resolve.py -- gethostlatency "$@"; } # WORD...
resolve -p @
expect_status 0
expect_err ""
expect_match stdout "$out" '^TIME +PID COMM +MS RESULT HOST
'
expect_text "resolved" "$(awk -v p="$during" '$5 == p && $6 == "python3" && $8 == "ok" && $9 == "localhost"' <<<"$out" | wc -l)" 6
expect_text "not resolved" "$(awk -v p="$during" '$5 == p && $8 == "failed" && $9 == "no.such.name.invalid"' <<<"$out" | wc -l)" 2
resolve -p @ -m 1h
expect_text "slow ones" "$(grep -c . <<<"$out")" 1
resolve -p @ --output=json:out.json
expect_text "names" "$(jq -r '.items[]? | select(.values?[2].value == "python3") | .values[-1].value' out.json | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" "6 localhost 2 no.such.name.invalid "
tool gethostlatency -p $$ -d 1
expect_status 0
tool gethostlatency -h
expect_match stdout "$out" '^gethostlatency: '
finish
