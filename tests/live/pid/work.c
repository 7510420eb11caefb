/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work: known calls of functions of known shapes.
 * @cc -g -pthread
 *
 *	work NAME [N]	what NAME says, N times (1)
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

volatile long keep;

NOINLINE long add(long a, long b)
{
	keep++;
	return a + b;
}

NOINLINE int negative(int n)
{
	keep++;
	return -n;
}

NOINLINE long ten(long a, long b, long c, long d, long e, long f, long g, long h, long i, long j)
{
	keep++;
	return a + b + c + d + e + f + g + h + i + j;
}

NOINLINE long depth(long n)
{
	long r = n > 1 ? depth(n - 1) : 0;

	keep++;
	return r + 1;
}

/* Its instructions are at 0, 3, 4, 7 and 9; those at 3, 4 and 7 run N times. */
long loop(long n);
__asm__(".text\n"
	".type loop, @function\n"
	"loop:	.cfi_startproc\n"
	"	mov %rdi, %rcx\n"
	"1:	nop\n"
	"	dec %rcx\n"
	"	jnz 1b\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size loop, . - loop\n");

/* At 0, 1, 6 and 8; a system call, which no kernel lets be probed without breaking the program. */
long refused(void);
__asm__(".text\n"
	".type refused, @function\n"
	"refused: .cfi_startproc\n"
	"	nop\n"
	"	mov $110, %eax\n" /* getppid */
	"	syscall\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.size refused, . - refused\n");

static NOINLINE long hidden(long n)
{
	keep++;
	return n * 2;
}

NOINLINE long real_name(long n)
{
	keep++;
	return n;
}

/* another name of the same place */
long other_name(long n) __attribute__((alias("real_name")));

static void *thread(void *arg)
{
	long n = (long)arg;

	for (long i = 0; i < n; i++)
		add(n, i);
	return NULL;
}

static void threads(long n)
{
	pthread_t t[8];

	for (long i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, thread, (void *)(n + i));
	for (long i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void once(const char *what, long n)
{
	if (!strcmp(what, "add"))
		add(n, -n);
	else if (!strcmp(what, "negative"))
		negative((int)n);
	else if (!strcmp(what, "ten"))
		ten(n + 0, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7, n + 8, n + 9);
	else if (!strcmp(what, "depth"))
		depth(n);
	else if (!strcmp(what, "loop"))
		loop(n);
	else if (!strcmp(what, "refused"))
		refused();
	else if (!strcmp(what, "hidden"))
		hidden(n);
	else if (!strcmp(what, "alias"))
		real_name(n);
	else if (!strcmp(what, "threads"))
		threads(n);
	else if (!strcmp(what, "getppid"))
		for (long i = 0; i < n; i++)
			getppid();
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2)
		once(argv[i], atol(argv[i + 1]));
	return 0;
}
