#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# rwsnoop prints each call of a process that reads or writes, with the bytes or the error, and the file.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
cat >files.py <<'P'
import os, sys
sys.stdin.buffer.raw.read(1)
large = os.open("large", os.O_RDWR | os.O_CREAT)
for i in range(3):
    os.write(large, b"x" * 5000)
os.pread(large, 300, 0)
r, w = os.pipe()
os.write(w, b"z" * 10)
os.read(r, 100)
os.set_blocking(r, False)
try:
    os.read(r, 1)
except BlockingIOError:
    pass
P
run() { # WORD...
	rm -f large
	tool_beside python3 -S files.py -- rwsnoop -p @ "$@"
}
run
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +PID COMM +D +BYTES +US FILE
'
expect_text calls "$(awk -v p="$during" '$1 == p && !/\/go$/ { print $3, $4, $6 }' <<<"$out" | sed "s|$PWD/||; s|pipe:.*|pipe|" | grep -E 'large|pipe')" \
	'W 5000 large
W 5000 large
W 5000 large
R 300 large
W 10 pipe
R 10 pipe
R -11 pipe'
run -f "$PWD/large"
expect_text "one file" "$(awk -v p="$during" '$1 == p { print $3 $4 }' <<<"$out" | tr '\n' ' ')" "W5000 W5000 W5000 R300 "
run -n nosuchname
expect_text "another name" "$(grep -c . <<<"$out")" 1
run -f "$PWD/large" --output=json:out.json
expect_text JSON "$(jq -r '.items[]? | select(.values?[2].value == "W") | .values[3].value' out.json | tr '\n' ' ')" "5000 5000 5000 "
tool rwsnoop -p $$ -d 1
expect_status 0
tool rwsnoop -h
expect_match stdout "$out" '^rwsnoop: '
finish
