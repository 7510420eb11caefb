#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# -C and what goes with it: -D -U -I -H -X, line numbers, failures of cpp.
# @vm no: the command line, the kernel has no part in it
# @ref d-language 1.2 definitions-and-includes predefined linemarkers other-preprocessor
# @ref d-language 1.2 failure
# @ref cli 1.1 accumulate
# @ref cli 1.3 cpp-line-numbers
# @ref cli 2 C C-scripts-only D H I U X
# @ref cli 3.3 included-file
# @ref cli 6 predefined not-gnuc standards pragmas-survive linemarkers failure own-diagnostics-first cpppath invalid-directive
# @ref cli 6 version-macro order-of-arguments control-lines
# @ref options 4 cpp define undef incdir cppargs cpphdrs cpppath stdc
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

# what cpp is given: ours, then what was given in the order given
cat >fake <<'SH'
#!/bin/sh
printf '%s\n' "$@" >arguments
exec cat
SH
chmod +x fake
printf '#!/usr/sbin/dtrace -Cs\nBEGIN { exit(0); }\n' >f.d
try "$DTRACE" -C -x cpppath=./fake -D ONE -U TWO -x cppargs='-x1 -x2' -I three -D FOUR=4 -X t -s f.d
expect_status 0
expect_text "arguments" "$(grep -n . arguments | sed -n 's/:-D__SUNW_D_VERSION=0x02000001$/: version/p')" '9: version'
expect_text "arguments given" "$(sed -n '10,$p' arguments)" '-DONE
-UTWO
-x1
-x2
-Ithree
-DFOUR=4
-std=c99
-'
expect_text "fixed ones" "$(sed -n '1,8p' arguments)" '-D__linux
-D__Linux
-D__unix
-D__SVR4
-D__SUNW_D=1
-U__GNUC__
-D__clang__
-D__SUNW_D_64'
try "$DTRACE" -C -x cpppath=./fake -H -X s -s f.d
expect_text "arguments given" "$(sed -n '10,$p' arguments)" '-H
-traditional-cpp
-'
printf '#ifdef A\n#error A\n#endif\nBEGIN { trace(B); exit(0); }\n' >u.d
try "$DTRACE" -C -D A=1 -U A -U B -D B=2 -qs u.d
expect_status 0
expect_out $'2\n'

# control lines that the compiler itself knows, and no other
printf '#!/usr/sbin/dtrace -s\n#ident "x"\n#pragma D option quiet\n#line 20\nBEGIN { trace(nope); }\n' >c.d
try "$DTRACE" -s c.d
expect_err $'dtrace: failed to compile script c.d: line 20: failed to resolve nope: Unknown variable name\n'
printf '# 30 "other.d"\nBEGIN { trace(nope); }\n' >c.d
try "$DTRACE" -s c.d
expect_err $'dtrace: failed to compile script c.d: "other.d", line 30: failed to resolve nope: Unknown variable name\n'
printf '\n#error not this one\nBEGIN { exit(0); }\n' >c.d
try "$DTRACE" -s c.d
expect_status 1
expect_match stderr "$err" 'line 2: #error: not this one'
for line in '#define A' '#if 1' '#undef A' '#warning x' '#foo'; do
	printf '%s\nBEGIN { exit(0); }\n' "$line" >c.d
	try "$DTRACE" -s c.d
	expect_status 1
	expect_err "dtrace: failed to compile script c.d: line 1: invalid control directive: ${line%% *}"$'\n'
done

finish
