#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# wakeuptime says who ends the waiting of a process: the clock for one that sleeps, the writer for one that reads a pipe.
. "${0%/*}/sleeper.sh"

tool_on_sleeper wakeuptime -p @ -m 50ms
expect_status 0
expect_err ""
expect_match stdout "$out" '^Microseconds of waiting'
# ten sleeps; another CPU that gets the wakeup as a message does not show the clock
expect_between "microseconds until the clock" "$(sum_at hrtimer_wakeup)" 700000 2500000

# a shell that reads what another one writes after half a second
rm -f pipe out.json out.txt
mkfifo pipe
cp "$(command -v bash)" reader
cp "$(command -v bash)" writer
./writer -c 'exec 8>pipe; echo one >&8; sleep .5; echo two >&8' & # once there is a reader
tool_during ./reader -c 'exec 8<pipe; read -r line <&8; read -r line <&8' -- wakeuptime -p @ -r 0 --output=json:out.json
wait
# the second read waits for the writer
longest=$(jq -s '[.. | .rows? // empty | .[] | select(.keys[0].value == "reader" and .keys[1].value == "writer") | .values[0].value] | max // 0' out.json)
expect_between "microseconds until the writer" "$longest" 400000 4000000
tool wakeuptime -r 1 -d 1
expect_text "one stack" "$(grep -cE '^ +[0-9]+$' <<<"$out")" 1
tool wakeuptime -h
expect_match stdout "$out" '^wakeuptime: '
finish
