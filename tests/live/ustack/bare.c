// SPDX-License-Identifier: Apache-2.0
/* @cc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls
 * bare MODE...: ways to getppid(2), which inner() calls once, without frame pointers.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <sys/syscall.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline, noclone))

static volatile int sink;

NOINLINE void inner(void)
{
	getppid();
	sink++;
}

NOINLINE void middle(int n)
{
	volatile char room[200];

	room[n] = 1;
	inner();
	sink += room[n];
}

NOINLINE void outer(int n)
{
	middle(n + 1);
	sink++;
}

/* Room whose size is not known: the frame is found by rbp. */
NOINLINE void variable(int n)
{
	volatile char *room = __builtin_alloca((size_t)n * 64);

	room[n] = 1;
	middle(n);
	sink += room[n];
}

/* Room that is aligned beyond the ABI's 16 bytes, and of unknown size. */
NOINLINE void aligned(int n)
{
	volatile char one[64] __attribute__((aligned(64)));
	volatile char *two = __builtin_alloca((size_t)n * 64);

	one[n] = two[n] = 1;
	variable(n);
	sink += one[n] + two[n];
}

NOINLINE void on_signal(int sig)
{
	middle(sig & 15);
	sink++;
}

NOINLINE void signalled(int altstack)
{
	struct sigaction sa = {.sa_handler = on_signal, .sa_flags = altstack ? SA_ONSTACK : 0};
	stack_t st = {.ss_sp = malloc(65536), .ss_size = 65536};

	sigaltstack(&st, NULL);
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	sink++;
}

/* A function whose first instruction traps: what is before it belongs to another. */
void trapping(void);
__asm__(".text; .type before, @function; before: .cfi_startproc; sub $72, %rsp;"
	".cfi_adjust_cfa_offset 72; nop; .cfi_endproc; .size before, . - before;"
	".globl trapping; .type trapping, @function; trapping: .cfi_startproc; ud2; ret;"
	".cfi_endproc; .size trapping, . - trapping");

/* What a handler returns to as musl has it: described nowhere. */
void restorer(void);
__asm__(".text; .balign 16; nop; .type restorer, @function; restorer: mov $15, %rax; syscall;"
	".size restorer, . - restorer; .balign 32");

/* struct sigaction as the kernel wants it */
struct kernel_sigaction {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

NOINLINE void restored(void)
{
	struct kernel_sigaction sa = {on_signal, 0x04000000 /* SA_RESTORER */, restorer, 0};

	syscall(SYS_rt_sigaction, SIGUSR2, &sa, NULL, 8);
	raise(SIGUSR2);
	sink++;
}

static void on_trap(int sig, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	middle(1);
	uc->uc_mcontext.gregs[REG_RIP] += 2;
}

NOINLINE void trap(void)
{
	struct sigaction sa = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO};

	sigaction(SIGILL, &sa, NULL);
	trapping();
	sink++;
}

NOINLINE void *thread(void *arg)
{
	outer(1);
	sink++;
	return arg;
}

NOINLINE void threads(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
}

NOINLINE void fiber(void)
{
	outer(1);
	sink++;
}

/* On a stack of a page, after which nothing can be read. */
NOINLINE void edge(void)
{
	ucontext_t here, there;
	char *stack = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (stack == MAP_FAILED || mprotect(stack + 4096, 4096, PROT_NONE) || getcontext(&there))
		exit(1);
	there.uc_stack.ss_sp = stack;
	there.uc_stack.ss_size = 4096;
	there.uc_link = &here;
	makecontext(&there, fiber, 0);
	swapcontext(&here, &there);
	munmap(stack, 8192);
}

/* A library's function that calls ours: the allocator of zlib's deflateInit(). */
NOINLINE void *allocate(void *arg, unsigned n, unsigned size)
{
	if (!sink)
		outer(1);
	return calloc(n, size);
}

struct z_stream_begin {
	void *next_in;
	unsigned avail_in;
	unsigned long total_in;
	void *next_out;
	unsigned avail_out;
	unsigned long total_out;
	const char *msg;
	void *state, *alloc, *free, *opaque;
	int data_type;
	unsigned long adler, reserved;
};

NOINLINE void library(int wait)
{
	struct z_stream_begin z;
#ifdef STATIC
	int (*init)(void *, int, const char *, int) = NULL;
#else
	void *so = dlopen("libz.so.1", RTLD_NOW);
	int (*init)(void *, int, const char *, int) = so ? dlsym(so, "deflateInit_") : NULL;
#endif

	for (int i = 0; init && i < wait; i++) { /* the tracer's time to hear of the library */
		memset(&z, 0, sizeof(z));
		z.alloc = (void *)allocate;
		sink = 0;
		init(&z, 1, "1.2.11", sizeof(z));
		usleep(150000);
	}
}

/* push %rbp; mov %rsp, %rbp; call *%rdi; pop %rbp; ret */
static const uint8_t with_fp[] = {0x55, 0x48, 0x89, 0xe5, 0xff, 0xd7, 0x5d, 0xc3};

NOINLINE void jit(void)
{
	uint8_t *code = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memcpy(code, with_fp, sizeof(with_fp));
	((void (*)(void (*)(void)))code)(inner);
	sink++;
}

/*
 * Code at an address beyond 47 bits that calls such code.  Where page tables have five levels, the
 * kernel gives such addresses to who asks for them.
 */
NOINLINE void high(void)
{
	static const uint8_t outer[] = {
		0x55, 0x48, 0x89, 0xe5, 0xe8, 0xef, 0xff, 0xff, 0xff, 0x5d, 0xc3};
	uint8_t *code = mmap((void *)(1ul << 54), 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if ((uintptr_t)code != 1ul << 54) {
		fputs("no such addresses\n", stderr);
		exit(77);
	}
	memcpy(code, with_fp, sizeof(with_fp));
	memcpy(code + sizeof(with_fp), outer, sizeof(outer));
	((void (*)(void (*)(void)))(code + sizeof(with_fp)))(inner);
	sink++;
}

NOINLINE void forked(void)
{
	pid_t pid = fork();

	if (!pid) {
		outer(1);
		usleep(300000); /* while its frames are looked up */
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "calls"))
			outer(1);
		else if (!strcmp(argv[i], "aligned"))
			aligned(1);
		else if (!strcmp(argv[i], "signal"))
			signalled(0);
		else if (!strcmp(argv[i], "altstack"))
			signalled(1);
		else if (!strcmp(argv[i], "trap"))
			trap();
		else if (!strcmp(argv[i], "restorer"))
			restored();
		else if (!strcmp(argv[i], "thread"))
			threads();
		else if (!strcmp(argv[i], "edge"))
			edge();
		else if (!strcmp(argv[i], "library"))
			library(4);
		else if (!strcmp(argv[i], "jit"))
			jit();
		else if (!strcmp(argv[i], "high"))
			high();
		else if (!strcmp(argv[i], "fork"))
			forked();
		else if (!strcmp(argv[i], "wait")) /* the tracer's time to learn of the process */
			usleep(300000);
		else if (!strcmp(argv[i], "read")) /* it goes on when somebody writes */
			(void)!read(0, (char[1]){0}, 1);
		else if (!strcmp(argv[i], "exec") && argv[i + 1])
			execv("/proc/self/exe", argv + i);
	}
	return 0;
}
