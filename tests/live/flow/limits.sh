#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Long scripts and clauses: they compile, the kernel takes them, and they count and print what they should.
[[ $(id -u) == 0 ]] || { echo "needs root"; exit 77; }

bad=0
run() { # NAME: compares `want` and what $1.d printed
	local got
	got=$("$DTRACE" -s "$1.d" "${@:2}" 2>&1)
	[[ $got == "$want" ]] && return
	echo "$1: got ${got:0:300} expected ${want:0:300}"
	bad=1
}
say() { printf '%s\n' "$@"; }

# 300 clauses, each seeing what the one before did
{
	say '#pragma D option quiet' 'int n; string s;'
	for i in {0..299}; do say "BEGIN /n == $i/ { n++; @[$((i % 5))] = count(); s = strjoin(\"c\", lltostr(n)); }"; done
	say 'BEGIN { printf("%d %s", n, s); exit(0); }'
} > clauses.d
want='300 c300
        0               60
        1               60
        2               60
        3               60
        4               60'
run clauses -x aggsortkey

# the same on another kind of probe
{
	say '#pragma D option quiet' 'int n; this int t;'
	for i in {0..299}; do say "syscall::exit_group:entry /pid == \$target && n == $i/ { n++; this->t += $i; }"; done
	say 'syscall::exit_group:entry /pid == $target/ { printf("%d %d", n, this->t); exit(0); }'
} > system.d
want='300 44850'
run system -c /bin/true

# 50 aggregations of every kind in a clause
{
	say '#pragma D option quiet' 'BEGIN' '{'
	f=('count()' 'sum(3)' 'avg(4)' 'min(5)' 'max(6)' 'stddev(7)')
	for i in {0..49}; do say "@a$i[$i, \"k\"] = ${f[i % 6]};"; done
	say '}' 'BEGIN { exit(0); }' 'END' '{'
	for i in {0..49}; do say "printa(\"%d%s=%@d \", @a$i);"; done
	say '}'
} > aggregations.d
want=$(v=(1 3 4 5 6 0); for i in {0..49}; do printf '%s ' "${i}k=${v[i % 6]}"; done)
run aggregations

# conditional actions: around 64, and many
for count in 63 64 65 128 129 300; do
	{
		say '#pragma D option quiet' 'int x;' 'BEGIN { x = 1; }' 'BEGIN' '{'
		for ((i = 0; i < count; i++)); do say "if ($i % 3 == x) printf(\"%d \", $i);"; done
		say 'exit(0);' '}'
	} > conditional$count.d
	want=$(for ((i = 1; i < count; i += 3)); do printf '%d ' $i; done)
	run conditional$count
done

# an else if of 100 branches, the last taken; 50 ifs in one another
{
	say '#pragma D option quiet' 'int x;' 'BEGIN { x = 99;'
	for i in {0..98}; do say "if (x == $i) trace($i); else"; done
	say 'trace("last"); exit(0); }'
} > branches.d
want=last
run branches
{
	say '#pragma D option quiet' 'int x;' 'BEGIN { x = 1;'
	for i in {0..49}; do say "if (x > -$i) {"; done
	say 'trace("deep");'
	for i in {0..49}; do say '}'; done
	say 'exit(0); }'
} > depth.d
want=deep
run depth

# 40 loops in a row; 30 functions, each calling the one above it
{
	say '#pragma D option quiet' 'BEGIN {'
	for i in {0..39}; do say "for (this->i = 0; this->i < 3; this->i++) { n++; if (this->i == 1) printf(\"$i \"); }"; done
	say 'printf("%d", n); exit(0); }'
} > loops.d
want="$(printf '%d ' {0..39})120"
run loops
{
	say '#pragma D option quiet' 'int f0(int a) { return a + 1; }'
	for i in {1..29}; do say "int f$i(int a) { return f$((i - 1))(a) + 1; }"; done
	say 'BEGIN { printf("%d", f29(0)); exit(0); }'
} > chain.d
want=30
run chain

# 300 actions of a clause
{
	say '#pragma D option quiet' 'BEGIN' '{'
	for i in {0..299}; do say "printf(\"%d%s \", $i, probename);"; done
	say 'exit(0);' '}'
} > actions.d
want=$(printf '%dBEGIN ' {0..299})
run actions

# a struct of 60 members printed
{
	say '#pragma D option quiet' 'struct big {'
	for i in {0..59}; do say "int m$i;"; done
	say '};' 'struct big b;' 'BEGIN {'
	for i in {0..59}; do say "b.m$i = $i + 1;"; done
	say 'print(b); exit(0); }'
} > members.d
want=$(printf '(struct big) {\n'; for i in {0..59}; do printf ' .m%d = (int)%d,\n' $i $((i + 1)); done; printf '}')
run members

# every system call's entry and return, in two clauses each: more than 1,000 enabled probes
matched=$("$DTRACE" -n 'syscall::: /pid == $target/ { @[probefunc, probename] = count(); }
	syscall::: /pid == $target/ { @n = count(); } END { printa("%@d\n", @n); }' -c /bin/true 2>&1 >/dev/null |
	sed -n 's/.* matched \([0-9]*\) probes/\1/p')
((matched > 1000)) || { echo "matched $matched"; bad=1; }
exit $bad
