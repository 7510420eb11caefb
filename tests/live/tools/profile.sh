#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @vm no: what it measures depends on how fast the machine is
# profile samples a process as often as it used a CPU, by the kernel's account of its time, and its stacks make a flame
# graph.
# @alone
. "${0%/*}/lib.sh"

used() { awk '{ print $14 + $15 }' "/proc/$1/stat"; } # in ticks
spin busy 0; busy=$spinner
hz=$(getconf CLK_TCK)
samples() { jq -s '[.. | .rows? // empty | .[].values[0].value] | add // 0' out.json; }
before=$(used "$busy")
tool profile -p "$busy" -d 3 --output=json:out.json
after=$(used "$busy")
expect_status 0
expect_err ""
# the tool starts after the first reading, and ends before the second
most=$(((after - before) * 97 / hz + 2))
expect_between samples "$(samples)" $((most / 3)) "$most"
expect_text name "$(jq -r '.. | .rows? // empty | .[].keys[0].value' out.json | sort -u)" bash
for which in -u -k; do
	tool profile -p "$busy" "$which" -d 1 --output=json:out.json
	expect_text "kinds of $which" "$(jq -r '.. | .rows? // empty | .[].keys[1:][].kind' out.json | sort -u | tr '\n' ' ')" \
		"$([[ $which == -u ]] && echo 'ustack ' || [[ $(samples) == 0 ]] || echo 'stack ')"
done
tool profile -p "$busy" -r 1 -d 2
expect_text "one stack" "$(grep -c '^  bash' <<<"$out")" 1
tool profile -n nosuchname -d 1
expect_out $'\n'
tool profile -p "$busy" -d 1 --output=flamegraph:out.html
expect_match "flame graph" "$(head -c 100 out.html)" '<!DOCTYPE html>'
tool profile -h
expect_match stdout "$out" '^profile: '
finish
