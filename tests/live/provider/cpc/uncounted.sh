#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @needs hardware_events
# The kernel stops a hardware event that fires too often until the next timer tick; the time for which it is not counted is told.
# @ref providers 13
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
limit=/proc/sys/kernel/perf_event_max_sample_rate
before=$(<$limit)
trap 'echo "$before" >$limit' EXIT
echo 500 >$limit || exit 1
"$BUILD/tests/live/triggers/busy" user 30000 &
busy=$!
"$DTRACE" -q -x cpu=0 -x droptags -n 'cpc:::cpu_cycles-all-100000 { n++; } tick-1s { exit(0); }' 2>err.txt
kill "$busy"
grep -qx 'dtrace: \[DTRACEDROP_UNCOUNTED\] [0-9]* milliseconds in which a CPU did not count a hardware event; its firings are unknown' err.txt ||
	{ cat err.txt; exit 1; }
