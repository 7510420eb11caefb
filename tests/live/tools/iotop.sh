#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# iotop sums up the I/O of each process: of one that writes 64 times 16 KiB 64 I/Os and 1 MiB.
. "${0%/*}/disk.sh"

# one table, at the end
write_direct 64 16384
tool_on iotop -p "$writer" -i 600
expect_status 0
expect_err ""
expect_match stdout "$out" '^[A-Z].*, every [0-9]+ seconds. Ends with \^C.

20[0-9]{2} .*
    PID COMM             DISK     T         KB      I/O    MEAN us
'
row=$(awk -v p="$writer" -v d="$disk" '$1 == p && $3 == d && $4 == "W" { print $5, $6 }' <<<"$out")
expect_text "KB and I/O" "$row" "1024 64"
expect_text "other processes" "$(awk -v p="$writer" 'NR > 4 && NF && $1 != p' <<<"$out")" ""

# -n: the largest only
write_direct 64 16384
tool_on iotop -i 600 -n 1
expect_text "rows" "$(awk 'NR > 4 && !NF { exit } NR > 4' <<<"$out" | wc -l)" 1
tool iotop -p $$ -i 1 -d 2
expect_status 0
expect_text "tables" "$(grep -c '^20' <<<"$out")" 2
tool iotop -h
expect_match stdout "$out" '--?i N .*\(5\)'
finish
