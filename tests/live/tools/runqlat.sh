#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# runqlat counts each wait for a CPU: as many as the kernel counts time slices of the process, whose sum is the kernel's
# time in run queues; of other processes none with -p or -n.
# @alone
. "${0%/*}/lib.sh"

# time slices, and ns in run queues
slices() { awk '{ print $3 }' "/proc/$1/schedstat"; }
delay() { awk '{ print $2 }' "/proc/$1/schedstat"; }

spin one 0; one=$spinner
spin two 0
before=$(slices "$one") waited=$(delay "$one")
tool runqlat -p "$one" -d 2 --output=json:out.json
after=$(slices "$one") until=$(delay "$one")
expect_status 0
expect_err ""
counted=$(buckets out.json)
# the tool starts after the first reading and ends before the second
expect_between waits "$counted" $(((after - before) / 3)) $((after - before + 1))
# each bucket's low end and high end, in ns
least=$(jq -s '[.. | .buckets? // empty | .[] | .count * .low * 1000] | add | floor' out.json)
expect_between "time waited, at least" "$least" 1 $((until - waited))

# by name; -n leaves out all others, -a separates them
tool runqlat -a -n bash -d 1 --output=json:name.json
expect_status 0
expect_text "names" "$(jq -r '.. | .keys? // empty | .[0].value // .[0]' name.json | sort -u | grep -v '^bash$')" ""
tool runqlat -d 1
expect_match stdout "$out" '^Waiting for a CPU, in microseconds.*

  all +
 +value  -+ Distribution -+ count'
tool runqlat -a -d 1 -i 1
expect_match stdout "$out" '
20[0-9]{2} [A-Z][a-z]{2} +[0-9]+ [0-9:]{8}

'
expect_match stdout "$out" '  bash +'
tool runqlat -h
expect_match stdout "$out" '^runqlat: '
finish
