#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -o: appended to, only once everything compiles; errors of writing.
# @vm no: the command line, the kernel has no part in it
# @ref d-errors 1.2 open-output write-output
# @ref cli 2 o
# @ref cli 2.2 appends all-of-stdout not-stderr after-compiling
# @ref cli 3 errno-text
# @ref cli 3.2 write-output write-stdout
# @ref cli 5.1 sigpipe final-newline
# @ref cli 5.3 error
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

# a closed standard output is not a file of ours that happens to have its number
closed() { "$@" >&-; }
try closed "$DTRACE" -qn 'BEGIN { printf("x"); exit(0); }'
expect_status 1
expect_err $'dtrace: failed to write to <stdout>: Bad file descriptor\n'

# the run is over when nothing can be written, not when it has ended
try to_full "$DTRACE" -qn 'tick-100 { printf("x"); }'
expect_status 1
expect_err $'dtrace: failed to write to <stdout>: No space left on device\n'

# lists and reports go to the file too, and the messages about them do not
try "$DTRACE" -ev -o report -n 'BEGIN { }'
expect_status 0
expect_out ""
expect_match report "$(cat report)" 'Stability attributes for description BEGIN'
try "$DTRACE" -o list -ln foo:::bar
expect_out ""
expect_match stderr "$err" 'failed to match foo:::bar'
expect_match list "$(cat list)" 'ID +PROVIDER'

# aggregations, and a child's output, which is its own
try "$DTRACE" -o agg -qn 'BEGIN { @ = count(); }' -c 'echo child'
expect_status 0
expect_out $'child\n'
expect_text agg "$(cat agg)" $'\n                1'

# a reader that goes away ends the run
into_true() { "$@" | true; return "${PIPESTATUS[0]}"; }
try into_true "$DTRACE" -qn 'tick-100 { printf("%1000d", 1); }'
expect_status 141

finish
