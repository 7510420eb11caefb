#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What is found wrong after compiling: nothing to trace, buffers that hold nothing; one sentence each.
# @ref d-errors 1.2 no-probes start-of-tracing
# @ref d-errors 1.5 error
# @ref d-errors 3 one-sentence
# @ref d-language 1.1 empty-option empty-program
# @ref d-language 8.5 too-small-for-one
# @ref d-language 15 aggsize-too-small
# @ref cli 2.4 no-probes-matched no-probes-specified
# @ref options 4 empty
# @ref options 5.2 too-small
# @ref options 5.3 too-small
set -u
. "${0%/*}/lib.sh"

try "$DTRACE" -Z
expect_status 1
expect_out ""
expect_err $'dtrace: no probes specified\n'

# a program of nothing
: >empty.d
try "$DTRACE" -s empty.d
expect_status 1
expect_match stderr "$err" '^dtrace: failed to compile script empty.d: .*empty'
try "$DTRACE" -x errtags -s empty.d
expect_match stderr "$err" '\[D_EMPTY\]'
try "$DTRACE" -x empty -s empty.d
expect_status 1
expect_out ""
expect_err $'dtrace: script \'empty.d\' matched 0 probes\ndtrace: no probes matched\n'
try "$DTRACE" -q -x empty -s empty.d
expect_status 1
expect_err $'dtrace: no probes matched\n'

# not enough for one element, one key
for options in '-x dynvarsize=1 -n BEGIN{a[1]=1;exit(0);}' \
	'-x aggsize=8 -n BEGIN{@[1]=count();exit(0);}'; do
	try "$DTRACE" -q $options
	expect_status 1
	expect_out ""
	expect_err $'dtrace: could not enable tracing: Enabling exceeds size of buffer\n'
done

finish
