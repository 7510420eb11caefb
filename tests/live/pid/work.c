/* SPDX-License-Identifier: Apache-2.0 */
/*
 * work: known calls of functions of known shapes.
 * @cc -g -pthread
 *
 *	work [NAME N]...
 *
 * calls the function NAME with N, or does what is beside NAME in main() and once().  Whether a
 * function is being probed is seen by its first byte, where the kernel puts a breakpoint.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

NOINLINE void tick(void)
{
	keep++;
}

/* Wait until FUNC is probed, where it begins or after its endbr64. */
static void await_probe(const void *func)
{
	const volatile unsigned char *code = func;
	int after = memcmp(func, "\xf3\x0f\x1e\xfa", 4) ? 0 : 4;

	for (int ms = 0; code[0] != 0xcc && code[after] != 0xcc; ms++) {
		if (ms == 30000) {
			fprintf(stderr, "not probed\n");
			exit(3);
		}
		usleep(1000);
	}
	/* without uprobe.multi the program comes after its breakpoint; a return's comes behind its
	 * entry's */
	usleep(300000);
}

static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	signals++;
}

/* Call tick() until someone sends SIGUSR1. */
static void await_signal(void)
{
	signal(SIGUSR1, on_signal);
	for (int ms = 0; !signals; ms++) {
		if (ms == 30000) {
			fprintf(stderr, "not signalled\n");
			exit(3);
		}
		tick();
		usleep(1000);
	}
	signals = 0;
	/* what comes with the probe that sent it */
	usleep(300000);
}

/* A library that is not there at first: compressBound() 1 to N, once it is probed. */
static void load_library(long n)
{
	void *lib = dlopen("libz.so.1", RTLD_NOW);
	unsigned long (*func)(unsigned long) = lib ? dlsym(lib, "compressBound") : NULL;

	if (!func) {
		fprintf(stderr, "no libz\n");
		exit(3);
	}
	await_probe((const void *)func);
	for (long i = 1; i <= n; i++)
		func((unsigned long)i);
	dlclose(lib);
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
	else if (!strcmp(what, "probed"))
		await_probe((const void *)add);
	else if (!strcmp(what, "signalled"))
		await_signal();
	else if (!strcmp(what, "sleep"))
		usleep((unsigned)n * 1000);
	else if (!strcmp(what, "library"))
		load_library(n);
}

static void run(char **arg, char **end);

/* ARGS up to END done by a child, which is waited for. */
static void in_child(char **args, char **end)
{
	pid_t pid = fork();

	if (pid < 0)
		exit(3);
	if (pid) {
		waitpid(pid, NULL, 0);
		return;
	}
	run(args, end);
	exit(0);
}

static void run(char **arg, char **end)
{
	for (; arg + 1 < end; arg += 2) {
		long n = atol(arg[1]);

		if (!strcmp(arg[0], "exec")) /* itself anew, with what follows */
			execv("/proc/self/exe", arg + 1);
		if (!strcmp(arg[0], "child")) { /* the next N in a child */
			in_child(arg + 2, arg + 2 + 2 * n);
			arg += 2 * n;
			continue;
		}
		once(arg[0], n);
	}
}

int main(int argc, char **argv)
{
	run(argv + 1, argv + argc);
	return 0;
}
