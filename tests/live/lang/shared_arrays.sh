#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# 250 associative arrays on one probe: the kernel lets a program use 64 maps, so they share some.
# An element is its array's alone: read, counted up, deleted by 0 and NULL, found by foreach, and
# one that finds no room is a drop.
# @timeout 120
# @ref d-language 8.5 many-arrays
. "$SRCDIR/tests/live/buffers/lib.sh"
calls=$BUILD/tests/live/triggers/calls

same() { # WHAT FILE: the lines of out.txt that are not empty
	diff "$2" <(grep -v '^$' out.txt) >diff.txt || complain "$1: $(head -20 diff.txt)"
}

# ---- keys and values of every kind, in as many shapes as a person would write

awk -v n=250 'BEGIN {
	split("A[n]|int|A[n] = I + n;|A[2]|%d|2:" \
		"A[s]|string|A[\"kI\"] = \"vI\";|A[\"kI\"]|%s|v:" \
		"A[n,s]|int64_t|A[n, \"x\"] = n * I;|A[3, \"x\"]|%d|*:" \
		"self->A[n]|int|self->A[7] += I;|self->A[7]|%d|5:" \
		"A[c]|char|A[1, 2, 3, n] = I % 100;|A[1, 2, 3, 4]|%d|m:" \
		"A[n]|struct pt|this->p.y = I * 2; A[n] = this->p;|A[1].y|%d|d:" \
		"self->A[n]|string|self->A[n] = \"sI\";|self->A[4]|%s|s:" \
		"A[s,n]|struct big|this->b.last = I; A[\"q\", 1] = this->b;|A[\"q\", 1].last|%d|i:" \
		"A[n,n,n]|short|A[n, n, n]++;|A[4, 4, 4]|%d|1:" \
		"A[n]|int|A[1] = 5; A[2] = I; A[1] = 0;|A[1] * 1000 + A[2]|%d|i", kinds, ":")
	print "struct pt { int x; long y; }; struct big { long a[5]; int last; };"
	print "this struct pt p; this struct big b; int n;"
	split("int|string|int,string|int|char,short,int,long|int|int|string,int|int,int,int|int", keys, "|")
	for (i = 0; i < n; i++) {
		k = i % 10 + 1
		split(kinds[k], f, "|")
		scope = f[1] ~ /^self/ ? "self " : ""
		decl = decl scope f[2] " a" i "[" keys[k] "];\n"
		set = f[3]
		get = f[4]
		gsub(/A\[/, "a" i "[", set)
		gsub(/A\[/, "a" i "[", get)
		gsub("I", i, set)
		gsub("I", i, get)
		sets = sets set "\n"
		# a clause of its own for some: a record has a most size
		if (i % 25 == 0)
			gets = gets "} syscall::getppid:entry /pid == $target && n == 5/ {\n"
		gets = gets "printf(\"" i " " f[5] "\\n\", " get ");\n"
		e = f[6]
		v = e == "2" ? i + 2 : e == "v" ? "v" i : e == "*" ? 3 * i : e == "5" ? 5 * i : e == "m" ? i % 100 : \
			e == "d" ? 2 * i : e == "s" ? "s" i : e == "i" ? i : 1
		print i, v >"mixed.expected"
	}
	print decl "syscall::getppid:entry /pid == $target/ {\n" sets "n++;\n" gets "}"
}' >mixed.d
run -s mixed.d -c "$calls getppid 5"
quiet mixed
same mixed mixed.expected

# ---- each array has another shape: sizes are rounded up until they fit

awk 'BEGIN {
	print "int n;"
	for (j = 0; j < 17; j++)
		print "struct s" j " { long a[" 2 * j + 1 "]; int last; }; this struct s" j " b" j ";"
	for (i = 0; i < 250; i++) {
		j = int(i / 15)
		keys = "int64_t"
		set = "n"
		get = "2"
		for (k = 0; k < i % 15; k++) {
			keys = keys ",int64_t"
			set = set ",n"
			get = get ",2"
		}
		print "struct s" j " a" i "[" keys "];"
		if (i % 25 == 0) {
			sets = sets "} syscall::getppid:entry /pid == $target/ {\n"
			gets = gets "} syscall::getppid:return /pid == $target/ {\n"
		}
		sets = sets "this->b" j ".last = " i "; a" i "[" set "] = this->b" j ";\n"
		gets = gets "printf(\"" i " %d\\n\", a" i "[" get "].last);\n"
		print i, i >"shapes.expected"
	}
	print "syscall::getppid:entry /pid == $target/ { n = 2; " sets gets "}"
}' >shapes.d
run -s shapes.d -c "$calls getppid 1"
quiet shapes
same shapes shapes.expected

