#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A probe at a 5-byte NOP changes no result.  Kernels that would replace the NOP by a call get none there, unless it is a
# function's first instruction; such places are named.
# @ref providers 15 create-failed
set -u
. "${0%/*}/lib.sh"

good=$'0 of 1000 results differ\n'
expect_text untraced "$("$here/red_zone")"$'\n' "$good"
at=$(objdump -d --no-show-raw-insn --disassemble=mix "$here/red_zone" | sed -n 's/^ *\([0-9a-f]*\):.*nopl.*0x0(%rax,%rax,1).*/\1/p' | head -n 1)
start=$(nm "$here/red_zone" | sed -n 's/^\([0-9a-f]*\) T mix$/\1/p')
offset=$(printf '%x' $((0x$at - 0x$start)))

try "$DTRACE" -qn 'pid$target:a.out:mix: { @ = count(); } END { printa("%@d", @); }' -c "$here/red_zone"
expect_status 0
expect_text "the program's output" "$(head -n 1 out.txt)"$'\n' "$good"
why='this kernel replaces a 5-byte NOP by a call, which changes what the function keeps below its stack pointer'
if "$DTRACE" --doctor | grep -q '^uprobe_nop5 *ok'; then
	for desc in "pid\$target:a.out:mix:$offset" 'leaf$target:::mixed'; do
		try "$DTRACE" -qn "$desc"' { @ = count(); } END { printa("%@d", @); }' -c "$here/red_zone"
		expect_status 0
		expect_text "$desc" "$(grep -v '^$' out.txt)" "${good}1000"
	done
else
	expect_match stderr "$err" "1 of the probes are not enabled: $why \\(the first is red_zone:mix:$offset\\)"
	try "$DTRACE" -x errtags -n "pid\$target:a.out:mix:$offset" -c "$here/red_zone"
	expect_status 1
	expect_match stderr "$err" "\\[D_PROC_CREATEFAIL\\] failed to create probes at 'mix\\+0x$offset': $why"
	try "$DTRACE" -x errtags -n 'leaf$target:::mixed' -c "$here/red_zone"
	expect_status 1
	expect_match stderr "$err" "\\[D_PROC_CREATEFAIL\\] failed to create static probe 'leaf:mixed': $why"
	# among all processes, and by a pattern
	try "$DTRACE" -qn 'leaf*:::mix* { @ = count(); }' -Z -c "$here/red_zone"
	expect_text "the program's output" "$(head -n 1 out.txt)"$'\n' "$good"
fi

finish
