#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# procsystime counts the calls of a process, with the time that they took: of ten sleeps of 0.1 s a second in all, and hardly any of
# it on a CPU.
. "${0%/*}/lib.sh"

cat >sleeps.py <<'P'
import os, sys, time
sys.stdin.buffer.raw.read(1)
for i in range(10): time.sleep(0.1)
for i in range(5000): os.getppid()
P
run() { tool_beside python3 -S sleeps.py -- procsystime "$@"; } # WORD...
run -p @
expect_status 0
expect_err ""
expect_match stdout "$out" '
SYSCALL +COUNT +ELAPSED us +CPU us
'
row() { awk -v call="$1" '$1 == call { print $2, $3, $4 }' <<<"$out"; }
read -r count elapsed oncpu <<<"$(row clock_nanosleep)"
expect_text sleeps "$count" 10
expect_between "us of the sleeps" "$elapsed" 1000000 3000000
expect_between "us of them on a CPU" "$oncpu" 0 100000
read -r count elapsed oncpu <<<"$(row getppid)"
expect_text getppid "$count" 5000
expect_between "us on a CPU in getppid" "$oncpu" 0 "$((elapsed + 5000))"
read -r count elapsed oncpu <<<"$(row TOTAL)"
expect_text "total" "$count" "$(awk '$2 ~ /^[0-9]+$/ && $1 != "TOTAL" { n += $2 } END { print n }' <<<"$out")"
run -n nosuchname
expect_text "another name" "$(row getppid)" ""
run -p @ --output=json:out.json
expect_text JSON "$(jq -s '[.. | .rows? // empty | .[] | select(.keys?[0].value == "getppid") | .values[0].value] | max' out.json)" 5000
tool procsystime -p $$ -d 1
expect_status 0
tool procsystime -h
expect_match stdout "$out" '^procsystime: '
finish
