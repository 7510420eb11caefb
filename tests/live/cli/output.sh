#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -o: appended to, only once everything compiles; errors of writing.
set -u
. "${0%/*}/lib.sh"

try "$DTRACE" -o f -n 'BEGIN { trace(nope); }'
expect_status 1
[[ ! -e f ]] || complain "f was made although compiling failed"

try "$DTRACE" -qo f -n 'BEGIN { printf("one"); exit(0); }'
expect_status 0
expect_out ""
try "$DTRACE" -o f -n 'BEGIN { printf("two"); exit(0); }' -q
expect_out ""
expect_text f "$(cat f)" $'one\ntwo'

# stderr is not affected
try "$DTRACE" -o f -n 'BEGIN { exit(0); }'
expect_err $'dtrace: description \'BEGIN \' matched 1 probe\n'

try "$DTRACE" -o ./no/such/f -n 'BEGIN { exit(0); }'
expect_status 1
expect_err $'dtrace: failed to open output file \'./no/such/f\': No such file or directory\n'

try "$DTRACE" -qo /dev/full -n 'BEGIN { printf("x"); exit(0); }'
expect_status 1
expect_err $'dtrace: failed to write to /dev/full: No space left on device\n'

to_full() { "$@" >/dev/full; }
try to_full "$DTRACE" -qn 'BEGIN { printf("x"); exit(0); }'
expect_status 1
expect_err $'dtrace: failed to write to <stdout>: No space left on device\n'
try to_full "$DTRACE" -l
expect_status 1

# a reader that goes away ends the run
into_true() { "$@" | true; return "${PIPESTATUS[0]}"; }
try into_true "$DTRACE" -qn 'tick-100 { printf("%1000d", 1); }'
expect_status 141

finish
