/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * calls: a known number of system calls and, static, hardly any others.
 *
 *	calls getppid N		N getppid(2)
 *	calls openat PATH N	N openat(2) of PATH; N close(2) if it can be opened
 *	calls read N SIZE...	N read(2) of each SIZE from /dev/zero, on the descriptor 3
 *	calls threads T N	N getppid(2) in each of T threads
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char buffer[1 << 20];

static void *getppid_loop(void *arg)
{
	for (long n = *(long *)arg; n > 0; n--)
		syscall(SYS_getppid);
	return NULL;
}

static int calls_openat(const char *path, long n)
{
	while (n-- > 0) {
		long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY, 0);

		if (fd >= 0)
			syscall(SYS_close, fd);
	}
	return 0;
}

static int calls_read(long n, char **sizes)
{
	if (syscall(SYS_openat, AT_FDCWD, "/dev/zero", O_RDONLY, 0) != 3)
		return 1;
	for (; *sizes; sizes++) {
		for (long i = 0; i < n; i++)
			syscall(SYS_read, 3, buffer, strtoul(*sizes, NULL, 0) % sizeof(buffer));
	}
	return 0;
}

static int calls_threads(long threads, long n)
{
	pthread_t t[64];

	if (threads > 64)
		return 2;
	for (long i = 0; i < threads; i++) {
		if (pthread_create(&t[i], NULL, getppid_loop, &n))
			return 1;
	}
	for (long i = 0; i < threads; i++)
		pthread_join(t[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "getppid")) {
		long n = atol(argv[2]);

		getppid_loop(&n);
		return 0;
	}
	if (argc == 4 && !strcmp(argv[1], "openat"))
		return calls_openat(argv[2], atol(argv[3]));
	if (argc >= 4 && !strcmp(argv[1], "read"))
		return calls_read(atol(argv[2]), argv + 3);
	if (argc == 4 && !strcmp(argv[1], "threads"))
		return calls_threads(atol(argv[2]), atol(argv[3]));
	fprintf(stderr, "calls getppid N | openat PATH N | read N SIZE... | threads T N\n");
	return 2;
}
