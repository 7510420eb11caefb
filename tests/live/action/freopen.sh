#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# freopen() sends what follows to a file, appended to it; "" brings the standard output back; ftruncate() empties it.
# @ref d-builtins 4 freopen freopen-fails freopen-restores ftruncate
# @ref d-builtins 6 ftruncate no-error-probe
# @ref d-language 22.3 library
# @ref d-errors 4 library
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

echo there >two.txt
try "$DTRACE" -wqn 'BEGIN { printf("one\n"); freopen("%s.txt", "two"); printf("in the file\n"); }
	BEGIN { printf("too\n"); freopen(""); printf("three\n"); freopen(""); printf("four\n"); exit(0); }'
expect_status 0
expect_err ""
expect_out $'one\nthree\nfour\n\n'
expect_text two.txt "$(cat two.txt)" $'there\nin the file\ntoo'

# a name that cannot be opened changes nothing; ERROR does not fire
try "$DTRACE" -wqn 'BEGIN { printf("one\n"); freopen("./no/such/file"); printf("two\n"); exit(0); } ERROR { printf("error\n"); }'
expect_status 0
expect_out $'one\ntwo\n\n'
expect_match stderr "$err" "^dtrace: error in dt_clause_0 for probe ID 1 \(dtrace:::BEGIN\): couldn't freopen\(\) \"./no/such/file\": No such file or directory"

# the same when a file was open
try "$DTRACE" -wqn 'BEGIN { freopen("f"); printf("one\n"); freopen("./no/such/file"); printf("two\n"); exit(0); }'
expect_text f "$(cat f)" $'one\ntwo'
expect_out ''

# with -o, and what was written before is gone
printf 'old\n' >g
try "$DTRACE" -qo g -n 'BEGIN { printf("new\n"); ftruncate(); printf("kept\n"); exit(0); }'
expect_status 0
expect_text g "$(cat g)" 'kept'
try "$DTRACE" -qn 'BEGIN { printf("a\n"); ftruncate(); printf("b\n"); exit(0); }'
expect_status 0
expect_match stdout "$out" $'b\n'
finish
