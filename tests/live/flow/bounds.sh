#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A loop whose count the compiler does not know ends after -x loopbound iterations (1024) with a fault of its
# own; the option is a number of at least 1.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

bad=0
expect() { # OUTPUT ARGS...
	local want=$1 out
	shift
	out=$("$DTRACE" -q "$@" 2>&1)
	[[ $out == "$want" ]] && return
	printf '%s\n  got      %s\n  expected %s\n' "$*" "$out" "$want"
	bad=1
}
fault() { # BOUND OUTPUT ARGS...
	local bound=$1 want=$2
	shift 2
	expect "dtrace: error in dt_clause_0 for probe ID 1 (dtrace:::BEGIN): loop bound exceeded ($bound) in action #${action:-1} at line ${line:-1}
$want" "$@"
}
report='ERROR { printf("%d %d %d", arg4, arg5, n); } BEGIN { exit(0); }'

fault 1024 "12 1024 1024" -n "int n; BEGIN { while (1) n++; printf(\"no\"); } $report"
fault 1024 "12 1024 1024" -n "int n, m; BEGIN { for (;;) n++; } $report"
fault 10 "12 10 10" -x loopbound=10 -n "int n; BEGIN { for (;;) n++; } $report"
line=3 fault 10 "12 10 10" -n $'\n#pragma D option loopbound=10\n'"int n; BEGIN { for (;;) n++; } $report"
fault 1 "12 1 1" -x loopbound=1 -n "int n; BEGIN { while (1) n++; } $report"
expect 1024 -n 'BEGIN { m = 1024; for (i = 0; i < m; i++) n++; printf("%d", n); exit(0); }'
action=2 fault 1024 "12 1024 1024" -n "int n, m; BEGIN { m = 1025; for (i = 0; i < m; i++) n++; } $report"
expect 5000 -x loopbound=5000 -n 'BEGIN { m = 5000; for (i = 0; i < m; i++) n++; printf("%d", n); exit(0); }'
expect 7 -x loopbound=7 -n 'BEGIN { m = 9; for (i = 0; i < m; i++) { n++; if (n == 7) break; } printf("%d", n); exit(0); }'
# known when compiled: counted by a variable of the clause with constant ends
expect 5000 -n 'BEGIN { for (this->i = 0; this->i < 5000; this->i++) n++; printf("%d", n); exit(0); }'
expect 250000 -n 'BEGIN { for (this->i = 0; this->i < 500; this->i++) for (this->j = 0; this->j < 500; this->j++) n++; printf("%d", n); exit(0); }'
# all the loops of a firing together
fault 1048576 "12 1048576" -n "BEGIN { for (this->i = 0; this->i < 20000000; this->i++) ; } ERROR { printf(\"%d %d\", arg4, arg5); } BEGIN { exit(0); }"
# the pragma; foreach has no bound but the array's size
expect "2000 3" -x dynvarsize=4m -n '#pragma D option loopbound=3
BEGIN { for (this->i = 0; this->i < 2000; this->i++) a[this->i] = 1; foreach (k in a) n++; for (;;) { if (++m == 3) break; } printf("%d %d", n, m); exit(0); }'

for v in 0 -1 many "" 99999999999; do
	expect "dtrace: failed to set -x loopbound: Invalid value for specified option" -x loopbound=$v -n 'BEGIN { exit(0); }'
done
exit $bad
