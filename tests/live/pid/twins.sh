#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# One name means all functions of that name: static ones of several files, and the copies that compilers make. All that nm shows
# can be probed: copies, parts, nested functions, old versions.
# @ref providers 15 symbol-filters aliases
set -u
. "${0%/*}/lib.sh"
for f in a b c; do
	cat >$f.c <<-END
		static __attribute__((noinline)) int helper(int x, int y) { volatile int z = x + y; return z; }
		static __attribute__((noinline, noclone)) int plain(int x) { volatile int z = x; return z; }
		int $f(int i) { return helper(i, 2) + helper(i, 2) + plain(i); }
	END
done
cat >main.c <<'END'
#include <stdio.h>
int a(int), b(int), c(int);
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += a(i) + b(i) + c(i);
	printf("%d\n", sum);
	return 0;
}
END
cat >asm.S <<'END'
#define FUNC(name) .globl name; .type name, @function; name: ret; .size name, . - name
	.text
FUNC(work)
FUNC(work.constprop.0)
FUNC(work.isra.0)
FUNC(work.part.0)
FUNC(inner.1)
FUNC(work.cold)
	.globl main
	.type main, @function
main:	sub $8, %rsp
	.irp n, work, work, work.constprop.0, work.isra.0, work.part.0, inner.1, work.cold
	call \n
	.endr
	xor %eax, %eax
	add $8, %rsp
	ret
	.size main, . - main
	.section .note.GNU-stack, "", @progbits
END
$CC -O2 -o twins main.c a.c b.c c.c && $CC -o asm asm.S || exit 1
count() { # PROGRAM DESCRIPTION KEY WANT
	try "$DTRACE" -qn "$2 { @[$3] = count(); } END { printa(\"%s=%@d \", @); }" -c "$1"
	expect_status 0
	expect_err ""
	expect_text "$2" "$(tr ' ' '\n' <out.txt | grep = | sort)" "$(tr ' ' '\n' <<<"$4" | sort)"
}
count ./twins 'pid$target:a.out:plain:entry' probefile 'a.c=10 b.c=10 c.c=10'
count ./twins 'pid$target:a.out:plain:entry,pid$target:a.out:plain:return' probename 'entry=30 return=30'
count ./twins 'pid$target:a.out:helper:entry' probefile 'a.c=20 b.c=20 c.c=20'
count ./twins 'pid$target:a.out:plain:0' probefile 'a.c=10 b.c=10 c.c=10'
count ./asm 'pid$target:a.out:work:entry' probefunc 'work=2 work.constprop.0=1 work.isra.0=1'
count ./asm 'pid$target:a.out:work*:entry' probefunc 'work=2 work.constprop.0=1 work.isra.0=1 work.part.0=1 work.cold=1'
count ./asm 'pid$target:a.out:work.part.0:entry' probefunc 'work.part.0=1'
count ./asm 'pid$target:a.out:work.isra.0:return' probefunc 'work.isra.0=1'
count ./asm 'pid$target::inner.1:entry' probefunc 'inner.1=1'
# a list tells them apart
try "$DTRACE" -ln 'pid$target:a.out:plain:entry' -c ./twins
expect_text listed "$(awk 'NR > 1 { print $3, $4, $5, $6 }' out.txt | sort)" \
	$'twins plain entry (a.c)\ntwins plain entry (b.c)\ntwins plain entry (c.c)'
# as many as nm shows
for p in ./twins ./asm; do
	try "$DTRACE" -ln 'pid$target:a.out::entry' -c $p
	# without a size: what the C library's start-up code marks
	nm -S $p | awk 'NF == 4 && $3 ~ /[tT]/ { print $4 }' | sort >symbols
	expect_text "listed of $p" "$(awk 'NR > 1 { print $4 }' out.txt | sort)" "$(<symbols)"
done
# an offset that one of them has
try "$DTRACE" -ln 'pid$target:a.out:plain:1000' -c ./twins
expect_match "no such offset" "$(cat err.txt out.txt)" "offset 0x1000 outside of function 'plain'"
finish
