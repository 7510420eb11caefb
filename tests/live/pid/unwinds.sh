#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Return probes of functions that exceptions, panics, longjmp() and other stacks leave: the program ends as untraced, and
# the calls that return are counted.
# @needs g++
# @vm no: compilers take long there
# @ref providers 15 return-value
set -u
. "${0%/*}/lib.sh"

cat >thrown.cc <<'END'
#include <csetjmp>
#include <cstdio>
#include <pthread.h>
#include <stdexcept>
#include <ucontext.h>
#include <unistd.h>

static jmp_buf buf;
static ucontext_t back, there;
static char stack[65536];

extern "C" {
__attribute__((noinline)) int risky(int n)
{
	if (n % 3 == 0)
		throw std::runtime_error("third");
	return n;
}
__attribute__((noinline)) int risky_outer(int n)
{
	int v = risky(n);
	asm volatile("" : "+r"(v));
	return v + 1;
}
__attribute__((noinline)) int risky_jump(int n)
{
	if (n % 2)
		longjmp(buf, 1);
	return n;
}
__attribute__((noinline)) void risky_switch()
{
	swapcontext(&there, &back);
	asm volatile("");
}
__attribute__((noinline)) void risky_enter()
{
	swapcontext(&back, &there);
	asm volatile("");
}
static void coroutine()
{
	for (;;)
		risky_switch();
}
__attribute__((noinline)) void *risky_wait(void *)
{
	char c;
	int pipes[2];
	if (pipe(pipes))
		return nullptr;
	while (read(pipes[0], &c, 1) >= 0)
		;
	return nullptr;
}
}

int main()
{
	int sum = 0;
	pthread_t t;
	void *end;

	for (int i = 0; i < 90; i++) {
		try {
			sum += risky_outer(i);
		} catch (const std::exception &e) {
			sum--;
		}
		if (!setjmp(buf))
			sum += risky_jump(i);
	}
	getcontext(&there);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = sizeof(stack);
	makecontext(&there, coroutine, 0);
	for (int i = 0; i < 50; i++)
		risky_enter();
	pthread_create(&t, nullptr, risky_wait, nullptr);
	pthread_cancel(t);
	pthread_join(t, &end);
	printf("%d %d\n", sum, end == PTHREAD_CANCELED);
}
END
g++ -O2 -g -o thrown thrown.cc -pthread || exit 1
untraced=$(./thrown)
try "$DTRACE" -qn 'pid$target:a.out:risky*:return { @[probefunc] = count(); }
	END { printa("%s %@d\n", @); }' -c ./thrown
expect_status 0
expect_text "the program and its returns" "$(grep -v '^$' out.txt | sort)" \
	"$(printf '%s\n' "$untraced" "risky 60" "risky_outer 60" "risky_jump 45" "risky_enter 50" "risky_switch 49" | sort)"

# all functions that the process has, libc's and the unwinder's among them
try "$DTRACE" -qn 'pid$target:a.out::return, pid$target:libstdc*::return, pid$target:libgcc_s*::return, pid$target:libc.so.6:*o*:return
	{ @ = count(); } END { printa("%@d", @); }' -c ./thrown
expect_status 0
expect_text "the program under all returns" "$(head -n 1 out.txt)" "$untraced"

finish
