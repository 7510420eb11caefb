#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# cachestat: a file whose pages were thrown out of memory is missed once; read again, it is all there.
. "${0%/*}/lib.sh"

command -v python3 >/dev/null || { echo "needs python3"; exit 77; }
dd if=/dev/zero of=data bs=1M count=4 conv=fsync 2>/dev/null
cat >reads.py <<'P'
import os, sys
fd = os.open("data", os.O_RDONLY)
os.posix_fadvise(fd, 0, 0, os.POSIX_FADV_DONTNEED)
sys.stdin.buffer.raw.read(1)
for round in range(int(sys.argv[1])):
    for at in range(0, 4 << 20, 65536):
        os.pread(fd, 65536, at)
P
run() { tool_beside python3 -S reads.py "$1" -- cachestat -p @ -i 600; } # ROUNDS; one table, at the end
run 1
expect_status 0
expect_err ""
expect_match stdout "$out" '^TIME +CALLS +PAGES +MISSES +HIT %
'
read -r calls pages misses hit <<<"$(awk 'NR == 2 { print $5, $6, $7, $8 }' <<<"$out")"
expect_text "calls and pages" "$calls $pages" "64 1024"
if [[ $misses == 0 ]]; then
	echo "this file system keeps no pages, or does not give them up"
	exit 77
fi
expect_between misses "$misses" 1000 1100
expect_between "hits, %" "$hit" 0 3
run 4
read -r calls pages misses hit <<<"$(awk 'NR == 2 { print $5, $6, $7, $8 }' <<<"$out")"
expect_text "calls and pages of four rounds" "$calls $pages" "256 4096"
expect_between "misses of four rounds" "$misses" 1000 1100
expect_between "hits of four rounds, %" "$hit" 73 76
tool cachestat -p $$ -d 2 --output=json:out.json
expect_text "lines" "$(jq -s '[.[] | .items[]? | select(.action == "printa")] | length' out.json)" 2
tool cachestat -h
expect_match stdout "$out" '^cachestat: '
finish
