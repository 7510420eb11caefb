#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 250 aggregations on one probe, of all functions, with and without keys: the kernel lets a program
# use 64 maps, so they share some.  Each counts exactly what it counts in a program with few of
# them, whose maps are its own, and an action on one changes no other.
# @timeout 120
# @ref d-language 15 many-aggregations
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }
calls=$BUILD/tests/live/triggers/calls
bad=0

run() { # FILE: what it prints on five calls, without empty lines and the width of columns
	"$DTRACE" -q -c "$calls getppid 5" -s "$1" >out.txt 2>err.txt || { cat err.txt; exit 1; }
	[[ ! -s err.txt ]] || { cat err.txt; exit 1; }
	tr -s ' ' <out.txt | grep -v '^ *$'
}

# program FIRST LAST KEYED: aggregations number FIRST to LAST; KEYED 2: every second one has keys
program() {
	awk -v first="$1" -v last="$2" -v keyed="$3" 'BEGIN {
		nf = split("count() sum(n+I) avg(n+I) min(n-I) max(n+I) stddev(n*I) quantize(n+I) " \
			"lquantize(n+I,0,300,10) llquantize(n+I,10,0,3,10)", f, " ")
		nk = split("n%3|n%3,probefunc|(char)n,execname|n%2,\"text I\",I|n,n,n,n%2,n%3", k, "|")
		print "int n; syscall::getppid:entry /pid == $target/ {"
		for (i = first; i <= last; i++) {
			call = f[i % nf + 1]
			key = keyed == 1 || (keyed == 2 && i % 2) ? "[" k[i % nk + 1] "]" : ""
			gsub("I", i, call)
			gsub("I", i, key)
			print "@a" i key " = " call ";"
		}
		print "n++; }"
	}'
}

for keyed in 0 1 2; do
	program 0 249 "$keyed" >all.d
	run all.d >all.txt
	: >parts.txt
	for ((i = 0; i < 250; i += 50)); do
		program $i $((i + 49)) "$keyed" >part.d
		run part.d >>parts.txt
	done
	lines=$(wc -l <all.txt)
	[[ $lines -ge 400 ]] || { echo "keyed $keyed: only $lines lines"; bad=1; }
	cmp -s all.txt parts.txt || { diff all.txt parts.txt | head -20; echo "keyed $keyed: differs"; bad=1; }
done

# About as many as the kernel takes, with what strings and user stacks need besides.
for n in 54 55 58 59 62 63 65; do
	for key in 1 'strjoin(execname, "x")' 'ustack(3)'; do
		awk -v n=$n -v key="$key" 'BEGIN {
			print "syscall::getppid:entry /pid == $target/ {"
			for (i = 0; i < n; i++)
				print "@a" i "[" key "] = count();"
			print "} ERROR { @err = count(); }"
		}' >edge.d
		run edge.d >edge.txt
		got=$(grep -c ' 5$' edge.txt)
		[[ $got == "$n" ]] || { echo "$n by $key: $got"; bad=1; }
	done
done

# One of 100 is cleared, truncated, normalized, printed: the others stay as they were.
awk 'BEGIN {
	print "#pragma D option quiet\nint n; syscall::getppid:entry /pid == $target/ {"
	for (i = 0; i < 100; i++)
		print "@a" i "[n % 2, \"k\"] = " (i % 3 == 0 ? "sum" : i % 3 == 1 ? "min" : "max") "(n+" i ");"
	print "@u1 = count(); @u2 = max(n); n++; }"
	print "END { clear(@a3); clear(@a4); trunc(@a5); trunc(@a6, 1); trunc(@a7, -1); normalize(@a9, 2); clear(@u2);"
	for (i = 0; i < 100; i++)
		print "printa(\"" i " %d %s %@d\\n\", @a" i ");"
	print "printa(\"both %d %s %@d %@d %@d\\n\", @a96, @a97, @a98); printa(\"u %@d %@d\\n\", @u1, @u2); }"
}' >actions.d
run actions.d >actions.txt
expect() { # LINE
	grep -qxF -- "$1" actions.txt || { echo "no line: $1"; bad=1; }
}
never() { # PATTERN
	! grep -qE -- "$1" actions.txt || { echo "a line: $1"; bad=1; }
}
for ((i = 12; i < 96; i += 3)); do
	expect "$i 0 k $((3 * i + 6))"
	expect "$i 1 k $((2 * i + 4))"
	expect "$((i + 1)) 0 k $((i + 1))"
	expect "$((i + 1)) 1 k $((i + 2))"
	expect "$((i + 2)) 0 k $((i + 6))"
	expect "$((i + 2)) 1 k $((i + 5))"
done
expect "3 0 k 0"
expect "4 1 k 9223372036854775807"
never "^5 "
expect "6 0 k 24"
never "^6 1 "
expect "7 0 k 7"
never "^7 1 "
expect "u 5 -9223372036854775808"
expect "9 0 k $((33 / 2))"
expect "9 1 k $((22 / 2))"
expect "both 0 k 294 97 102"
expect "both 1 k 196 98 101"

# clear() and trunc() while tracing: the records of a second are carried out before the next call.
awk 'BEGIN {
	print "#pragma D option quiet\nint n; BEGIN { n = 0; }"
	print "tick-1s /n++ < 3/ {"
	for (i = 0; i < 100; i++)
		print "@a" i "[\"k\"] = " (i % 2 ? "max" : "sum") "(" i " - n); @b" i " = count();"
	print "clear(@a10); clear(@a11); trunc(@a12); trunc(@a13); } tick-1s /n == 4/ { exit(0); } END {"
	for (i = 10; i < 16; i++)
		print "printa(\"" i " %s %@d\\n\", @a" i ");"
	print "printa(\"b %@d\\n\", @b99); }"
}' >clear.d
"$DTRACE" -qs clear.d -x switchrate=100ms >clear.txt 2>err.txt || { cat err.txt; exit 1; }
diff - <(sed '/^ *$/,$d' clear.txt) <<'END' || bad=1
10 k 0
11 k -9223372036854775808
14 k 36
15 k 14
b 3
END

# Room: what does not fit is a drop, whichever of them it is of.
awk 'BEGIN {
	print "syscall::getppid:entry /pid == $target/ {"
	for (i = 0; i < 100; i++)
		print "@a" i "[arg1] = sum(1);"
	print "} END {"
	for (i = 0; i < 100; i++)
		print "printa(\"" i " %d %@d\\n\", @a" i ");"
	print "}"
}' >full.d
"$DTRACE" -q -x aggsize=4k -c "$BUILD/tests/live/triggers/values spread 1 1000" -s full.d >full.txt 2>err.txt ||
	{ cat err.txt; exit 1; }
kept=$(awk 'NF == 3 { n += $3 } END { print n + 0 }' full.txt)
dropped=$(sed -nE 's/^dtrace: ([0-9]+) aggregation drops? on CPU [0-9]+$/\1/p' err.txt | awk '{ n += $1 } END { print n + 0 }')
[[ $kept -gt 10000 && $dropped -gt 0 && $((kept + dropped)) == 100000 ]] ||
	{ echo "kept $kept, dropped $dropped"; head -5 err.txt; bad=1; }
exit $bad
