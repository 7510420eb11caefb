#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# biolatency counts each I/O of a process once, by disk and direction.
. "${0%/*}/disk.sh"

write_direct 25 8192
tool_on biolatency -p "$writer" -D -r --output=json:out.json
expect_status 0
expect_err ""
written=$(jq -s --arg key "$disk, write" '[.. | .rows? // empty | .[] | select(.keys[0].value == $key) | .values[0].buckets[].count] | add // 0' out.json)
expect_text "writes" "$written" 25

# the times are microseconds: I/O of one process one after another took as long as its times, and not longer than the test
began=${EPOCHREALTIME/./}
write_direct 500 4096
tool_on biolatency -p "$writer" --output=json:out.json
took=$((${EPOCHREALTIME/./} - began))
expect_between "I/O of one process" "$(buckets out.json)" 500 560
expect_between "microseconds of all of it" "$(jq -s '[.. | .buckets? // empty | .[] | .count * .low] | add // 0 | floor' out.json)" 500 "$took"

write_direct 5 4096
shown='^20' tool_on biolatency -p "$writer" -i 1
expect_match stdout "$out" '^Time of block I/O, in microseconds. Ends with \^C.

20[0-9]{2} .*
  all disks +
 +value  -+ Distribution -+ count'
tool biolatency -p $$ -d 1
expect_status 0
tool biolatency -h
expect_match stdout "$out" '^biolatency: '
finish
