#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Functions that the program chooses when it starts (STT_GNU_IFUNC): a name means the function that the process has chosen, in a
# shared program, one bound lazily, a static one and a library of the program's own.
set -u
. "${0%/*}/lib.sh"
cat >calls.c <<'END'
#include <stdio.h>
#include <string.h>
int twice(int);
int main(int argc, char **argv)
{
	size_t sum = 0;

	for (int i = 0; i < 1000; i++)
		sum += strlen(argv[0] + i % 2);
	for (int i = 0; i < 50; i++)
		sum += twice(i);
	return sum == 1;
}
END
cat >lib.c <<'END'
static int slow(int x) { return x + x; }
static int fast(int x) { return 2 * x; }
static void *choose_twice(void) { return fast; }
int twice(int x) __attribute__((ifunc("choose_twice")));
int never(int x) __attribute__((ifunc("choose_twice")));
int (*others[])(int) = {slow};
END
$CC -O1 -shared -fPIC -o libtwice.so lib.c
for kind in "now -Wl,-z,now" "lazy -Wl,-z,lazy"; do
	$CC -O1 -fno-builtin ${kind#* } -o "${kind%% *}" calls.c ./libtwice.so || exit 1
done
$CC -O1 -fno-builtin -static -o static calls.c lib.c || { echo "cannot link a static program"; exit 77; }

count() { # PROGRAM DESCRIPTIONS WANT
	try "$DTRACE" -qn "$2 { @[probefunc, probename] = count(); } END { printa(\"%s:%s=%@d\n\", @); }" -c "$1"
	expect_status 0
	expect_text "$1 $2" "$(grep = out.txt | sort)" "$3"
}
for p in ./now ./static; do
	count $p 'pid$target:a.out:main:entry,pid$target::strlen:entry,pid$target::twice:entry,pid$target::twice:return' \
		$'main:entry=1\nstrlen:entry=1000\ntwice:entry=50\ntwice:return=50'
	count $p 'pid$target::twic*:entry' 'twice:entry=50'
done
# the C library has bound its own; what nobody has bound yet is said
count ./lazy 'pid$target:libc.so.6:strlen:entry' 'strlen:entry=1000'
try "$DTRACE" -qn 'pid$target:libtwice.so:twice:entry' -c ./lazy
expect_status 1
expect_match unbound "$err" "failed to lookup 'twice' in module 'libtwice.so': the program chooses this function when it starts, and has not done so"
try "$DTRACE" -qn 'pid$target::twice:entry { }' -Zc ./lazy
expect_match unbound "$err" "1 of the probes are not enabled: the program chooses this function when it starts, and has not done so \\(the first is libtwice.so:twice:entry\\)"
# the functions that the C library would choose from
try "$DTRACE" -qn 'pid$target:libtwice.so:never:entry' -c ./now
expect_match "never bound" "$err" "failed to lookup 'never' in module 'libtwice.so': "
# a message names some of thousands, which an assembler is quick with
for ((i = 0; i < 20000; i++)); do
	printf '.globl many_%d\n.type many_%d, @function\nmany_%d: ret\n.size many_%d, . - many_%d\n' $i $i $i $i $i
done >functions.s
echo '.section .note.GNU-stack, "", @progbits' >>functions.s
cat >many.c <<'END'
#include <stdio.h>
void many_0(void);
static void *choose(void) { return many_0; }
void many(void) __attribute__((ifunc("choose")));
int main(void) { getchar(); return 0; }
END
$CC -O1 -fno-unwind-tables -fno-asynchronous-unwind-tables -o many many.c functions.s || exit 1
try timeout 20 "$DTRACE" -qn 'pid$target:a.out:many:entry' -c ./many
expect_match "20000 candidates" "$err" "failed to lookup 'many' in module 'a.out': .*; these are (many_[0-9]+, ){30}\.\.\."
((${#err} < 1000)) || complain "a message of ${#err} characters"
# the name of what is chosen is its own as well
count ./now 'pid$target:libtwice.so:fast:entry' 'fast:entry=50'
finish
