#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vfsstat counts the calls of a process by kind: exactly those of one that makes a known number of each, in one interval.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >calls.py <<'P'
import os, sys
sys.stdin.buffer.raw.read(1)
for i in range(4):
    fd = os.open("f%d" % i, os.O_RDWR | os.O_CREAT, 0o600)
    for k in range(5):
        os.pwrite(fd, b"x", 0)
    for k in range(7):
        os.pread(fd, 1, 0)
    os.fsync(fd)
    os.close(fd)
    os.close(os.open("f%d" % i, os.O_RDONLY))
    os.unlink("f%d" % i)
    try:
        os.open("nosuch", os.O_RDONLY)
    except OSError:
        pass
P
tool_beside python3 -S calls.py -- vfsstat -p @ -i 600
expect_status 0
expect_err ""
expect_match stdout "$out" '^TIME +READ +WRITE +FSYNC +OPEN +CREATE +UNLINK
'
# one more read: the one that let it begin
expect_text "calls" "$(awk 'NR == 2 { print $5, $6, $7, $8, $9, $10 }' <<<"$out")" "29 20 4 8 4 4"
tool vfsstat -d 2 --output=json:out.json
expect_text "lines" "$(jq -s '[.[] | .items[]? | select(.action == "printa")] | length' out.json)" 2
tool vfsstat -h
expect_match stdout "$out" '^vfsstat: '
finish
