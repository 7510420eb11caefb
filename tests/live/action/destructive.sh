#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Destructive actions need -w or the option; without it nothing starts.
# @ref d-builtins 2 destructive-refused
# @ref d-errors 1.2 start-of-tracing
# @ref d-errors 1.4 destructive
# @ref d-errors 3 destructive-not-allowed
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

for action in 'raise(10)' 'stop()' 'system("echo ran")' 'freopen("f")' 'copyout("a", 8, 1)' 'copyoutstr("a", 8, 1)'; do
	try "$DTRACE" -qn "BEGIN { $action; } BEGIN { exit(0); }"
	expect_status 1
	expect_out ""
	expect_err $'dtrace: could not enable tracing: Destructive actions not allowed\n'
	try "$DTRACE" -en "BEGIN { $action; }"
	expect_status 0
done
[[ ! -e f ]] || complain "f was made"

try "$DTRACE" -wn 'BEGIN { exit(0); }'
expect_err $'dtrace: description \'BEGIN \' matched 1 probe\ndtrace: allowing destructive actions\n'
printf '#pragma D option destructive\n#pragma D option quiet\nBEGIN\n{\n\tsystem("echo ran");\n\texit(0);\n}\n' >s.d
try "$DTRACE" -s s.d
expect_status 0
expect_match stdout "$out" 'ran'
finish
