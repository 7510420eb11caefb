#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# offcputime adds up how long a process waits, by stack: of one that sleeps for a second in all, a second at nanosleep.
. "${0%/*}/sleeper.sh"

tool_on_sleeper offcputime -p @ -n python3
expect_status 0
# the sleeper's Python may be one that jstack() does not know
err=$(sed '/: jstack() does not know its Python, /d' <<<"$err")
expect_err ""
expect_match stdout "$out" '^Microseconds off a CPU, by stack. Ends with \^C.
'
# the clock runs before the thread has left its CPU: 0.1 ms later on an emulated one; a loaded machine lets it run later
expect_between "microseconds asleep" "$(sum_at clock_nanosleep)" 980000 2500000
expect_match "kernel stack" "$out" 'vmlinux`(do_nanosleep|hrtimer_nanosleep)'
expect_text "other processes" "$(grep -E '^  [a-z]' <<<"$out" | grep -v '^  python3 ')" ""
tool_on_sleeper offcputime -p @ -u -m 50ms -r 1
expect_text "one stack" "$(grep -c '^  python3' <<<"$out")" 1
expect_text "frames of the kernel" "$(grep -c 'vmlinux`' <<<"$out")" 0
tool_on_sleeper offcputime -p @ -m 1h
expect_text "longer than an hour" "$(grep -c python3 <<<"$out")" 0
tool_on_sleeper offcputime -p @ -n other --output=json:out.json
expect_text "another name" "$(jq -s '[.. | .rows? // empty | .[]] | length' out.json)" 0
tool offcputime -p $$ -d 1
expect_status 0
tool offcputime -h
expect_match stdout "$out" '^offcputime: '
finish
