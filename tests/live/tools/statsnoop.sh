#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# statsnoop prints each call that asks about a file by its path, and whether it is there.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >asks.py <<'P'
import os, sys
sys.stdin.buffer.raw.read(1)
fd = os.open(".", os.O_RDONLY)
os.stat("asks.py")
os.lstat("asks.py")
os.stat("asks.py", dir_fd=fd)
os.fstat(fd) # by its descriptor
os.access("asks.py", os.R_OK)
for i in range(3):
    try:
        os.stat("nosuch%d" % i)
    except OSError:
        pass
try:
    os.readlink("asks.py")
except OSError:
    pass
os.statvfs(".")
P
run() { tool_beside python3 -S asks.py -- statsnoop -p @ "$@"; } # WORD...
ours() { awk -v p="$during" '$1 == p { print $3, $4, $5 }' <<<"$out" | grep -E ' (asks.py|nosuch.|\.)$'; }
run
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +PID COMM +CALL +ERR +PATH
'
expect_text calls "$(ours)" 'newfstatat - asks.py
newfstatat - asks.py
newfstatat - asks.py
access - asks.py
newfstatat ENOENT nosuch0
newfstatat ENOENT nosuch1
newfstatat ENOENT nosuch2
readlink EINVAL asks.py
statfs - .'
expect_text "empty paths" "$(awk -v p="$during" '$1 == p && NF < 5' <<<"$out")" ""
run -x
expect_text "failed ones" "$(ours | awk '{ print $2 }' | sort | uniq -c | awk '{ print $1, $2 }' | tr '\n' ' ')" "1 EINVAL 3 ENOENT "
run -n nosuchname
expect_text "another name" "$(grep -c . <<<"$out")" 1
run --output=json:out.json
expect_text JSON "$(jq -r '.items[]? | select(.values?[3].value == "ENOENT") | .values[4].value' out.json | grep nosuch | tr '\n' ' ')" "nosuch0 nosuch1 nosuch2 "
tool statsnoop -p $$ -d 1
expect_status 0
tool statsnoop -h
expect_match stdout "$out" '^statsnoop: '
finish
