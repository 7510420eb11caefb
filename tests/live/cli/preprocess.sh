#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -C and what goes with it: -D -U -I -H -X, line numbers, failures of cpp.
# @ref d-language 1.2 definitions-and-includes predefined linemarkers other-preprocessor
# @ref d-language 1.2 failure
set -u
. "${0%/*}/lib.sh"

command -v cpp >/dev/null || { echo "needs cpp"; exit 77; }
mkdir include
printf '#define FIVE 5\n' >include/five.h
printf '\n\nEND { trace(nope); }\n' >include/bad.h
cat >s.d <<'D'
#!/usr/sbin/dtrace -Cs
#include "five.h"
#pragma D option quiet
#ifdef __GNUC__
#error compiling D, not C
#endif
BEGIN
{
	trace(FIVE);
	trace(THREE);
#ifdef __linux
	trace("linux");
#endif
#if __SUNW_D != 1 || !defined(__SUNW_D_64) || __SUNW_D_VERSION < 0x01000000
	trace("wrong");
#endif
	exit(0);
}
D

try "$DTRACE" -C -I include -D THREE=3 -s s.d
expect_status 0
expect_out $'53linux\n'
expect_err ""
# wherever the flags stand; -D without a value is 1
try "$DTRACE" -s s.d -DTHREE -Iinclude -C
expect_out $'51linux\n'
try "$DTRACE" -x cpp -x define=THREE=3 -x incdir=include -x undef=__linux -s s.d
expect_out $'53\n'
try "$DTRACE" -C -I include -D THREE=3 -U __linux -s s.d
expect_out $'53\n'
try "$DTRACE" -C -I include -x cppargs='-DTHREE=4 -DX' -s s.d
expect_out $'54linux\n'
for standard in a c t s; do
	try "$DTRACE" -C -I include -D THREE=3 -X $standard -s s.d
	expect_out $'53linux\n'
done

try "$DTRACE" -CH -I include -D THREE=3 -s s.d
expect_status 0
expect_out $'53linux\n'
expect_match stderr "$err" $'^\\. include/five\\.h\n'

# line numbers are the script's, and an included file is named
printf '#!/usr/sbin/dtrace -Cs\n\n#if 1\nBEGIN\n{\n#endif\n\ttrace(nope);\n}\n' >n.d
try "$DTRACE" -C -s n.d
expect_status 1
expect_err $'dtrace: failed to compile script n.d: line 7: failed to resolve nope: Unknown variable name\n'
printf '#include "bad.h"\nBEGIN { exit(0); }\n' >i.d
try "$DTRACE" -C -I include -s i.d
expect_status 1
expect_err $'dtrace: failed to compile script i.d: "include/bad.h", line 3: failed to resolve nope: Unknown variable name\n'

# without -C there is no cpp; command-line programs never go through it
try "$DTRACE" -s s.d
expect_status 1
expect_err $'dtrace: failed to compile script s.d: line 2: invalid control directive: #include\n'
try "$DTRACE" -C -D N=7 -qn 'BEGIN { trace(N); exit(0); }'
expect_status 1
expect_match stderr "$err" 'failed to resolve N: Unknown variable name'

# failures; cpp has said the details first
try "$DTRACE" -C -D THREE=3 -s s.d
expect_status 1
expect_match stderr "$err" 'five\.h.*'$'\n''dtrace: failed to compile script s\.d: Preprocessor failed to process input program'$'\n$'
try "$DTRACE" -C -x cpppath=./nosuch -s n.d
expect_status 1
expect_err $'dtrace: failed to compile script n.d: Preprocessor not found\n'
try "$DTRACE" -C -x cpppath=./n.d -s n.d
expect_status 1
expect_err $'dtrace: failed to compile script n.d: Failed to exec preprocessor\n'

finish
