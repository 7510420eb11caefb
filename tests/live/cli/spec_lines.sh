#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Where stderr is no terminal an error of a program of several lines, or of a long one, has the number and the text of its line
# rather than the whole program.  A short program is there as it was typed.
# @ref cli 2 n
# @vm no: needs no kernel
bad=0

# PROGRAM, what the error begins with
check() {
	"$DTRACE" -e -n "$1" >out 2>err && bad=1
	[[ $(<err) == "dtrace: invalid probe specifier$2: in action list: failed to resolve nosuch: Unknown variable name" ]] && return
	echo "got: $(<err)"
	echo "want: $2"
	bad=1
}

long=$(printf 'x = 1; %.0s' {1..50})
check 'BEGIN { trace(nosuch); }' ' BEGIN { trace(nosuch); }'
check $'BEGIN { x = 1;\n\ty = nosuch; exit(0); }' ', line 2: y = nosuch; exit(0); }'
check "BEGIN { $long
trace(nosuch); }" ', line 2: trace(nosuch); }'
check "BEGIN { trace(nosuch); $long }" ", line 1: $(cut -c1-120 <<<"BEGIN { trace(nosuch); $long")..."
check "BEGIN { ${long}trace(nosuch); }" ", line 1: ...$(tail -c 71 <<<"BEGIN { ${long}trace(nosuch); }")"
exit $bad
