#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# With -x noextensions what is new in D is not there: its statements are syntax errors, its words are free, its
# subroutines unknown; print() takes an address alone.
# @vm no: the compiler alone
# @ref d-language 3 no-local-declarations
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

bad=0
check() { # OUTPUT PROGRAM [OPTIONS]
	local out
	out=$("$DTRACE" -x errtags -q ${3--x noextensions} -n "$2" 2>&1)
	out=${out#dtrace: invalid probe specifier*: [}
	[[ $out == "$1"* ]] && return
	printf '%s\n  got      %s\n  expected %s...\n' "$2" "$out" "$1"
	bad=1
}

check 'D_SYNTAX] syntax error near "if"' 'BEGIN { if (1) trace(1); }'
check 'D_SYNTAX] syntax error near "for"' 'BEGIN { for (i = 0; i < 1; i++) trace(1); }'
check 'D_SYNTAX] syntax error near "while"' 'BEGIN { while (1) trace(1); }'
check 'D_SYNTAX] syntax error near "break"' 'BEGIN { break; }'
check 'D_SYNTAX] syntax error near "continue"' 'BEGIN { continue; }'
check 'D_SYNTAX] syntax error near "return"' 'BEGIN { return; }'
check 'D_SYNTAX] syntax error near "foreach"' 'int x[int]; BEGIN { foreach (k in x) trace(1); }'
check 'D_SYNTAX] syntax error near "{"' 'int f(int a) { return a; }'
check 'D_SYNTAX] syntax error near "{"' 'BEGIN { { trace(1); } }'
check 'D_SYNTAX] syntax error near "<"' 'string<4> s;'
check 'D_FUNC_UNDEF] in action list: undefined function name: toupper' 'BEGIN { trace(toupper("a")); }'
check 'D_FUNC_UNDEF] in action list: undefined function name: strtoll' 'BEGIN { trace(strtoll("1")); }'
check 'D_FUNC_UNDEF] in action list: undefined function name: json' 'BEGIN { trace(json("{}", "a")); }'
check 'D_PROTO_ARG] in action list: print( ) argument #1 is incompatible' 'BEGIN { print(3); }'
check '6' 'BEGIN { foreach = 1; in = 2; json = 3; trace(foreach + in + json); exit(0); }'
check '6' 'BEGIN { foreach = 1; in = 2; json = 3; trace(foreach + in + json); exit(0); }' ''
check 'D_SYNTAX] syntax error near "if"' '#pragma D option noextensions
BEGIN { if (1) trace(1); exit(0); }' ''
check '1' 'BEGIN { if (1) trace(1); exit(0); }' '-x noextensions=off'
exit $bad
