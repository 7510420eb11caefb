#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# biosnoop prints a line for each I/O of a process: its number, size, disk and order are those of the writes; others' are
# left out by -p, -D and --cgroup.
. "${0%/*}/disk.sh"

write_direct 20 8192
tool_on biosnoop -p "$writer"
expect_status 0
expect_err ""
expect_match stdout "$out" '^ +TIME s COMM +PID DISK +T +SECTOR +BYTES +LAT ms
'
# the program is read from the disk, too, unless it is in memory
lines=$(grep -c " dd  *$writer  *$disk  *W  *[0-9]*  *8192 " <<<"$out")
expect_text "lines of the writes" "$lines" 20
expect_text "other processes" "$(awk -v p="$writer" 'NR > 1 && $3 != p' <<<"$out" | sed '/^$/d')" ""
# no line is wider than 80 columns, and times are positive
expect_text "wide lines" "$(grep -E '.{81}' <<<"$out")" ""
expect_text "late ones" "$(awk 'NR > 1 && NF && ($8 <= 0 || $8 > 10000)' <<<"$out")" ""

write_direct 5 40960
tool_on biosnoop -p "$writer" --output=json:out.json
expect_text "records" "$(jq -s '[.[] | .items[]?.values? // empty | select(length == 10 and .[7].value == 40960 and .[2].value == "dd")] | length' out.json)" 5

write_direct 5 4096
tool_on biosnoop -D nosuch
expect_text "other disks" "$(grep -c . <<<"$out")" 1
tool biosnoop -p $$ -d 1
expect_status 0
tool biosnoop -h
expect_match stdout "$out" '^biosnoop: '
finish