# ---- arrays and aggregations on one probe, each aggregation fed from its array

awk 'BEGIN {
	for (i = 0; i < 125; i++)
		print "int64_t x" i "[" (i % 2 ? "string" : "int") "];"
	print "int n; syscall::getppid:entry /pid == $target/ { n++;"
	for (i = 0; i < 125; i++) {
		print "x" i "[" (i % 2 ? "probefunc" : "n") "] += " i ";"
		print "@a" i (i % 3 ? "" : "[\"k\"]") " = sum(x" i "[" (i % 2 ? "probefunc" : "n") "]);"
		print i, (i % 2 ? 15 * i : 5 * i) >"both.expected"
	}
	print "} END {"
	for (i = 0; i < 125; i++)
		print "printa(\"" i " %@d\\n\", @a" i ");"
	print "}"
}' >both.d
run -s both.d -c "$calls getppid 5"
quiet both
same both both.expected

# ---- deleted elements are gone, of one array alone; foreach meets its array's own

awk 'BEGIN {
	print "BEGIN {"
	for (i = 0; i < 80; i++)
		print "x" i "[1] = " i + 1 "; x" i "[2] = " i + 2 "; s" i "[\"a\", 1] = \"t" i "\"; s" i "[\"b\", 2] = \"u\";"
	print "x7[1] = 0; x8[2]--; s7[\"a\", 1] = NULL; x9[1] = x9[2] = 0; x0[1]--; }"
	print "BEGIN { foreach (k in x7) { @sum7 = sum(k); @n7 = count(); } foreach (k in x8) { @sum8 = sum(x8[k]); @n8 = count(); }"
	print "foreach (k in x9) @n9 = count(); foreach (k, l in s7) { @s[k, l] = count(); } }"
	for (i = 0; i < 80; i++)
		print "BEGIN { printf(\"" i " %d %d %d %s\\n\", x" i "[1], x" i "[2], s" i "[\"a\", 1] == NULL, s" i "[\"b\", 2]); }"
	print "BEGIN { exit(0); } END { printa(\"%@d %@d %@d %@d\\n\", @sum7, @n7, @sum8, @n8);"
	print "printa(\"n9 %@d\\n\", @n9); printa(\"s %s %d %@d\\n\", @s); }"
	for (i = 0; i < 80; i++)
		print i, (i == 7 || i == 9 || i == 0 ? 0 : i + 1), (i == 9 ? 0 : i == 8 ? 9 : i + 2),
			(i == 7), "u" >"deleted.expected"
	print "2 1 18 2\ns b 2 1" >"deleted.expected"
}' >deleted.d
run -s deleted.d
quiet deleted
same deleted deleted.expected

# ---- threads have their own elements; what finds no room is a drop

awk 'BEGIN {
	for (i = 0; i < 100; i++)
		print "syscall::getppid:entry /pid == $target/ { self->a" i "[arg1 % 2]++; g" i "[arg0, arg1] = arg1 + 1; }"
	for (i = 0; i < 100; i++)
		print "syscall::getppid:return /pid == $target && self->a" i "[0] == 10 && self->a" i "[1] == 10/ { @own = count(); }"
	for (i = 0; i < 100; i++)
		print "syscall::getppid:entry /pid == $target/ { @[g" i "[arg0, arg1] ? \"kept\" : \"lost\"] = count(); }"
	print "END { printa(\"own %@d\\n\", @own); }"
}' >drops.d
run_trigger 'values spread 2 20' -s drops.d
drops '([0-9]+) dynamic variable drops?'
expect "elements of threads" "$(awk '$1 == "own" { print $2 }' out.txt)" 200
expect "room for all" "$(awk '$1 == "kept" { print $2 }' out.txt)" 4000
run_trigger 'values spread 2 1000' -s drops.d -x dynvarsize=8k
drops '([0-9]+) dynamic variable drops?'
kept=$(awk '$1 == "kept" { print $2 }' out.txt) lost=$(awk '$1 == "lost" { print $2 }' out.txt)
expect "kept $kept and lost $lost" $((kept + lost)) 200000
expect "drops" "$dropped" "$lost"
[[ $kept -gt 20000 && $lost -gt 0 ]] || complain "kept $kept, lost $lost"
exit $bad
