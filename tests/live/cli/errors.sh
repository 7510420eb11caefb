#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The envelopes of compile errors, and that one is fatal before anything runs.
set -u
. "${0%/*}/lib.sh"

try "$DTRACE" -n 'foo:::bar'
expect_status 1
expect_out ""
expect_err $'dtrace: invalid probe specifier foo:::bar: probe description foo:::bar does not match any probes\n'

# the whole argument is quoted
try "$DTRACE" -n 'BEGIN { trace(nope); }'
expect_status 1
expect_err $'dtrace: invalid probe specifier BEGIN { trace(nope); }: in action list: failed to resolve nope: Unknown variable name\n'

try "$DTRACE" -x errtags -n 'BEGIN { trace(nope); }'
expect_match stderr "$err" 'invalid probe specifier BEGIN \{ trace\(nope\); \}: \[D_IDENT_UNDEF\] in action list: '

try "$DTRACE" -n 'BEGIN{x'
expect_status 1
expect_err $'dtrace: invalid probe specifier BEGIN{x: syntax error near end of input\n'

printf 'BEGIN\n{\n\ttrace(1);\n}\n\nEND\n{\n\ttrace(fooo);\n}\n' >x.d
try "$DTRACE" -s x.d
expect_status 1
expect_err $'dtrace: failed to compile script x.d: line 8: failed to resolve fooo: Unknown variable name\n'

try "$DTRACE" -s ./nosuch.d
expect_status 1
expect_err $'dtrace: failed to open ./nosuch.d: No such file or directory\n'

# the second program's error: the first has not run, nor is its notice printed
try "$DTRACE" -n 'BEGIN { printf("ran"); exit(0); }' -s x.d
expect_status 1
expect_out ""
expect_match stderr "$err" '^dtrace: failed to compile script x.d: line 8: [^'$'\n'']*'$'\n''$'

# errors are shown in quiet mode too
try "$DTRACE" -q -n 'foo:::bar'
expect_status 1
expect_match stderr "$err" 'does not match any probes'

try "$DTRACE" -q
expect_status 1
expect_err $'dtrace: no probes specified\n'

try "$DTRACE" -p x -n BEGIN
expect_status 1
expect_err $'dtrace: invalid pid: x\n'
try "$DTRACE" -p 2147483647 -n BEGIN
expect_status 1
expect_err $'dtrace: No such process\n'
try "$DTRACE" -c ./nosuch -n BEGIN
expect_status 1
expect_err $'dtrace: failed to execute ./nosuch: No such file or directory\n'

finish
