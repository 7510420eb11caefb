/* SPDX-License-Identifier: Apache-2.0 */
/* breaks: does a call break an INVARIANT() (src/base/invariant.h)? */
#ifndef TESTS_UNIT_BREAKS_H
#define TESTS_UNIT_BREAKS_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Calls fn(arg) in a process of its own.  True if that was aborted by an invariant of FILE, such
 * as "base/arena.c"; otherwise what it said is printed.
 */
static bool breaks(const char *file, void (*fn)(void *arg), void *arg)
{
	char text[512] = "", where[128];
	int to[2], status = 0;
	pid_t pid;

	if (pipe(to))
		return false;
	fflush(NULL);
	pid = fork();
	if (!pid) {
		setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
		dup2(to[1], STDERR_FILENO);
		fn(arg);
		_exit(0);
	}
	close(to[1]);
	(void)!read(to[0], text, sizeof(text) - 1);
	close(to[0]);
	snprintf(where, sizeof(where), "src/%s:", file);
	if (waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
		strstr(text, where) && strstr(text, ": invariant broken: "))
		return true;
	printf("no invariant of %s: status %#x, %s\n", file, status, text);
	return false;
}

#endif
