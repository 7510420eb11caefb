#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The returns of 1500 functions in a library that is loaded while tracing, whose links take a descriptor each on kernels without uprobe.multi: more
# than a process may have open at first.
# @needs cc
# @timeout 120
set -u
. "${0%/*}/lib.sh"
cat >many.s <<'END'
.macro function
.globl f\@
.type f\@, @function
f\@: mov %rdi, %rax
ret
.size f\@, . - f\@
.endm
.rept 1500
function
.endr
.section .note.GNU-stack, "", @progbits
END
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
/* Calls all functions each millisecond, 20 s at most, until it is told to end. */
int main(void)
{
	void *h = dlopen("./libmany.so", RTLD_NOW);
	char name[16];

	for (int turn = 0; h && turn < 20000 && access("stop", F_OK); turn++) {
		for (int i = 0; i < 1500; i++) {
			snprintf(name, sizeof(name), "f%d", i);
			((long (*)(long))dlsym(h, name))(i);
		}
		usleep(1000);
	}
	return !h;
}
END
$CC -shared -nostdlib -o libmany.so many.s && $CC -o loads loads.c || { echo "cannot compile"; exit 77; }
ulimit -S -n 256
"$DTRACE" -qZx switchrate=20hz -n 'pid$target:libmany.so:f*:return { seen[probefunc]++; } pid$target:libmany.so:f*:return /seen[probefunc] == 1/ { all++; }
	pid$target:libmany.so:f*:return /all == 1500 && !told++/ { printf("all\n"); exit(0); }' -c ./loads >out.txt 2>err.txt &
tracer=$!
until_true eval '[[ -s out.txt ]] || ! kill -0 $tracer'
touch stop
wait $tracer || complain "status $?"
grep -q all out.txt || complain "not all have fired: $(cat err.txt)"
finish
