/* SPDX-License-Identifier: Apache-2.0 */
/*
 * clock: measures when a command starts, when its -c child runs, and when it has ended.
 *
 *	clock run FILE COMMAND...	run it; write to FILE: start, end (ns, CLOCK_MONOTONIC), its
 *					largest resident set (KiB), CPU time (us), exit status
 *	clock stamp FILE		write the time to FILE, just before the end of the program
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int run(const char *file, char **command)
{
	long long start = now(), end;
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
	end = now();

	f = fopen(file, "w");
	if (!f)
		return 1;
	fprintf(f, "%lld %lld %ld %lld %d\n", start, end, u.ru_maxrss,
		(u.ru_utime.tv_sec + u.ru_stime.tv_sec) * 1000000LL + u.ru_utime.tv_usec +
			u.ru_stime.tv_usec,
		WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
	return fclose(f) != 0;
}

int main(int argc, char **argv)
{
	if (argc > 3 && !strcmp(argv[1], "run"))
		return run(argv[2], argv + 3);
	if (argc == 3 && !strcmp(argv[1], "stamp")) {
		FILE *f = fopen(argv[2], "w");

		if (!f)
			return 1;
		fprintf(f, "%lld\n", now());
		return fclose(f) != 0;
	}
	return 2;
}
