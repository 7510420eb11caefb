#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# limits: how deep a program may be nested, as docs/LIMITS.md says; one more is an error in one line.
# @vm no: the compiler alone
# @ref d-language 3 too-long
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

accepted()
{
	try "$DTRACE" -e -s x.d
	expect_status 0
	expect_err ""
}

refused() # MESSAGE
{
	try "$DTRACE" -e -s x.d
	expect_status 1
	expect_match stderr "$err" "^dtrace: failed to compile script x.d: $1"$'\n$'
}

loops() # NUMBER
{
	{ echo 'int x; BEGIN {'; repeat "$1" 'for (this->i# = 0; this->i# < 2; this->i#++)'; echo 'x++; }'; } >x.d
}

loops 5
accepted
loops 6
refused 'line [0-9]+: loops are nested too deeply: 5 is the most, those of called functions included'

operators() # NUMBER
{
	{ echo 'int x; BEGIN { x ='; repeat "$1" 'x +'; echo '1; }'; } >x.d
}

operators 1900
accepted
operators 2100
refused 'line [0-9]+: expression is nested too deeply'

nested() # NUMBER
{
	{ echo 'int x; BEGIN {'; repeat "$1" 'if (x) {'; echo 'x++;'; repeat "$1" '}'; echo '}'; } >x.d
}

nested 150
accepted
nested 250
refused 'line [0-9]+: expression is nested too deeply'

keys() # NUMBER
{
	{ echo 'BEGIN { @[0'; repeat "$(($1 - 1))" ', #'; echo '] = count(); }'; } >x.d
}

keys 16
accepted
keys 17
refused 'Insufficient tuple registers to generate code'

finish
