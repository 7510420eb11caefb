#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A consumer with a snapshot_interval gets all aggregations while tracing, each time up to NULL, and a last time at the end.
# @vm no: the kernel has no part in it
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

cat >take.c <<'END'
#include <dtrace/dtrace.h>
#include <inttypes.h>
#include <string.h>

static uint64_t last;
static int taken, ordered = 1, tables, keyed;

static int snapshot(void *arg, uint64_t time, const struct dtrace_table *t)
{
	if (!t) {
		ordered &= time > last;
		last = time;
		taken++;
		return 0;
	}
	tables++;
	if (!strcmp(t->aggregations[0].name, "n"))
		keyed = (int)dtrace_table_row(t, 0)->values[0].number;
	return 0;
}

int main(void)
{
	struct dtrace *d = dtrace_session_open();
	const struct dtrace_consumer c = {.snapshot = snapshot, .snapshot_interval = 100000000};
	struct dtrace_prog *p;
	int r;

	dtrace_consumer_add(d, &c);
	p = dtrace_compile_string(d, "BEGIN { @l = lquantize(3, 0, 10); } tick-50ms { @n[\"x\"] = count(); }"
		"tick-50ms /++i == 20/ { exit(0); }", DTRACE_SPEC_NAME);
	if (!p || dtrace_prog_enable(d, p) || dtrace_session_go(d))
		return 1;
	while ((r = dtrace_session_work(d)) == DTRACE_WORK_OKAY)
		;
	printf("snapshots %s, in order %d, tables %s, last count %d\n", taken >= 5 ? "many" : "few", ordered,
		tables >= 2 * taken - 2 ? "both" : "one", keyed);
	dtrace_session_close(d);
	return 0;
}
END
san=
[[ $BUILD == *-san ]] && san='-fsanitize=address -fsanitize=undefined'
# shellcheck disable=SC2086 # words
cc $san -std=gnu11 -I"$SRCDIR/include" -o take take.c "$BUILD/libdtrace.so" -Wl,-rpath,"$BUILD" || exit 1
got=$(./take)
[[ $got == "snapshots many, in order 1, tables both, last count 20" ]] && exit
echo "got $got"
exit 1
