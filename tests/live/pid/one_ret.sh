#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# @alone
# Several tracers at one RET: two dtraces, bpftrace and perf, in each order. Where the kernel lets a program write registers, ours
# carries out the RET; the others, who come before or after, count as much, and the program computes as ever.
# env: BPFTRACE=bpftrace, one that can place probes at offsets
# @timeout 240
# @needs cc
set -u
. "${0%/*}/lib.sh"
cat >ret.c <<'END'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline, noclone)) long twice(long i)
{
	__asm__ volatile("" : "+r"(i));
	return 2 * i;
}
/* Waits for a line, then calls it so often; 0 ends it. */
int main(void)
{
	long n, sum;

	while (scanf("%ld", &n) == 1 && n) {
		sum = 0;
		for (long i = 0; i < n; i++)
			sum += twice(i);
		printf("%d\n", sum == n * (n - 1));
		fflush(stdout);
	}
	return 0;
}
END
$CC -O2 -fcf-protection=none -o ret ret.c || { echo "cannot compile"; exit 77; }
at=$(objdump -d --no-show-raw-insn --disassemble=twice ret | sed -n 's/^ *\([0-9a-f]*\):.*\tret.*/\1/p' | head -n 1)
offset=$((0x$at - 0x$(nm ret | sed -n 's/^\([0-9a-f]*\) T twice$/\1/p')))
((offset > 0)) || complain "the RET is twice's first instruction"

mkfifo lines && { ./ret <lines >sums.txt & }
program=$!
exec 9>lines
calls=0
# Calls 1000 times more.
call() {
	echo 1000 >&9
	calls=$((calls + 1))
	until_true eval '[[ $(wc -l <sums.txt) == $calls ]]'
}

bpftrace=${BPFTRACE:-bpftrace}
# it wants tracefs, which goes with its mount namespace
# shellcheck disable=SC2016
traced_fs=(unshare -m --propagation private sh -c 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null; exec "$@"' sh)
# start NAME: this tracer at the RET, once it is there
declare -A tracer
start() {
	rm -f "$1.txt"
	case $1 in
	dtrace*) env --default-signal=INT "$DTRACE" -qn 'pid$target:a.out:twice:return { @ = count(); @values = sum(arg1); } BEGIN { printf("there\n"); }
		END { printa("calls %@d\n", @); printa("values %@d\n", @values); }' -p $program >"$1.txt" 2>&1 & ;;
	bpftrace) env --default-signal=INT "${traced_fs[@]}" "$bpftrace" -e "BEGIN { printf(\"there\\n\"); } uprobe:./ret:twice+$offset { @calls = count(); }" >bpftrace.txt 2>&1 & ;;
	esac
	tracer[$1]=$!
	until_true grep -qs there "$1.txt" || cat "$1.txt"
}
end() {
	kill -INT "${tracer[$1]}"
	wait "${tracer[$1]}"
}
# counted NAME N
counted() {
	local n
	n=$(sed -nE 's/^(@calls: |calls )([0-9]+)$/\2/p' "$1.txt")
	[[ $n == "$2" ]] || complain "$1 has counted ${n:-none} of $2: $(cat "$1.txt")"
	[[ $1 != dtrace* ]] || grep -qx "values $(($2 * 999))" "$1.txt" || complain "$1: other values: $(cat "$1.txt")"
}
# together NAME...: they come in this order, and go in it
together() {
	local t i=0 n=$#
	what="together: $*"
	for t; do start "$t"; call; done
	for t; do end "$t"; call; done
	# the i-th has seen its own call and those of all that came or went until it went
	for t; do
		i=$((i + 1))
		counted "$t" $((n * 1000))
	done
}

together dtrace1 dtrace2
if command -v "$bpftrace" >/dev/null && timeout 60 "${traced_fs[@]}" "$bpftrace" -e "uprobe:./ret:twice+$offset { @ = count(); } BEGIN { exit(); }" >probe.txt 2>&1; then
	together bpftrace dtrace1
	together dtrace1 bpftrace dtrace2
else
	echo "without bpftrace: $(tail -n 1 probe.txt 2>/dev/null)"
fi
# perf places it by tracefs, which it mounts in a namespace that ends with it
if command -v perf >/dev/null && command -v unshare >/dev/null; then
	what="together: perf dtrace1"
	# shellcheck disable=SC2016
	unshare -m --propagation private bash -c 'mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
		echo "p:dtrace_test/ret $1:$2" >>/sys/kernel/tracing/uprobe_events || exit 7
		perf stat -x, -e dtrace_test:ret -p "$3" -o perf.txt -- sh -c "echo >started; until [ -e stop ]; do sleep 0.05; done"
		echo "-:dtrace_test/ret" >>/sys/kernel/tracing/uprobe_events' bash "$PWD/ret" "0x$(printf %x $((0x$at)))" $program 2>perf.err &
	perf=$!
	until_true eval '[[ -e started ]] || ! kill -0 $perf'
	if [[ -e started ]]; then
		call
		start dtrace1
		call
		end dtrace1
		touch stop
		wait $perf
		counted dtrace1 1000
		n=$(awk -F, '/dtrace_test:ret/ { print $1 }' perf.txt)
		[[ $n == 2000 ]] || complain "perf has counted ${n:-none} of 2000: $(cat perf.txt perf.err)"
	else
		echo "without perf: $(tail -n 1 perf.err)"
	fi
fi
echo 0 >&9
exec 9>&-
wait $program || complain "the program ended with $?"
expect_text "wrong sums" "$(grep -cv '^1$' sums.txt)" 0
finish
