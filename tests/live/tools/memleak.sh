#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# memleak prints what was allocated and not freed, exactly, by stack: by each function of the C library, also when realloc()
# moves a block or frees it.
. "${0%/*}/lib.sh"

leak=$BUILD/tests/live/triggers/leak
# "BYTES BLOCKS" of the stacks through a function, the most first
kept() { # FUNCTION
	awk -v f="leak\`$1+" 'index($0, f) { here = 1 } / bytes in / { if (here) print $1, $4; here = 0 }' <<<"$out" | sort -rn | tr '\n' ';'
}

tool memleak -r 0 -c "$leak"
expect_status 0
expect_match stdout "$out" '^Bytes that are allocated and not freed since now, by stack. Ends with \^C.
'
expect_text leaks "$(kept leaks)" "1000 10;"
expect_text grows "$(kept grows)" "5000 1;300 1;"
expect_text frees "$(kept frees)" ""
expect_text zeroes "$(kept zeroes)" "210 1;"
expect_text aligned "$(kept aligned)" "640 1;128 1;64 1;"
expect_text shrinks "$(kept shrinks)" ""
expect_text "what was freed" "$(grep ' 0 bytes in 0 blocks' <<<"$out")" ""

# the largest first; -m leaves out small blocks; -p takes a process that runs
tool memleak -r 1 -c "$leak"
expect_text "the largest" "$(grep ' bytes in ' <<<"$out" | head -1 | xargs)" "5000 bytes in 1 blocks"
tool memleak -m 500 -c "$leak"
expect_text "small ones" "$(kept leaks)$(kept frees)" ""
expect_text "large ones" "$(kept grows)" "5000 1;"
rm -f out.json out.txt
mkfifo go
exec 9<>go
"$leak" - <go 9>&- &
pid=$!
(when_tracing 600; echo >&9) &
waits=$!
tool memleak -p $pid --output=json:out.json 9>&-
# if it never traced, the program ends at the end of its input
kill $waits 2>/dev/null
exec 9>&-
wait
expect_err ""
expect_text "bytes in JSON" "$(jq -s '[.. | .rows? // empty | .[] | .values[0].value] | max' out.json)" 5000
tool memleak -p $$ -i 1 -d 2
expect_match "each second" "$out" '
20[0-9]{2} [A-Z].*
20[0-9]{2} [A-Z]'
tool memleak -h
expect_match stdout "$out" '
  -p PID +trace this process
'
tool memleak
expect_status 1
finish
