#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Stability: what each thing has, the least of all, the pragma that sets it, option amin.
# @vm no: the compiler alone
# @ref d-language 19 default-stable curthread evolving-functions kernel-symbols dtrace-provider provider-default minimum amin report
# @ref d-language 18 attributes provider-attributes
# @ref d-language 13 attributes
# @ref options 4 amin
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

# statements PROGRAM: name data class
statements() {
	try "$DTRACE" -ev "${@:2}" -n "$1"
	expect_status 0
	got=$(awk '/Minimum Statement Attributes/ { on = 1; next } on && NF == 3 { printf "%s ", $3 } /Dependency/ { if (on) exit }' out.txt)
}
is() { expect_text "$what" "$got" "$1 "; }

statements 'dtrace:::BEGIN { x = timestamp; self->y = pid; @[execname] = count(); printf("%d", x); }'
is 'Stable Stable Common'
statements 'dtrace:::BEGIN { trace(curthread); }'
is 'Stable Private Common'
statements 'dtrace:::BEGIN { trace(ntohs(1)); }'
is 'Evolving Evolving Common'
statements 'dtrace:::BEGIN { trace(getmajor(1)); }'
is 'Evolving Evolving Common'
statements 'dtrace:::BEGIN { trace(&`schedule); }'
is 'Private Private Unknown'
statements 'dtrace:::BEGIN { trace(ntohs(1)); trace(curthread); }'
is 'Evolving Private Common'

echo '#pragma D attributes Unstable/Obsolete/ISA number
inline int number = 1;
BEGIN { trace(number); }' >p.d
try "$DTRACE" -evs p.d
expect_status 0
got=$(awk '/Minimum Statement Attributes/ { on = 1; next } on && NF == 3 { printf "%s ", $3 } /Dependency/ { if (on) exit }' out.txt)
is 'Unstable Obsolete ISA'

# the least that is wanted
for least in Stable/Stable/Common Evolving/Evolving/Common; do
	try "$DTRACE" -x errtags -x amin=$least -en 'dtrace:::BEGIN { trace(curthread); }'
	expect_status 1
	expect_match stderr "$err" '\[D_ATTR_MIN\]'
	try "$DTRACE" -x errtags -x amin=$least -en 'dtrace:::BEGIN { trace(pid); }'
	expect_status 0
done
try "$DTRACE" -x errtags -x amin=Evolving/Private/Common -en 'dtrace:::BEGIN { trace(curthread); trace(ntohs(1)); }'
expect_status 0
for least in Stable Stable/Stable Stable/Stable/Nothing Steady/Stable/Common; do
	try "$DTRACE" -x amin=$least -en 'dtrace:::BEGIN { trace(pid); }'
	expect_status 1
	expect_match stderr "$err" '^dtrace: failed to set -x amin: '
done
finish
