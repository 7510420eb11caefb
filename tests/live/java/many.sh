#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A thousand methods are one program, and each fires.
main=Calls
. "$SRCDIR/tests/live/java/java.inc"
main=Many
{
	echo 'import java.util.Scanner; public class Many {'
	for i in {0..999}; do echo "static int m$i(int n) { return n + $i; }"; done
	for k in 0 1; do
		echo "static int call$k(int n) { int s = 0;"
		printf 's += m%d(n);\n' $(seq $((k * 500)) $((k * 500 + 499)))
		echo 'return s; }'
	done
	echo 'public static void main(String[] a) { Scanner in = new Scanner(System.in); System.out.println("ready");
		int round = 0;
		while (in.hasNextLine()) { int n = Integer.parseInt(in.nextLine()), s = 0;
			for (int i = 0; i < n; i++) s += call0(i) + call1(i);
			System.out.println("round " + ++round + " " + s); } } }'
} >Many.java
javac -d . Many.java || exit 1
start_vm java -cp .
calls 1
programs() { cat "/proc/$tracer"/fdinfo/* 2>/dev/null | grep -c '^prog_type:'; }
trace 'java$target:Many:m7:entry { @[probefunc] = count(); }'
one=$(programs)
finish
trace 'java$target:Many:m[0-9]*:entry { @[probefunc] = count(); @all = count(); }'
many=$(programs)
calls 3
finish
[ "$(grep -cE '^ *m[0-9]+ +3$' dt.out)" = 1000 ] || die "not each method fires"
expect "3000"
[ "$one" -gt 0 ] && [ "$many" = "$one" ] || die "$one programs for a method, $many for a thousand"
exit 0
