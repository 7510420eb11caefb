// SPDX-License-Identifier: Apache-2.0
/*
 * swarm HOW PROCESSES HITS [LIBRARY [FIRST]]: short processes with HITS firings each, one after
 * another, numbered from FIRST.  Prints how many firings there were.  LIBRARY is loaded by HOW
 * "library"; its function loaded() fires.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "swarm.h"

extern char **environ;
static int hits, number; /* of this process */

__attribute__((noinline)) int work(int i)
{
	__asm__ volatile("" ::: "memory");
	SWARM_HIT(i, number);
	return i + 1;
}

static void *run(void *arg)
{
	for (int i = 0; i < hits; i++)
		work(i);
	return arg;
}

static void end(pid_t pid)
{
	if (pid < 0 || waitpid(pid, NULL, 0) != pid)
		abort();
}

static void become(char **argv)
{
	execv(argv[0], argv);
	_exit(1);
}

static void start_threads(void)
{
	pthread_t t[4];

	for (int i = 0; i < 4; i++)
		if (pthread_create(&t[i], NULL, run, NULL))
			abort();
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
}

static void load_library(const char *path)
{
	void *lib = dlopen(path, RTLD_NOW);
	void (*f)(int) = lib ? (void (*)(int))dlsym(lib, "loaded") : NULL;

	if (!f)
		abort();
	f(hits);
	dlclose(lib);
}

static void once(const char *how, char **argv)
{
	char text[16];
	char *again[] = {argv[0], "hits", "1", argv[3], "-", text, NULL};
	char *twice[] = {argv[0], "become", "1", argv[3], "-", text, NULL};
	pid_t pid;

	snprintf(text, sizeof(text), "%d", number);
	if (!strcmp(how, "fork")) {
		pid = fork();
		if (!pid) {
			run(NULL);
			_exit(0);
		}
		end(pid);
	} else if (!strcmp(how, "vfork")) {
		pid = vfork();
		if (!pid)
			become(again);
		end(pid);
	} else if (!strcmp(how, "spawn")) {
		if (posix_spawn(&pid, argv[0], NULL, NULL, again, environ))
			abort();
		end(pid);
	} else if (!strcmp(how, "exec")) { /* a child becomes it twice */
		pid = fork();
		if (!pid)
			become(twice);
		end(pid);
	} else if (!strcmp(how, "become")) {
		run(NULL);
		become(again);
	} else if (!strcmp(how, "threads")) {
		start_threads();
	} else if (!strcmp(how, "library")) {
		load_library(argv[4]);
	} else {
		run(NULL);
	}
}

int main(int argc, char **argv)
{
	int n, each;

	if (argc < 4)
		return 2;
	n = atoi(argv[2]);
	hits = atoi(argv[3]);
	number = argc > 5 ? atoi(argv[5]) : 0;
	each = !strcmp(argv[1], "threads") ? 4 * hits : !strcmp(argv[1], "exec") ? 2 * hits : hits;
	for (int i = 0; i < n; i++, number++)
		once(argv[1], argv);
	if (strcmp(argv[1], "hits") && strcmp(argv[1], "become"))
		printf("%d\n", n * each);
	return 0;
}
