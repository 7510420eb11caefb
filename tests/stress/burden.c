// SPDX-License-Identifier: Apache-2.0
/*
 * burden: a known number of events for tests/stress/load.
 *
 *	burden calls N FILE	wait for a line on stdin; then N times work(i) and getppid(i); write
 *the time of the end to FILE, in nanoseconds of CLOCK_MONOTONIC burden nested N		in
 *each of two threads N times getppid(2) and the first access to a page, and every 16th time
 *sched_yield(2); all between getpgid(0) and getpgid(0) burden faults N		N page faults in the
 *kernel, which read(2) takes burden threads N	N threads, at most four at a time; each calls
 *getppid(i), getpgid(0) and getppid(i) for its number i
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PAGE  4096
#define CHUNK 64 /* pages that are mapped at a time */

static pthread_barrier_t all;
static long count, next;

__attribute__((noinline)) long work(long i)
{
	__asm__ volatile("" ::: "memory");
	return i + 1;
}

static char *map_chunk(void)
{
	char *p = mmap(
		NULL, CHUNK * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED || madvise(p, CHUNK * PAGE, MADV_NOHUGEPAGE))
		abort();
	return p;
}

static int make_calls(const char *path)
{
	struct timespec now;
	char line[80];
	FILE *f;

	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (long i = 0; i < count; i++) {
		work(i);
		syscall(SYS_getppid, i);
	}
	clock_gettime(CLOCK_MONOTONIC, &now);
	f = fopen(path, "w");
	if (!f)
		return 1;
	fprintf(f, "%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
	return fclose(f);
}

static void nest_times(long n)
{
	char *p = NULL;

	pthread_barrier_wait(&all);
	for (long i = 0; i < n; i++) {
		if (i % CHUNK == 0)
			p = map_chunk();
		syscall(SYS_getppid, i);
		p[i % CHUNK * PAGE] = 1;
		if (i % CHUNK == CHUNK - 1)
			munmap(p, CHUNK * PAGE);
		if (i % 16 == 0)
			sched_yield();
	}
	pthread_barrier_wait(&all);
}

static void *nest(void *arg)
{
	nest_times(CHUNK); /* code has its pages from here on */
	nest_times(count);
	return arg;
}

static int make_nested(void)
{
	pthread_t t[2];

	pthread_barrier_init(&all, NULL, 3);
	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, nest, NULL))
			return 1;
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	syscall(SYS_getpgid, 0);
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	syscall(SYS_getpgid, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}

static int make_faults(void)
{
	int fd = open("/dev/zero", O_RDONLY);

	for (long i = 0; i < count; i += CHUNK) {
		char *p = map_chunk();

		for (long k = 0; k < CHUNK && i + k < count; k++)
			if (read(fd, p + k * PAGE, 1) != 1)
				return 1;
		munmap(p, CHUNK * PAGE);
	}
	return 0;
}

static void *live_short(void *arg)
{
	long i = (long)arg;

	syscall(SYS_getppid, i);
	syscall(SYS_getpgid, 0);
	syscall(SYS_getppid, i);
	return NULL;
}

/* Start one thread after another, with the next number that nobody has. */
static void *start_short(void *arg)
{
	for (long i; (i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < count;) {
		pthread_t t;

		if (pthread_create(&t, NULL, live_short, (void *)i))
			abort();
		pthread_join(t, NULL);
	}
	return arg;
}

static int make_threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, start_short, NULL))
			return 1;
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	count = argc > 2 ? atol(argv[2]) : 0;
	if (argc == 4 && !strcmp(argv[1], "calls"))
		return make_calls(argv[3]);
	if (argc == 3 && !strcmp(argv[1], "nested"))
		return make_nested();
	if (argc == 3 && !strcmp(argv[1], "faults"))
		return make_faults();
	if (argc == 3 && !strcmp(argv[1], "threads"))
		return make_threads();
	fprintf(stderr, "burden calls N FILE | nested N | faults N | threads N\n");
	return 2;
}
