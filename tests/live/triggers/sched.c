/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static -pthread */
/*
 * sched: threads that sleep, wake each other, share a CPU, yield it and change priorities, a known
 * number of times.
 *
 *	sched pingpong N	two processes on one CPU, N messages each way through pipes
 *	sched futex N		two threads on one CPU, N turns each by futex(2)
 *	sched sleep MS N	N rests of MS milliseconds
 *	sched burn MS K		K processes use one CPU together for MS milliseconds
 *	sched yield N		N sched_yield(2), alone
 *	sched prio		a process changes its priority and its class
 *	sched migrate N		N moves between the first two CPUs (none where there is one)
 *	sched crosscall N	N times one thread has what runs on the other's CPU interrupted, of
 *				two CPUs (77: there is one)
 *
 * While they do that, and only then, threads are called as the first column says; the facts count
 * that time alone and are the kernel's own (getrusage(2), clock_gettime(2)), a line a thread,
 * FROM and TO of CLOCK_MONOTONIC:
 *
 *	NAME PID TID voluntary N involuntary N cpu NS from NS to NS
 *	change-pri TID PRIORITY		the kernel's numbers: 120 + nice, 99 - real-time
 *	slept TID FROM TO		each rest, CLOCK_MONOTONIC before and after
 *	migrate TID CPU
 */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "facts.h"

static int64_t now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* What is counted: from count_begin() to count_end() the calling thread has a name of its own. */
struct counted {
	const char *name;
	struct rusage usage;
	int64_t cpu, time;
};

static void count_begin(struct counted *c, const char *name)
{
	c->name = name;
	c->time = now(CLOCK_MONOTONIC);
	getrusage(RUSAGE_THREAD, &c->usage);
	c->cpu = now(CLOCK_THREAD_CPUTIME_ID);
	prctl(PR_SET_NAME, name);
}

static void count_end(struct counted *c)
{
	int64_t cpu = now(CLOCK_THREAD_CPUTIME_ID) - c->cpu, to;
	struct rusage usage;

	prctl(PR_SET_NAME, "sched");
	getrusage(RUSAGE_THREAD, &usage);
	to = now(CLOCK_MONOTONIC);
	fact("%s %d %d voluntary %ld involuntary %ld cpu %lld from %lld to %lld", c->name, getpid(),
		gettid(), usage.ru_nvcsw - c->usage.ru_nvcsw, usage.ru_nivcsw - c->usage.ru_nivcsw,
		(long long)cpu, (long long)c->time, (long long)to);
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		_exit(125);
}

/* The n-th CPU that this process may use, or -1. */
static int nth_cpu(int n)
{
	static cpu_set_t allowed;
	static bool known;

	if (!known)
		sched_getaffinity(0, sizeof(allowed), &allowed);
	known = true;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (CPU_ISSET(cpu, &allowed) && n-- == 0)
			return cpu;
	}
	return -1;
}

/*
 * On one CPU and so that a thread which is woken waits until the waker sleeps: two of the same
 * real-time priority, or else batch threads.
 */
static void one_at_a_time(void)
{
	struct sched_param fifo = {.sched_priority = 10}, batch = {0};

	pin(nth_cpu(0));
	if (sched_setscheduler(0, SCHED_FIFO, &fifo))
		sched_setscheduler(0, SCHED_BATCH, &batch);
}

static void get(int fd)
{
	char c;

	if (read(fd, &c, 1) != 1)
		_exit(125);
}

static void put(int fd)
{
	if (write(fd, "", 1) != 1)
		_exit(125);
}

static int finish(pid_t *pids, int n)
{
	int bad = 0;

	for (int i = 0; i < n; i++) {
		int status;

		if (waitpid(pids[i], &status, 0) != pids[i] || status)
			bad = 1;
	}
	return bad;
}

static int sched_pingpong(long n)
{
	int there[2], back[2];
	struct counted c;
	pid_t pid;

	one_at_a_time();
	if (pipe(there) || pipe(back))
		return 1;
	pid = fork();
	if (pid == 0) {
		count_begin(&c, "pong");
		for (long i = 0; i < n; i++) {
			get(there[0]);
			put(back[1]);
		}
		count_end(&c);
		_exit(0);
	}
	sched_yield();
	count_begin(&c, "ping");
	for (long i = 0; i < n; i++) {
		put(there[1]);
		get(back[0]);
	}
	count_end(&c);
	return finish(&pid, 1);
}

/* ---- turns by futex */

static uint32_t turn;

static void take_turns(uint32_t mine, long n)
{
	for (long i = 0; i < n; i++) {
		uint32_t seen;

		while ((seen = __atomic_load_n(&turn, __ATOMIC_ACQUIRE)) % 2 != mine)
			syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, seen, NULL, NULL, 0);
		__atomic_fetch_add(&turn, 1, __ATOMIC_RELEASE);
		syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
	}
}

static void *odd_turns(void *arg)
{
	struct counted c;

	count_begin(&c, "odd");
	take_turns(1, *(long *)arg);
	count_end(&c);
	return NULL;
}

static int sched_futex(long n)
{
	struct counted c;
	pthread_t thread;

	one_at_a_time();
	if (pthread_create(&thread, NULL, odd_turns, &n))
		return 1;
	sched_yield();
	count_begin(&c, "even");
	take_turns(0, n);
	count_end(&c);
	pthread_join(thread, NULL);
	return 0;
}

