#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# too_long: what the kernel's verifier cannot take is refused in one line with its place, at once, and nothing is
# enabled; what only is too much for one program is not refused.
# @timeout 400
# @ref d-language 3 too-long
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

limit=$((60 * ${TIMEOUT_SCALE:-1}))

# refused LINES TEXT: x.d is refused at a line that the extended regular expression LINES matches
refused()
{
	try timeout $limit "$DTRACE" -q -s x.d
	expect_status 1
	expect_out ""
	expect_match stderr "$err" "^dtrace: could not enable tracing: line $1: clause is too long for the kernel: $2"$'\n$'
}

# ERROR is a function of every program: the instructions of its pieces count together
if [[ -z ${DTRACE_VM:-} ]]; then # QEMU takes minutes for it
	{ echo 'BEGIN { x = *(int *)0; }'; echo 'ERROR {'; repeat 120000 'if (x == #) x = #;'; echo '}'; } >x.d
	refused '[0-9]+' 'the verifier gives up after 1,000,000 instructions \(program for dtrace:::BEGIN\)'
fi

# the body of a loop cannot be cut
{ echo 'int x; BEGIN'; echo '{ for (this->j = 0; this->j < 2; this->j++) {'; repeat 9000 'if (x == #) x = #;'; echo '} }'; } >x.d
# Linux 6.1 stops at the head of the loop
refused '(2|8[0-9]{3})' 'the verifier gives up after 8,192 branches \(program for dtrace:::BEGIN\)'
{ echo 'int x; BEGIN { x = 1; }'; echo 'BEGIN'; echo '{ for (this->j = 0; this->j < 2; this->j++) {'
	repeat 300 'for (this->i = 0; this->i < 2; this->i++) x += #;'; echo '} }'; } >x.d
refused '[23][0-9]{2}' 'the kernel allows 256 loops and run-time functions \(program for dtrace:::BEGIN\)'

# a clause with too many paths is verified in pieces, in which there are fewer
{ echo 'self int a; BEGIN {'; repeat 8 'if (self->a == #) this->v# = 1;'
	repeat 450 'if (this->v# == 1) @ = count();' | sed -E 's/v[0-9]*([0-7]) /v\1 /; s/v[0-9]*8 /v0 /; s/v[0-9]*9 /v1 /'
	echo 'exit(0); }'; } >x.d
try timeout $((2 * limit)) "$DTRACE" -q -s x.d
expect_status 0
expect_err ""
expect_match aggregation "$out" '^[[:space:]]+90[[:space:]]*$'

finish
