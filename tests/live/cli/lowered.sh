#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A buffer larger than can be is lowered, and that is said, unless the option quietresize is set; quiet does not matter.
# @ref d-errors 1.4 lowered
# @ref cli 2 b
# @ref cli 3.2 size-lowered quietresize
# @ref options 3 quietresize
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

for options in '-x bufsize=3g' '-b 3g' '-q -b 5000m'; do
	try "$DTRACE" $options -en 'BEGIN { trace(1); }'
	expect_status 0
	expect_out ""
	expect_err $'dtrace: buffer size lowered to 1g\n'
	try "$DTRACE" $options -x quietresize -en 'BEGIN { trace(1); }'
	expect_status 0
	expect_err ""
done
try "$DTRACE" -x bufsize=1g -en 'BEGIN { trace(1); }'
expect_err ""
finish
