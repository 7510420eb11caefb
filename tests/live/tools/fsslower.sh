#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# fsslower prints each call for a file that takes long enough, with its bytes and its path; not those for pipes.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >calls.py <<'P'
import os, sys, time
sys.stdin.buffer.raw.read(1) # from a pipe, and slow
fd = os.open("written", os.O_RDWR | os.O_CREAT)
os.write(fd, b"x" * 5000)
os.pread(fd, 300, 0)
os.fsync(fd)
P
run() { tool_beside python3 -S calls.py -- fsslower -p @ "$@"; } # WORD...
run -m 0
expect_status 0
expect_err ""
expect_match stdout "$out" '^TIME +COMM +PID CALL +BYTES +MS FS +PATH
'
fs=$(stat -f -c %T .)
expect_text calls "$(awk -v p="$during" '$6 == p { print $5, $7, $8, $11 }' <<<"$out" | sort | grep '/written$' | sed "s|$PWD/||")" \
	'python3 fsync 0 written
python3 pread64 300 written
python3 write 5000 written'
expect_text "pipes" "$(grep -c pipe <<<"$out")" 0
[[ $fs != ext2/ext3 ]] || expect_text "file system" "$(awk '/written$/ { print $10 }' <<<"$out" | sort -u | grep -c '^ext')" 1
run -m 1h
expect_text "slower than an hour" "$(grep -c . <<<"$out")" 1
run -m 0 -t nosuchfs
expect_text "another file system" "$(grep -c . <<<"$out")" 1
run -m 0 --output=json:out.json
expect_text "bytes in JSON" "$(jq -r '.items[]? | select(.values?[3].value == "pread64") | .values[4].value' out.json)" 300
tool fsslower -p $$ -d 1
expect_status 0
tool fsslower -h
expect_match stdout "$out" '\(10000000\)'
finish
