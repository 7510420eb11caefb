#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Options by flag, -x and environment: what is accepted, and how refusals read.
set -u
. "${0%/*}/lib.sh"

refused() { # MESSAGE ARGUMENTS...
	local message=$1
	shift
	try "$DTRACE" "$@" -n 'BEGIN { exit(0); }'
	expect_status 1
	expect_out ""
	expect_err "dtrace: failed to set $message"$'\n'
}

name='Invalid option name'
value='Invalid value for specified option'
refused "-x nosuch: $name" -x nosuch
refused "-x nosuch: $name" -x nosuch=4
refused "-x quiet: $value" -x quiet=maybe
refused "-x defaultargs: $value" -x defaultargs=1
refused "-x strsize: $value" -x strsize=1
refused "-x strsize: $value" -x strsize
refused "-x strsize: Value too large for defined data type" -x strsize=8g
refused "-x switchrate: $value" -x 'switchrate=1 sec'
refused "-x nspec: Option 'nspec' is not supported yet" -x nspec=2
refused "-x bufpolicy: Option 'bufpolicy=ring' is not supported yet" -x bufpolicy=ring
refused "-b 4x: $value" -b 4x
refused "-X q: $value" -X q

# the first wrong one is told, and nothing is compiled before
try "$DTRACE" -x nosuch1 -x nosuch2 -n 'syntax error'
expect_err "dtrace: failed to set -x nosuch1: $name"$'\n'

# flags apply to every program wherever they stand; the last one wins
try "$DTRACE" -n 'BEGIN { printf("a"); exit(0); }' -q
expect_status 0
expect_out $'a\n'
expect_err ""
try "$DTRACE" -q -x quiet=no -n 'BEGIN { exit(0); }'
expect_match stdout "$out" 'FUNCTION:NAME'
try "$DTRACE" -x quiet=0 -n 'BEGIN { exit(0); }'
expect_out $'\n'

# the environment comes before the flags, and is never an error
try env DTRACE_OPT_QUIET=yes DTRACE_OPT_BUFSIZE=junk DTRACE_OPT_NSPEC=2 \
	"$DTRACE" -n 'BEGIN { printf("a"); exit(0); }'
expect_out $'a\n'
expect_err ""
try env DTRACE_OPT_QUIET=yes "$DTRACE" -x quiet=no -n 'BEGIN { exit(0); }'
expect_match stdout "$out" 'FUNCTION:NAME'

# a pragma is the last word
cat >p.d <<'D'
#pragma D option quiet
BEGIN
{
	printf("a");
	exit(0);
}
D
try "$DTRACE" -x quiet=no -s p.d
expect_out $'a\n'
expect_err ""

cat >q.d <<'D'
#pragma D option incdir=/tmp
BEGIN
{
	exit(0);
}
D
try "$DTRACE" -s q.d
expect_status 1
expect_err "dtrace: failed to compile script q.d: line 1: failed to set option 'incdir' to '/tmp': Option cannot be used from within a D program"$'\n'

finish
