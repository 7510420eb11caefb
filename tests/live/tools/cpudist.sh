#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# cpudist counts the stretches of time that a process is on a CPU, or off it, as the kernel counts its time slices; their
# sum is the time that the process used.
# @alone
. "${0%/*}/lib.sh"

slices() { awk '{ print $3 }' "/proc/$1/schedstat"; }
used() { awk '{ print $1 }' "/proc/$1/schedstat"; }
low() { jq -s '[.. | .buckets? // empty | .[] | .count * .low * 1000] | add // 0 | floor' out.json; }

spin one 0; one=$spinner
spin two 0
before=$(slices "$one") ran=$(used "$one")
tool cpudist -p "$one" -d 2 --output=json:out.json
after=$(slices "$one") until=$(used "$one")
expect_status 0
expect_err ""
counted=$(buckets out.json)
expect_between "stretches on a CPU" "$counted" $(((after - before) / 3)) $((after - before + 1))
expect_between "time on a CPU, at least" "$(low)" $(((until - ran) / 6)) $((until - ran))

before=$(slices "$one") ran=$(used "$one")
tool cpudist -o -p "$one" -d 2 --output=json:out.json
after=$(slices "$one")
expect_between "stretches off a CPU" "$(buckets out.json)" $(((after - before) / 3)) $((after - before + 1))

tool cpudist -a -n bash -d 1 -i 1
expect_match stdout "$out" '^Time on a CPU, in microseconds.*

20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8}

(.*
)?  bash +
 +value  -+ Distribution -+ count'
tool cpudist -o -d 1
expect_match stdout "$out" '^Time off a CPU, in microseconds.*

  all +
'
tool cpudist -h
expect_match stdout "$out" '^cpudist: '
finish
