#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# exit() inside a branch, a loop or a function: the rest of its clause still runs, no other clause does.
# @ref d-language 5.1 no-clause-after-exit rest-of-exit-clause
# @ref d-language 5.2 exit-status end-after-begin-exit
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

bad=0
expect() { # STATUS OUTPUT PROGRAM
	local out status
	out=$("$DTRACE" -qn "$3" 2>&1)
	status=$?
	[[ $status == "$1" && $out == "$2" ]] && return
	printf '%s\n  status %s, expected %s\n  got      %s\n  expected %s\n' "$3" $status "$1" "$out" "$2"
	bad=1
}

expect 3 "a after end" 'int x; BEGIN { if (!x) { printf("a"); exit(3); printf(" after"); } } BEGIN { printf("no"); } END { printf(" end"); }'
expect 0 "b" 'int x; BEGIN { if (x) exit(3); printf("b"); } BEGIN { exit(0); }'
expect 4 "0123." 'BEGIN { for (i = 0; i < 4; i++) { printf("%d", i); if (i == 1) exit(4); } printf("."); } BEGIN { printf("no"); }'
expect 5 "01." 'BEGIN { for (i = 0; i < 4; i++) { printf("%d", i); if (i == 1) { exit(5); break; } } printf("."); } BEGIN { printf("no"); }'
expect 6 "x" 'void out(int n) { exit(n); } BEGIN { out(6); printf("x"); } BEGIN { printf("no"); }'
expect 7 "12" 'BEGIN { a[1] = a[2] = 1; s = 0; } BEGIN { foreach (k in a) exit(7); printf("12"); } BEGIN { printf("no"); }'
expect 8 "e" 'BEGIN { exit(1); } END { for (i = 0; i < 3; i++) if (i == 2) exit(8); printf("e"); }'
exit $bad
