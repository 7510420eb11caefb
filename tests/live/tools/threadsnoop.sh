#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: it has a few seconds in which to see everything, and an emulated machine is too slow for that
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
mkfifo go
run() { # WORD...
	rm -f out.txt out.json
	python3 threads.py <go >ids &
	threads=$!
	exec 9>go
	sleep .5
	(when_tracing; echo -n 1 >&9) &
	tool threadsnoop -p "$threads" "$@" 9>&-
	exec 9>&-
	wait
}
run -d 4
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +TIME s +PID COMM +BY TID +TID
'
expect_text threads "$(awk -v p="$threads" '$2 == p && $3 == "python3" && $4 == p { print $5 }' <<<"$out")" "$(<ids)"
expect_text "other lines" "$(awk -v p="$threads" 'NR > 1 && NF && $2 != p' <<<"$out")" ""
run -s -d 4
expect_match stack "$out" 'libc.so.6`(__?)?clone'
run -n nosuchname -d 3
expect_text "another name" "$(grep -c . <<<"$out")" 1
run -d 4 --output=json:out.json
expect_text JSON "$(jq -r '.items[]? | select(.values?[3].value == "python3") | .values[5].value' out.json)" "$(<ids)"
tool threadsnoop -h
expect_match stdout "$out" '^threadsnoop: '
finish
