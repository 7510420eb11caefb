#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The compiler's work grows with the program, not with its square: of each kind of clause four times as many take four
# times the instructions, which valgrind counts; and very many of a kind compile in the memory that they are worth.
# @timeout 300
# @alone
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

# N of each kind
program() {
	local i
	for ((i = 1; i <= $1; i++)); do
		cat <<D
inline int inline_$i = pid + $i;
BEGIN { global_$i = $i; trace(inline_$i); printf("%d %s\n", $i, execname); }
BEGIN / pid == $i && execname == "name $i" / { self->x_$i = $i; this->y_$i = $i; trace(this->y_$i); }
BEGIN { @a_$i = count(); @keyed["$i", execname] = quantize($i); array_$i[$i] = $i; }
tick-${i}ms { ticks++; }
profile-${i}us { trace(*(int *)$i); }
syscall::read:entry, syscall::write:return { reads = $i; }
D
	done
}

# the count does not depend on the kernel, and takes long in an emulated machine
if [[ ${TIMEOUT_SCALE:-1} == 1 ]] && command -v valgrind >/dev/null; then
	work() {
		program "$1" >"$1.d"
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "$DTRACE" -e -s "$1.d" 2>&1 |
			sed -n 's/.*Collected : //p'
	}
	base=$(work 1) few=$(work 200) many=$(work 800)
	what="4 times as many clauses: $base, $few, $many instructions"
	[[ -n $base && -n $many ]] || complain "nothing was counted"
	(((many - base) * 10 < (few - base) * 44)) || complain "ratio $(((many - base) * 100 / (few - base))) %"
fi

# within 2 GB, and long before the time is over
n=$((100000 / ${TIMEOUT_SCALE:-1}))
ulimit -v 2000000
seq -f 'BEGIN { x = %.0f; }' $n >clauses.d
try timeout 200 "$DTRACE" -e -s clauses.d
expect_status 0
n=$((16000 / ${TIMEOUT_SCALE:-1}))
seq -f 'BEGIN { @a%.0f = count(); }' $n >aggregations.d
try timeout 200 "$DTRACE" -e -s aggregations.d
expect_status 0
seq -f 'tick-%.0fms { x++; }' $n >ticks.d
try timeout 200 "$DTRACE" -e -s ticks.d
expect_status 0
finish
