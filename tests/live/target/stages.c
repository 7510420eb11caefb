/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stages: system calls that tell what of a program runs: one getpgrp(2) of its constructor, two
 * getppid(2) of main().  Before them the constructor does as it is told:
 *
 *	stages		nothing
 *	stages fork	fork(2); the child goes on to main(), too, and its end is waited for there
 *	stages spawn	another program by posix_spawn(3)
 *	stages thread	a thread, which lives on for a while
 *	stages exec	execve(2) of this program, without an argument
 *
 * The status is 0 if all that was done ended well.
 */
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static void *live(void *arg)
{
	for (int i = 0; i < 100; i++)
		usleep(1000);
	return arg;
}

__attribute__((constructor)) static void early(int argc, char **argv, char **envp)
{
	const char *what = argc > 1 ? argv[1] : "";
	char *const words[] = {argv[0], NULL};
	pthread_t thread;

	if (!strcmp(what, "fork"))
		child = fork();
	else if (!strcmp(what, "spawn") && posix_spawn(&child, words[0], NULL, NULL, words, envp))
		_exit(2);
	else if (!strcmp(what, "thread") && pthread_create(&thread, NULL, live, NULL))
		_exit(2);
	else if (!strcmp(what, "exec"))
		execve(words[0], words, envp);
	getpgrp();
}

int main(void)
{
	int status = 0;

	getppid();
	getppid();
	if (child > 0 && waitpid(child, &status, 0) != child)
		return 3;
	return status != 0;
}
