#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# bitesize counts each I/O of a process by its size.
. "${0%/*}/disk.sh"

write_direct 7 32768 # another process
other=$writer
write_direct 12 16384
tool_on bitesize -p "$writer" --output=json:out.json
expect_status 0
expect_err ""
large=$(jq -s --arg p "$writer" '[.. | .rows? // empty | .[] | select(.keys[0].value == ($p | tonumber) and .keys[1].value == "dd") | .values[0].buckets[] | select(.low == 16384) | .count] | add // 0' out.json)
# the program itself can be read in pieces of this size
expect_between "I/O of 16 KiB" "$large" 12 16

expect_text "of the other process" "$(jq -s --arg p "$other" '[.. | .rows? // empty | .[] | select(.keys[0].value == ($p | tonumber))] | length' out.json)" 0

write_direct 5 4096
shown='^20' tool_on bitesize -p "$writer" -i 1
expect_match stdout "$out" '^Sizes of block I/O, in bytes. Ends with \^C.

20[0-9]{2} '
expect_match stdout "$out" "
 +$writer  dd +
 +value  -+ Distribution -+ count"
tool bitesize -p $$ -d 1
expect_status 0
tool bitesize -h
expect_match stdout "$out" '^bitesize: '
finish
