#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# --cgroup: tools for block I/O, which ends in an interrupt, know what a group and the groups below it have started; other
# tools have dtrace's own --cgroup.
# @alone
. "${0%/*}/disk.sh"

top=$(findmnt -t cgroup2 -no TARGET | head -1)
[[ -n $top ]] || { echo "no control groups of version 2 are mounted"; exit 77; }
group=dtrace-tools-$$
mkdir -p "$top/$group/below" || { echo "cannot make control groups"; exit 77; }
# shellcheck disable=SC2064
trap "for i in {1..50}; do rmdir '$top/$group/below' '$top/$group' 2>/dev/null; [[ -e $top/$group ]] || break; sleep .1; done" EXIT

# A writer in the group below, and one outside: 20 writes of 8192 bytes, 9 of 16384.
writers() {
	write_direct 9 16384
	outside=$writer
	write_direct 20 8192
	inside=$writer
	echo "$inside" >"$top/$group/below/cgroup.procs"
}
sizes() { awk -v p="$1" -v s="$2" '$3 == p && $7 == s' <<<"$out" | wc -l; } # PID SIZE
writers
tool_on biosnoop --cgroup "/$group"
expect_status 0
expect_err ""
expect_text "I/O of the group below" "$(sizes "$inside" 8192)" 20
expect_text "I/O outside" "$(awk -v p="$outside" '$3 == p' <<<"$out")" ""
writers
tool_on biosnoop --cgroup "$top/$group/below"
expect_text "I/O of the group, by its folder" "$(sizes "$inside" 8192)" 20
writers
tool_on biolatency --cgroup "$group" --output=json:out.json
# the program itself may be read in other pieces
expect_between "I/O counted" "$(buckets out.json)" 20 60
writers
tool_on iotop --cgroup "$group/below" -i 600 # one table, at the end
expect_text "KB written" "$(awk -v p="$inside" '$1 == p && $4 == "W" { print $5 }' <<<"$out")" 160
expect_text "rows outside" "$(awk -v p="$outside" '$1 == p' <<<"$out")" ""
tool biosnoop --cgroup nosuchgroup
expect_status 2
expect_match stderr "$err" 'biosnoop.d: --cgroup: there is no control group nosuchgroup'

# dtrace's own
rm -f go
(echo $BASHPID >"$top/$group/below/cgroup.procs"; until [[ -e go ]]; do sleep .1; done; cat written nosuchfile >/dev/null 2>&1) &
tool_on opensnoop --cgroup "/$group" -n cat
expect_text "files opened in the group" "$(grep -cE ' (written|nosuchfile)$' <<<"$out")" 2
finish
