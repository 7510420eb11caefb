#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# stack: programs that need more than the 512 bytes of stack that the kernel gives to a function, or before Linux 6.13 to a
# program and its functions together, keep numbers elsewhere, and print what is right.
# @timeout 120
set -u
. "$SRCDIR/tests/live/cli/lib.sh"

run() { # TEXT [ERRORS]: what the program on stdin prints
	cat > program.d
	try timeout $((30 * ${TIMEOUT_SCALE:-1})) "$DTRACE" -q -s program.d -c "$BUILD/tests/live/triggers/calls getppid 1"
	what=$(tail -c 300 program.d)
	expect_status 0
	expect_text stderr "$(sed 's/ at line [0-9]*$//' err.txt)" "${2-}"
	expect_text stdout "$(<out.txt)" "$1"
}

# sum N: a[0] + (a[1] + (... )), whose operands all wait for the last one
sum() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "%sa[%d]", i ? " + (" : "", i; while (--i > 0) printf ")" }'
}

# fill N: a[i] = i * i + 1
fill() {
	awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) printf "a[%d] = %d;\n", i, i * i + 1 }'
}

for n in 20 63 98; do
	run $((n + n * (n - 1) * (2 * n - 1) / 6)) <<-EOF
	BEGIN { $(fill $n) }
	BEGIN { printf("%d", $(sum $n)); exit(0); }
	EOF
done

# a program that otherwise needs no scratch slot, beside one that stays as it is
globals=$(printf 'int g%d;' {0..97})
total=g97
for ((i = 96; i >= 0; i--)); do
	total="(g$i + $total)"
done
run 4753 <<-EOF
$globals
BEGIN { $(printf 'g%d = %d;' $(for ((i = 0; i < 98; i++)); do echo $i $i; done)) }
BEGIN { x = $total; }
BEGIN { printf("%d", x); exit(0); }
EOF
cat > mixed.d <<-EOF
$globals
syscall::getppid:entry { x = $total; }
syscall::getpid:entry { @ = count(); }
EOF
try "$DTRACE" -S -e -s mixed.d
expect_status 0
expect_text "programs with a scratch slot" "$(grep -c "call dt_scratch_claim" err.txt)" 1

# in a predicate, in a key, and in the innermost of five loops, whose bodies have frames of their own
loops='for (this->i = 0; this->i < 2; this->i++) for (this->j = 0; this->j < 3; this->j++)
	for (this->k = 0; this->k < 2; this->k++) for (this->l = 0; this->l < 2; this->l++)
		for (this->m = 0; this->m < 2; this->m++)'
run "seen
 22181 1
48 1064688" <<-EOF
BEGIN { $(fill 41) n = 0; s = 0; }
BEGIN / $(sum 41) == 22181 / { printf("seen\n"); }
BEGIN / $(sum 41) != 22181 / { printf("not to be seen\n"); }
BEGIN { @[$(sum 41)] = count(); }
BEGIN { $loops { s += $(sum 41); n++; } }
END { printa(" %d %@d\n", @); printf("%d %d", n, s); }
BEGIN { exit(0); }
EOF

# a fault in a body finds its way, and takes what the clause has printed with it
run "3 times" "dtrace: error in dt_clause_1 for probe ID 1 (dtrace:::BEGIN): divide-by-zero in action #1
dtrace: error in dt_clause_4 for probe ID 1 (dtrace:::BEGIN): divide-by-zero in action #1" <<-EOF
BEGIN { $(fill 41) zero = 0; }
BEGIN { $loops { printf("not to be seen"); x = $(sum 41) / zero; } }
ERROR { n++; }
BEGIN { n++; }
BEGIN { $loops { x = $(sum 41) % zero; printf("not to be seen"); } }
BEGIN { printf("%d times", n); exit(0); }
EOF

# programs of make torture that 6.1 and 6.12 refused: two loops and an index; a stack in three loops
run "P10 0 33
P10 0 33
P22" <<-'EOF'
this char i0; this long i1; this string t3; this uint64_t t13;
self long long s5[string, long long]; self string s6; self string s8[int]; self string s12; self unsigned long s14[string];
int g10[4][2];
BEGIN /arg0/ { g9[(long)0, ""] = (unsigned long long)0; }
BEGIN
{
	this->t3 = "7fffffff";
	self->s5["k", 1] = 16;
	self->s6 = "123456789abcdef0";
	g9[1, "k"] = 65535L;
	self->s12 = "a rather long string that takes more than sixty-four bytes of room, surely";
	this->t13 = 10L;
	self->s14["k"] = 65536;
}
BEGIN
{
	for (this->i0 = 1; this->i0 < 7; this->i0 += 3) {
		printf("P10 %x %d\n", (self->s5[this->t3, 1] > g10[(unsigned char)(execname == stringof(curthread->comm)) % 4][0]) * id, 33);
		this->i1 = 3;
		while (this->i1++ < 3) {
			if ((self->s12 != "123456789abcdef01") - - self->s14["k"] != self->s14[self->s12])
				printf("P16 %x %5d %s\n", self->s14["k"], (unsigned char)g10[2][(unsigned char)0xdb422f6dduL % 2] ^^ (this->i1 ? 0xa : this->t13) ^^ this->t13, this->t3 + (unsigned char)(self->s5["/..", 1] + arg4 - this->i1 * 244837814094590L) % 9);
			else
				g9["back\\slash" == ",,a,", "/usr/"] = - ~ this->t13;
		}
	}
	self->s8[self->s14[probefunc] - g10[(unsigned char)self->s14["k"] % 4][(unsigned char)g10[(unsigned char)g9[1, "k"] % 4][1] % 2]] = "entry";
	printf("P22");
	exit(0);
}
EOF
run "12 65533 12" <<-'EOF'
int g12;
syscall::getppid:entry
/pid == $target/
{
	g11[1, "k", 1] = 65533;
	g12 += (ppid == curthread->real_parent->tgid) <= (0x5755a2d74 > g11[1, execname, 1]);
	this->n = 0;
	while (this->n < 12) {
		while (1) {
			while (1) {
				@[ustack(5), execname, pid] = count();
				break;
			}
			break;
		}
		this->n++;
	}
	printf("%d %d ", this->n, g11[1, "k", 1] + g12 - 1);
}
END { printa("%@d", @); }
EOF
finish
