#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# filetop sums up what a process reads from and writes to each file, the most first.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >files.py <<'P'
import os, sys
sys.stdin.buffer.raw.read(1)
large = os.open("large", os.O_RDWR | os.O_CREAT)
small = os.open("small", os.O_RDWR | os.O_CREAT)
for i in range(64):
    os.write(large, b"x" * 16384)
for i in range(100):
    os.pread(large, 4096, 0)
os.write(small, b"y" * 2048)
r, w = os.pipe()
os.write(w, b"z" * 1024)
P
# one table, at the end
run() { # WORD...
	rm -f large small
	tool_beside python3 -S files.py -- filetop -p @ -i 600 "$@"
}
run
expect_status 0
expect_err ""
expect_match stdout "$out" '^[A-Z].*, every [0-9]+ seconds. Ends with \^C.

20[0-9]{2} .*
 +PID COMM +CALLS +READ KB +WRITE KB PATH
'
expect_text files "$(awk -v p="$during" '$1 == p { print $3, $4, $5, $6 }' <<<"$out" | sed "s|$PWD/||")" '164 400 1024 large
1 0 2 small'
expect_text "other processes" "$(awk -v p="$during" 'NR > 4 && NF && $1 != p' <<<"$out")" ""
run -n 1
expect_text "one row" "$(awk 'NR > 4 && NF' <<<"$out" | wc -l)" 1
run -a
expect_match "with pipes" "$out" ' 1 +0 +1 pipe:'
run --output=json:out.json
expect_text JSON "$(jq -s '[.. | .rows? // empty | .[] | .values[3].value] | max' out.json)" "$((64 * 16384 + 100 * 4096))"
tool filetop -p $$ -i 1 -d 2
expect_status 0
expect_text "tables" "$(grep -c '^20' <<<"$out")" 2
tool filetop -h
expect_match stdout "$out" '^filetop: '
finish
