/* SPDX-License-Identifier: Apache-2.0 */
/* @cc -static */
/*
 * guarded: a process that has a tracer already, and so can have no other.
 *
 *	guarded FILE	a child, until FILE exists, calls getppid(2) again and again
 *
 * Prints the child's pid and, when it has ended, how often it was stopped and its status.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
	int status, stops = 0;
	pid_t pid;

	if (argc < 2)
		return 2;
	pid = fork();
	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (access(argv[1], F_OK)) {
			getppid();
			usleep(1000);
		}
		_exit(0);
	}
	if (ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_EXITKILL))
		return 1;
	printf("%d\n", pid);
	fflush(stdout);
	while (waitpid(pid, &status, 0) == pid && WIFSTOPPED(status)) {
		stops++;
		ptrace(PTRACE_CONT, pid, 0, 0);
	}
	printf("stops %d status %d\n", stops, WEXITSTATUS(status));
	return 0;
}
