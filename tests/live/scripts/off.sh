#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A clause that begins with an option of the script that was not given needs no probes; with the option it does, and so does a
# clause whose predicate is false in another way.
set -u
bad=0
complain() { echo "$1"; bad=1; }
cat >off.d <<'END'
#pragma tool usage "off: tests options"
#pragma tool param a flag "also what is not there"
inline int a = 0;
#pragma tool param n int "a number"
inline int n = 0;
inline int b = 0;
#pragma D option quiet
nosuch:::probe /a && arg0 > n/ { hits++; @x[args[0]->member] = count(); }
nosuch:::other /n/ { this->y = 1; }
BEGIN { printf("%d\n", hits); exit(0); }
END
out=$("$DTRACE" -s off.d 2>&1) || complain "status $?"
[[ $out == 0 ]] || complain "without options: $out"
for option in -a "-n 3"; do
	out=$("$DTRACE" -s off.d $option 2>&1) && complain "$option: $out"
	[[ $out == *'probe description nosuch:::'*' does not match any probes'* ]] || complain "$option: $out"
done
for predicate in 0 'b \&\& a' '!a' 'b'; do
	sed "s,^nosuch:::other .n.,nosuch:::other /$predicate/," off.d >other.d
	out=$("$DTRACE" -s other.d 2>&1) && complain "/$predicate/: $out"
	[[ $out == *'probe description nosuch:::other does not match any probes'* ]] || complain "/$predicate/: $out"
done
# what exists is not enabled either
cat >there.d <<'END'
#pragma tool param a flag "more"
inline int a = 0;
syscall::getppid:entry /a/ { @ = count(); }
BEGIN { exit(0); }
END
for option in "" -a; do
	n=$("$DTRACE" -s there.d $option 2>&1 | sed -n 's/.*matched \([0-9]*\) probe.*/\1/p')
	[[ $n == $((1 + ${#option} / 2)) ]] || complain "[$option]: $n probes"
done
exit $bad
