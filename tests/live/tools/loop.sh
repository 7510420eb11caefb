#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tools for block I/O on a loop device: each I/O that the trigger says it made is a line of biosnoop, with its disk, direction,
# place and size, and is counted once by bitesize and biolatency.
. "${0%/*}/lib.sh"
(. "${0%/*}/../provider/lib.sh"; can blockio w 0 512) || exit 77

blockio=$BUILD/tests/live/triggers/blockio
io=(w 0 4096 w 64 8192 r 0 4096 r 64 512 w 8 4096)
tool_during "$blockio" "${io[@]}" -- biosnoop -p @
expect_status 0
expect_text "I/O" "$(awk -v p="$during" '$3 == p { print $4, $5, $6, $7 }' <<<"$out")" \
	"$(awk '$1 == "start" { print $4, toupper($5), $6, $7 }' said.txt)"
expect_text "lines" "$(awk 'NR > 1 && NF' <<<"$out" | wc -l)" 5
tool_during "$blockio" "${io[@]}" -- biosnoop -p $$
expect_text "of another process" "$(grep -c . <<<"$out")" 1
sizes() { jq -sc '[.. | .rows? // empty | .[] | .values[0].buckets[] | select(.count > 0) | [.low, .count]]' out.json; }
tool_during "$blockio" "${io[@]}" -- bitesize -p @ --output=json:out.json
expect_text "sizes" "$(sizes)" "[[512,1],[4096,3],[8192,1]]"
tool_during "$blockio" "${io[@]}" -- biolatency -p @ -r --output=json:out.json
expect_text "times" "$(buckets out.json)" 5
expect_text "directions" "$(jq -r '.. | .rows? // empty | .[].keys[0].value' out.json | sort | tr '\n' ';')" "all disks, read;all disks, write;"
finish