/* ---- alone */

static int sched_sleep(long ms, long n)
{
	struct timespec rest = {ms / 1000, ms % 1000 * 1000000};
	int64_t from[256], to[256];
	struct counted c;

	if (n > 256)
		return 2;
	count_begin(&c, "sleeper");
	for (long i = 0; i < n; i++) {
		from[i] = now(CLOCK_MONOTONIC);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &rest, NULL);
		to[i] = now(CLOCK_MONOTONIC);
	}
	count_end(&c);
	for (long i = 0; i < n; i++)
		fact("slept %d %lld %lld", gettid(), (long long)from[i], (long long)to[i]);
	return 0;
}

static int sched_yielding(long n)
{
	struct counted c;

	pin(nth_cpu(0));
	count_begin(&c, "yielder");
	for (long i = 0; i < n; i++)
		sched_yield();
	count_end(&c);
	return 0;
}

static int sched_burn(long ms, long k)
{
	int64_t end = now(CLOCK_MONOTONIC) + ms * 1000000LL;
	pid_t pids[16];

	if (k > 16)
		return 2;
	pin(nth_cpu(0));
	for (long i = 0; i < k; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			struct counted c;

			count_begin(&c, "burner");
			while (now(CLOCK_MONOTONIC) < end)
				;
			count_end(&c);
			_exit(0);
		}
	}
	return finish(pids, k);
}

/* linux/sched/types.h and the C library's sched.h don't go together */
struct attr {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static int sched_prio(void)
{
	struct sched_param fifo = {.sched_priority = 10}, rr = {.sched_priority = 20}, other = {0};
	struct attr attr = {.size = sizeof(attr), .policy = SCHED_OTHER, .nice = 7};
	pid_t pid = fork();
	bool failed = false;

	if (pid)
		return finish(&pid, 1);
	pid = getpid();
	prctl(PR_SET_NAME, "prio");
	failed |= setpriority(PRIO_PROCESS, 0, 5) != 0;
	fact("change-pri %d %d", pid, 125);
	failed |= sched_setscheduler(0, SCHED_FIFO, &fifo) != 0;
	fact("change-pri %d %d", pid, 89);
	failed |= sched_setscheduler(0, SCHED_RR, &rr) != 0;
	fact("change-pri %d %d", pid, 79);
	fifo.sched_priority = 30;
	failed |= sched_setparam(0, &fifo) != 0;
	fact("change-pri %d %d", pid, 69);
	failed |= sched_setscheduler(0, SCHED_OTHER, &other) != 0;
	fact("change-pri %d %d", pid, 125);
	failed |= syscall(SYS_sched_setattr, 0, &attr, 0) != 0;
	fact("change-pri %d %d", pid, 127);
	failed |= setpriority(PRIO_PROCESS, 0, -3) != 0;
	fact("change-pri %d %d", pid, 117);
	prctl(PR_SET_NAME, "sched");
	_exit(failed);
}

static int sched_migrate(long n)
{
	struct counted c;

	if (nth_cpu(1) < 0)
		return 0;
	pin(nth_cpu(0));
	count_begin(&c, "mover");
	for (long i = 1; i <= n; i++)
		pin(nth_cpu(i % 2));
	count_end(&c);
	for (long i = 1; i <= n; i++)
		fact("migrate %d %d", gettid(), nth_cpu(i % 2));
	return 0;
}

static volatile unsigned long spins;
static volatile int stop;

static void *spin(void *arg)
{
	(void)arg;
	pin(nth_cpu(1));
	while (!stop)
		spins++;
	return NULL;
}

/* membarrier(2) interrupts each CPU where a thread of this process runs, if one does just then. */
static int sched_crosscall(long n)
{
	enum { REGISTER = 1 << 4, EXPEDITED = 1 << 3 };
	struct counted c;
	pthread_t thread;

	if (nth_cpu(1) < 0)
		return 77;
	if (syscall(SYS_membarrier, REGISTER, 0, 0) || pthread_create(&thread, NULL, spin, NULL))
		return 1;
	pin(nth_cpu(0));
	count_begin(&c, "caller");
	for (long i = 0; i < n; i++) {
		unsigned long seen = spins;

		while (spins == seen) /* it runs now, also on a busy machine */
			sched_yield();
		syscall(SYS_membarrier, EXPEDITED, 0, 0);
	}
	count_end(&c);
	stop = 1;
	pthread_join(thread, NULL);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	long a = argc > 2 ? atol(argv[2]) : 10, b = argc > 3 ? atol(argv[3]) : 3;

	nth_cpu(0);
	prctl(PR_SET_NAME, "sched");
	if (!strcmp(what, "pingpong"))
		return sched_pingpong(a);
	if (!strcmp(what, "futex"))
		return sched_futex(a);
	if (!strcmp(what, "sleep"))
		return sched_sleep(a, b);
	if (!strcmp(what, "burn"))
		return sched_burn(a, b);
	if (!strcmp(what, "yield"))
		return sched_yielding(a);
	if (!strcmp(what, "prio"))
		return sched_prio();
	if (!strcmp(what, "migrate"))
		return sched_migrate(a);
	if (!strcmp(what, "crosscall"))
		return sched_crosscall(a);
	fprintf(stderr,
		"sched pingpong N | futex N | sleep MS N | burn MS K | yield N | prio | migrate "
		"N\n");
	return 2;
}
