// SPDX-License-Identifier: Apache-2.0
/* Starts, watches and ends a dtrace that runs an instrument. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* closefrom(), pipe2() */
#endif
#include "agent/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "agent/script.h"
#include "base/invariant.h"

#define LINES_MOST 100
#define GRACE	   15000000000ull /* ns: END, and what --output=clickhouse sends at the end */

/* Variables of dtrace are options, and the administrator's are in the configuration. */
static void clean_environment(char **env)
{
	char **to = env;

	for (char **from = env; *from; from++)
		if (strncmp(*from, "DTRACE_", 7) != 0 && strncmp(*from, "_DTRACE_", 8) != 0)
			*to++ = *from;
	*to = NULL;
}

static void reset_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD, SIGALRM};
	sigset_t none;

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		signal(signals[i], SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The descriptors that the words name, and no others. */
static bool place_descriptors(int script, int err)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	/* above those that are written to */
	script = fcntl(script, F_DUPFD_CLOEXEC, 10);
	err = fcntl(err, F_DUPFD_CLOEXEC, 10);
	if (null < 0 || script < 0 || err < 0 || dup2(null, STDIN_FILENO) < 0 ||
		dup2(null, STDOUT_FILENO) < 0 || dup2(err, STDERR_FILENO) < 0 ||
		dup2(script, SCRIPT_FD) < 0)
		return false;
	closefrom(SCRIPT_FD + 1);
	return true;
}

static void run(const char *const *words, int script, int err, pid_t parent)
{
	extern char **environ;

	/* the kernel ends us with the agent, even if nothing can be said to it any more */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) || getppid() != parent)
		_exit(126);
	reset_signals();
	setpgid(0, 0); /* ^C is for the agent */
	clean_environment(environ);
	if (place_descriptors(script, err))
		execv("/proc/self/exe", (char *const *)words);
	dprintf(STDERR_FILENO, "cannot start dtrace: %s\n", strerror(errno));
	_exit(127);
}

int child_start(struct child *c, const char *const *words, int script)
{
	pid_t parent = getpid();
	int fds[2];

	INVARIANT(!c->pid); /* one that runs would be forgotten */
	*c = (struct child){0};
	if (pipe2(fds, O_CLOEXEC | O_NONBLOCK))
		return -errno;
	/* the other end is dtrace's, which is to wait */
	fcntl(fds[1], F_SETFL, 0);
	fflush(NULL);
	c->pid = fork();
	if (c->pid == 0)
		run(words, script, fds[1], parent);
	close(fds[1]);
	c->fd = fds[0];
	if (c->pid > 0)
		return 0;
	c->pid = 0;
	close(fds[0]);
	return -errno;
}

void child_end(struct child *c, uint64_t now)
{
	if (!c->pid || c->kill_at)
		return;
	kill(c->pid, SIGINT);
	c->kill_at = now + GRACE;
}

/* ---- lines ---- */

/* The bytes are those of scripts and processes: what a terminal or a log could obey is not kept. */
static void end_line(struct child *c, const struct child_ear *ear)
{
	const char *line = c->line;

	c->line[c->len] = '\0';
	for (size_t i = 0; i < c->len; i++)
		if (c->line[i] < ' ' || c->line[i] > '~')
			c->line[i] = '?';
	c->len = 0;
	if (!strncmp(line, "dtrace: ", 8))
		line += 8;
	if (!*line)
		return;
	snprintf(c->last, sizeof(c->last), "%s", line);
	if (c->lines < LINES_MOST)
		ear->say(ear->arg, line);
	else if (c->lines == LINES_MOST)
		ear->say(ear->arg, "it says more, which is not shown");
	c->lines += c->lines <= LINES_MOST;
}

static void read_lines(struct child *c, const struct child_ear *ear)
{
	char chunk[4096];
	ssize_t n;

	/* so much at a time: it may write faster than we read */
	for (int turn = 0; turn < 16 && (n = read(c->fd, chunk, sizeof(chunk))) > 0; turn++) {
		for (ssize_t i = 0; i < n; i++) {
			if (chunk[i] == '\n')
				end_line(c, ear);
			else if (c->len < CHILD_LINE - 1)
				c->line[c->len++] = chunk[i];
		}
	}
}

void child_work(struct child *c, uint64_t now, const struct child_ear *ear)
{
	if (!c->pid)
		return;
	read_lines(c, ear);
	if (c->kill_at && now >= c->kill_at)
		kill(c->pid, SIGKILL);
}

bool child_reap(struct child *c, int *status, const struct child_ear *ear)
{
	if (!c->pid || waitpid(c->pid, status, WNOHANG) != c->pid)
		return false;
	read_lines(c, ear);
	close(c->fd);
	c->pid = 0;
	c->kill_at = 0;
	return true;
}
