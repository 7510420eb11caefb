#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A place that the kernel refuses is left out, counted and named, and all others are enabled: of functions, of static probes
# and of what comes while tracing, attached by dtrace or by the process that keeps the rights.
# @needs cc
# @timeout 120
set -u
. "${0%/*}/lib.sh"

# Eight bytes that no processor has as an instruction, c4 e1 70 00 c2 and three times nop: no kernel knows their length.
cat >refused.h <<'END'
#define UNKNOWN ".8byte 0x909090c20070e1c4"
#define FUNCTION(name) __attribute__((noinline)) long name(long x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
#define BAD(name) \
	__asm__(".globl " #name "\n.type " #name ", @function\n" #name ":\n" UNKNOWN "\nret\n.size " #name ", . - " #name)
END
cat >some.c <<'END'
#include "refused.h"
FUNCTION(one) FUNCTION(two) FUNCTION(three)
BAD(bad_one);
FUNCTION(four) FUNCTION(five)
BAD(bad_two);
FUNCTION(six)
long call_all(void) { return one(1) + two(2) + three(3) + four(4) + five(5) + six(6); }
END
cat >program.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>
#include "refused.h"
/* A static probe without arguments whose place has the instruction CODE. */
#define PROBE(name, code) \
	__asm__ volatile("990: " code "\n.pushsection .note.stapsdt, \"\", \"note\"\n.balign 4\n" \
			 ".4byte 992f - 991f, 994f - 993f, 3\n991: .asciz \"stapsdt\"\n992: .balign 4\n" \
			 "993: .8byte 990b, 0, 0\n.asciz \"shop\"\n.asciz \"" #name "\"\n.asciz \"\"\n" \
			 "994: .balign 4\n.popsection")
__attribute__((noinline)) void closes(void)
{
	__asm__ volatile("nop");
	PROBE(closed, UNKNOWN);
}
__attribute__((noinline)) void good_probe(void)
{
	PROBE(opened, "nop");
}
long call_all(void);
/* What dtrace knows that the kernel refuses: prefix lock. */
__asm__(".globl locked\n.type locked, @function\nlocked: lock incl (%rdi)\nret\n.size locked, . - locked");
/* Maps its own code once more, as V8 does, and calls the functions when file go is there; or once; or those of a library 100 times a second until file stop is there. */
int main(int argc, char **argv)
{
	void *library = argc > 2 && !access(argv[1], F_OK) ? dlopen(argv[1], RTLD_NOW) : NULL;
	long (*all)(void) = library ? (long (*)(void))dlsym(library, "call_all") : NULL;
	if (argc > 9)
		closes();
	good_probe();
	if (argc == 2) {
		mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, open("/proc/self/exe", O_RDONLY), 4096);
		for (int i = 0; i < 3000 && access(argv[1], F_OK); i++)
			usleep(10000);
	}
	if (argc <= 2)
		return call_all() != 27;
	for (int i = 0; all && i < 6000 && access(argv[2], F_OK); i++, usleep(10000))
		all();
	return !all;
}
END
${CC:-cc} -O1 -fcf-protection=none -o program program.c some.c && ${CC:-cc} -O1 -fPIC -fcf-protection=none -shared -o libsome.so some.c ||
	{ echo "cannot compile"; exit 77; }

left() { # NUMBER FIRST
	expect_text "what is left out" "$(grep 'not enabled' err.txt)" \
		"dtrace: $1 of the probes are not enabled: the kernel refuses to instrument them (the first is $2)"
}

# ---- functions
try "$DTRACE" -qn 'pid$target:a.out::entry /probefunc != "main"/ { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./program
expect_status 0
left 3 'program:locked:entry'
expect_text "the counts" "$(grep -v '^$' out.txt | sort)" $'call_all 1\nfive 1\nfour 1\ngood_probe 1\none 1\nsix 1\nthree 1\ntwo 1'

# two clauses, two kinds of probes: each keeps what it can have
try "$DTRACE" -qn 'pid$target:a.out:bad_*:entry, pid$target:a.out:four:entry { @[probefunc] = count(); }
	pid$target:a.out:five:return { @[probefunc] = count(); } END { printa("%s %@d\n", @); }' -c ./program
expect_status 0
expect_out $'five 1\nfour 1\n\n'
left 2 'program:bad_one:entry'

# nothing is left of what was asked for
try "$DTRACE" -qn 'pid$target:a.out:bad_one:entry { trace(1); } tick-1s { exit(0); }' -c ./program
expect_status 1
expect_match stderr "$err" "cannot attach 'pid[0-9]+:program:bad_one:entry': the kernel lets this instruction not be probed"
# ... and one whose code is known to be refused, of AMD's FMA4, where there is one
libm=$(ldconfig -p | sed -n 's/.*libm\.so\.6 .*x86-64.* => //p' | head -n 1)
if [[ -n $libm ]] && nm -D --defined-only "$libm" >/dev/null 2>&1; then
	try "$DTRACE" -qn 'pid$target:::entry { @ = count(); }' -c 'perl -e 1'
	expect_status 0
	[[ $err != *'Exec format'* && $err != *'cannot attach'* ]] || complain "$err"
fi

# each is counted once, though its code is mapped twice
rm -f go
./program go &
pid=$!
twice() { [[ $(grep -c ' r-xp .*/program$' /proc/$pid/maps) == 2 ]]; }
until_true twice
try "$DTRACE" -qn 'pid$target:program:[lm][oa][ic][nk]*:entry { @ = count(); } tick-100ms { exit(0); }' -p $pid
expect_status 0
left 1 'program:locked:entry'
>go
wait $pid

# one offset in many functions
try "$DTRACE" -qn 'pid$target:a.out:bad_*:0 { @[probefunc] = count(); } END { printa("%s\n", @); }' -c ./program
expect_status 1
expect_match stderr "$err" "cannot attach 'pid[0-9]+:program:bad_one:0': the kernel lets none of these instructions be probed"

# ---- static probes
try "$DTRACE" -qn 'shop$target::: { @[probename] = count(); } END { printa("%s %@d\n", @); }' -c ./program
expect_status 0
expect_out $'opened 1\n\n'
left 1 'program:closes:closed'
try "$DTRACE" -qn 'shop$target:::closed { @ = count(); }' -c ./program
expect_status 1
expect_match stderr "$err" "cannot attach 'shop[0-9]+:program:closes:closed': the kernel lets this instruction not be probed"

# ---- what comes while tracing
for confine in on off; do
	rm -f stop out.txt
	"$DTRACE" -x confine=$confine -x switchrate=20hz -Zqn 'pid$target:libsome.so::entry { @[probefunc] = count(); }
		pid$target:libsome.so:six:entry /++n == 10/ { exit(0); } END { printa("%s\n", @); }' -c './program ./libsome.so stop' >out.txt 2>err.txt &
	tracer=$!
	until_true eval '[[ -s out.txt ]] || ! kill -0 $tracer'
	>stop
	wait $tracer || complain "confine=$confine: status $?: $(<err.txt)"
	expect_text "confine=$confine: the functions" "$(grep -ve call_all -e "^$" out.txt | sort)" $'five\nfour\none\nsix\nthree\ntwo'
	expect_text "confine=$confine: what is left out" "$(grep 'not enabled' err.txt)" \
		"dtrace: 2 of the probes that came while tracing are not enabled: the kernel refuses to instrument them (the first is libsome.so:bad_one:entry)"
done
finish
