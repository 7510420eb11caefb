#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What aggpack draws its cells with: as option encoding says, else as TERM can. Bars are of @ unless utf8 is said.
# @vm no: the text of messages and output, the kernel has no part in it
# @ref output 9.4 encoding-choice
# @ref options 3 encoding
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
status=0

block=$'\xe2\x96\x88'
# the picture and the bar below it, in a word each
try() { # WANT ENVIRONMENT... -- OPTIONS...
	local want=$1 environment=() got
	shift
	while [[ $1 != -- ]]; do environment+=("$1"); shift; done
	shift
	got=$(env -u TERM "${environment[@]}" "$DTRACE" -q -x aggpack "$@" -n '
		BEGIN { @ = quantize(1); @l = llquantize(1, 10, 0, 1, 10); exit(0); }' 2>&1 |
		sed -nE 's/.* : (.*) : .*/\1/p; s/^ +1 \|(@+|[^@ 0-9]+) .*/\1/p' | sed -E "s/^@+$/@.../; s/^($block){2,}$/$block.../" | paste -sd' ')
	[[ $got == "$want" ]] || { echo "${environment[*]} $*: got \"$got\", not \"$want\""; status=1; }
}
try "$block @..." --
try "$block @..." TERM=xterm --
try "$block @..." TERM=sunny --
try "$block @..." TERM= --
for term in sun sun-color dumb; do
	try "X @..." TERM=$term --
	try "$block $block..." TERM=$term -- -x encoding=utf8
done
try "X @..." TERM=xterm -- -x encoding=ascii
try "$block $block..." TERM=dumb -- -x encoding=ascii -x encoding=utf8
try "$block $block..." DTRACE_OPT_ENCODING=utf8 --
try "X @..." DTRACE_OPT_ENCODING=utf8 -- -x encoding=ascii

# what it cannot be
got=$("$DTRACE" -x encoding=latin1 -n 'BEGIN { exit(0); }' 2>&1) &&
	{ echo "encoding=latin1 is taken"; status=1; }
[[ $got == *"failed to set -x encoding: Invalid value for specified option"* ]] || { echo "$got"; status=1; }
exit $status
