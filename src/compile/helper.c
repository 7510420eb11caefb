// SPDX-License-Identifier: Apache-2.0
/*
 * Runs a program that ends with the tracer.
 *
 * PR_SET_PDEATHSIG alone reaches the program but not what it starts, such as the cc1 of cpp.
 */
#define _GNU_SOURCE
#include "compile/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* exit statuses of a guard whose program a signal has ended, or the limit of CPU time or memory */
#define KILLED	  255
#define EXHAUSTED 254
#define FULL	  253

struct start {
	char **argv;
	int in, out, failed; /* an errno is written to FAILED if the program cannot be executed */
	pid_t tracer;
	sigset_t mask; /* the program's */
};

/* ---- the program ---- */

static void limit(int resource, rlim_t most)
{
	struct rlimit now;

	if (getrlimit(resource, &now))
		return;
	if (now.rlim_cur > most)
		now.rlim_cur = most;
	setrlimit(resource, &now);
}

/* The tracer's handlers must not run in its child. */
static void forget_handlers(void)
{
	struct sigaction sa;

	for (int sig = 1; sig < NSIG; sig++) {
		if (sigaction(sig, NULL, &sa) || sa.sa_handler == SIG_IGN)
			continue;
		sa = (struct sigaction){.sa_handler = SIG_DFL};
		sigaction(sig, &sa, NULL);
	}
	/* a group in the background would be stopped when it writes its messages */
	signal(SIGTTOU, SIG_IGN);
}

__attribute__((noreturn)) static void program(struct start *s, pid_t guard)
{
	int err;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != guard)
		_exit(KILLED);
	if (dup2(s->in, STDIN_FILENO) >= 0 && dup2(s->out, STDOUT_FILENO) >= 0) {
		sigprocmask(SIG_SETMASK, &s->mask, NULL);
		limit(RLIMIT_CPU, HELPER_SECONDS);
		limit(RLIMIT_AS, HELPER_MEMORY);
		execvp(s->argv[0], s->argv);
	}
	err = errno;
	while (write(s->failed, &err, sizeof(err)) < 0 && errno == EINTR)
		;
	_exit(KILLED);
}

/* ---- the guard ---- */

/* Waits for the end of the program, or for a signal that ends the guard. */
static void await(pid_t pid, const sigset_t *all)
{
	for (;;) {
		siginfo_t ended = {0};

		switch (sigwaitinfo(all, NULL)) {
		case SIGCHLD:
			if (waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) ||
				ended.si_pid)
				return;
			break;
		case SIGINT:
		case SIGQUIT:
		case SIGTERM:
		case SIGHUP:
			return;
		default:
			break;
		}
	}
}

/*
 * True if the program, or one that it waited for, had a quarter of the memory that it may use: an
 * array that is doubled for more has a third when there is no room.
 */
static bool was_large(void)
{
	struct rusage used;

	return !getrusage(RUSAGE_CHILDREN, &used) &&
		(unsigned long)used.ru_maxrss > HELPER_MEMORY / 4 / 1024;
}

/* All signals are blocked. */
__attribute__((noreturn)) static void guard(struct start *s, const sigset_t *all)
{
	pid_t self = getpid(), pid;
	int status = 0;

	forget_handlers();
	signal(SIGCHLD, SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != s->tracer)
		_exit(KILLED);
	pid = fork();
	if (!pid)
		program(s, self);
	if (pid < 0)
		_exit(KILLED);
	setpgid(pid, pid); /* whoever is first */
	/* only the program keeps what the tracer waits for, and a reader of the tracer's output */
	close_range(STDERR_FILENO + 1, ~0u, 0);
	close(STDIN_FILENO);
	close(STDOUT_FILENO);
	await(pid, all);
	kill(-pid, SIGKILL); /* before it is reaped, the number is its own */
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
		_exit(EXHAUSTED);
	if ((!WIFEXITED(status) || WEXITSTATUS(status)) && was_large())
		_exit(FULL);
	_exit(WIFEXITED(status) ? WEXITSTATUS(status) : KILLED);
}

/* ---- the tracer ---- */

int helper_start(char **argv, int in, int out, pid_t *pid)
{
	struct start s = {.argv = argv, .in = in, .out = out, .tracer = getpid()};
	int failed[2], err = 0;
	sigset_t all;
	ssize_t n;

	if (pipe2(failed, O_CLOEXEC))
		return -errno;
	s.failed = failed[1];
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &s.mask);
	*pid = fork();
	if (!*pid)
		guard(&s, &all);
	if (*pid < 0)
		err = errno;
	pthread_sigmask(SIG_SETMASK, &s.mask, NULL);
	close(failed[1]);
	/* its end: the program has been executed */
	while (!err && (n = read(failed[0], &err, sizeof(err))) < 0 && errno == EINTR)
		;
	close(failed[0]);
	if (err && *pid > 0)
		helper_wait(*pid);
	return -err;
}

void helper_stop(pid_t pid)
{
	kill(pid, SIGTERM);
}

int helper_wait(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (!WIFEXITED(status) || WEXITSTATUS(status) == KILLED)
		return -1;
	if (WEXITSTATUS(status) == EXHAUSTED)
		return HELPER_EXHAUSTED;
	return WEXITSTATUS(status) == FULL ? HELPER_FULL : WEXITSTATUS(status);
}
