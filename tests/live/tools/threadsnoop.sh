#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# threadsnoop prints each thread that a process creates, by the number that the kernel gives it; not processes that it creates.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >threads.py <<'P'
import os, subprocess, sys, threading
sys.stdin.buffer.raw.read(1)
def run():
    print(threading.get_native_id(), flush=True)
for i in range(4):
    t = threading.Thread(target=run)
    t.start()
    t.join()
subprocess.run(["true"])
P
run() { tool_beside python3 threads.py -- threadsnoop -p @ "$@"; } # WORD...
run
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +TIME s +PID COMM +BY TID +TID
'
expect_text threads "$(awk -v p="$during" '$2 == p && $3 == "python3" && $4 == p { print $5 }' <<<"$out")" "$(<said.txt)"
expect_text "other lines" "$(awk -v p="$during" 'NR > 1 && NF && $2 != p' <<<"$out")" ""
run -s
expect_match stack "$out" 'libc.so.6`(__?)?clone'
run -n nosuchname
expect_text "another name" "$(grep -c . <<<"$out")" 1
run --output=json:out.json
expect_text JSON "$(jq -r '.items[]? | select(.values?[3].value == "python3") | .values[5].value' out.json)" "$(<said.txt)"
tool threadsnoop -p $$ -d 1
expect_status 0
tool threadsnoop -h
expect_match stdout "$out" '^threadsnoop: '
finish
