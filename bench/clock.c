/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock: measures when a command starts, when its -c child runs, and when it has ended.
 *
 *	clock run FILE COMMAND...	run it; write to FILE: start, end (ns, CLOCK_MONOTONIC), its
 *					largest resident set (KiB), CPU time (us), exit status
 *	clock stamp FILE		write the time to FILE, just before the end of the program
 *	clock noise LOOPS [CPU]		print the mean and the least time (ns) of LOOPS loops of
 *					arithmetic; the mean contains all that disturbs them
 */
#define _GNU_SOURCE
#include "clock.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int run(const char *file, char **command)
{
	long long start = (long long)now(), end;
	struct rusage u;
	int status;
	FILE *f;
	pid_t pid = fork();

	if (pid < 0)
		return 1;
	if (!pid) {
		execvp(command[0], command);
		perror(command[0]);
		_exit(127);
	}
	if (wait4(pid, &status, 0, &u) != pid)
		return 1;
	end = (long long)now();

	f = fopen(file, "w");
	if (!f)
		return 1;
	fprintf(f, "%lld %lld %ld %lld %d\n", start, end, u.ru_maxrss,
		(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec +
			u.ru_stime.tv_usec,
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return fclose(f) != 0;
}

static int noise(long loops, const char *cpu)
{
	double least = 1e18, start;
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu ? atoi(cpu) : 0, &set);
	if (loops < 1 || (cpu && sched_setaffinity(0, sizeof(set), &set)))
		return 1;
	start = now();
	for (long i = 0; i < loops; i++)
		keep_least(&least, arithmetic());
	return printf("%.0f %.0f\n", (now() - start) / (double)loops, least) < 0;
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "run"))
		return run(argv[2], argv + 3);
	if (argc == 3 && !strcmp(argv[1], "stamp")) {
		FILE *f = fopen(argv[2], "w");

		if (!f)
			return 1;
		fprintf(f, "%lld\n", (long long)now());
		return fclose(f) != 0;
	}
	if (argc > 2 && !strcmp(argv[1], "noise"))
		return noise(atol(argv[2]), argv[3]);
	return 2;
}
