#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Variables that no kernel has room for are refused in one line that says what is too big.
# @vm no: the compiler alone
# @ref d-language 7.3 size-too-big scalar-array
set -u
failures=0
refused() { # PATTERN PROGRAM
	"$DTRACE" -qn "$2" >out 2>err && { echo "not refused: $2"; failures=1; }
	[[ $(wc -l <err) == 1 && $(<err) == *$1* ]] || { echo "$2:"; cat err; failures=1; }
}
for n in 100000000 1000000000 0xffffffff 1000000][1000000 0xffffffff][0xffffffff; do
	refused 'variable a needs' "int a[$n]; BEGIN { a[1]$([[ $n == *][* ]] && echo '[1]') = 3; exit(0); }"
done
refused 'variable x needs' 'struct s { int a[0xffffffff]; int b[0xffffffff]; }; struct s x; BEGIN { x.b[1] = 3; exit(0); }'
refused 'thread-local' 'self int a[20000]; BEGIN { self->a[1] = 3; exit(0); }'
exit $failures
