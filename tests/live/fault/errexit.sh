#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# errexit: the first fault is the end of the run, with status 1; without it there are as many as there are.
# @ref options 3 errexit
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

fault='dtrace: error in dt_clause_0 for probe ID [0-9]+ \(profile:::tick-100\): divide-by-zero in action #[12] at line 1'
try timeout $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -x errexit -qn 'int zero; tick-100 { trace(1 / zero); }'
expect_status 1
expect_match stderr "$err" "^$fault"$'\ndtrace: processing aborted: Abort due to error\n$'
# with every policy at once: nobody looks at the records of fill and ring while tracing
for policy in switch fill ring; do
	try timeout $((20 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -x errexit -x bufpolicy=$policy -qn 'BEGIN { trace(*(int *)8); } tick-100 { }
		END { printf("end"); }'
	expect_status 1
	expect_out ""
	expect_err $'dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): invalid address (0x8) in action #1 at line 1\ndtrace: processing aborted: Abort due to error\n'
done
try "$DTRACE" -x errexit -qn 'BEGIN { trace(1); exit(0); }'
expect_status 0
expect_out $'1\n'
try "$DTRACE" -qn 'int zero, n; tick-100 { n++; trace(1 / zero); } tick-100 /n == 3/ { exit(0); }'
expect_status 0
expect_text faults "$(grep -cE "^$fault\$" err.txt)" 3

finish
