#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Short processes of a program that copies its code if its arguments say so, with option hold: its arguments are seen when it runs,
# so its probes come late; each process is traced whole or counted.
# @needs cc
set -u
. "${0%/*}/lib.sh"
# it is called like PHP
cat >short.c <<'END'
__attribute__((noinline)) void work(int i) { __asm__ volatile("" ::"r"(i)); }
int main(void)
{
	for (int i = 0; i < 10; i++)
		work(i);
	return 0;
}
END
${CC:-cc} -O2 -o phpshort short.c || { echo "cannot compile"; exit 77; }
try "$DTRACE" -qZ --follow -x hold=exec -n 'pid$target:phpshort:work:entry { @[pid] = count(); } END { printa("%@d\n", @); }' \
	-c "sh -c 'for i in 1 2 3 4 5 6; do ./phpshort; done'"
expect_status 0
whole=$(grep -cx 10 <<<"$out")
# the last line is the sum, if there were several
early=$(sed -nE 's/^dtrace: ([0-9]+) process(es)? (in all: )?ran before their probes were placed.*/\1/p' <<<"$err" | tail -n 1)
((whole + ${early:-0} >= 6)) || complain "$whole whole, ${early:-0} counted, of 6: $out$err"
finish
