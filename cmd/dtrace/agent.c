// SPDX-License-Identifier: Apache-2.0
/* Runs --agent: reads its configuration, and prints what it does until a signal ends it. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

/* The agent to interrupt on ^C: a signal handler has no argument for it. */
static struct dtrace_agent *volatile interrupted;

static void interrupt(int sig)
{
	int saved = errno;

	(void)sig;
	dtrace_agent_interrupt(interrupted);
	errno = saved;
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction old, act = {.sa_handler = interrupt, .sa_flags = SA_RESTART};

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

static void say(void *arg, const char *text)
{
	(void)arg;
	message_line("%s", text);
}

int agent_run(struct dtrace *d)
{
	const char *lacking = dtrace_session_privileges(d);
	struct dtrace_agent *a;
	int status;

	if (lacking) {
		message_line("%s", lacking);
		return STATUS_USAGE;
	}
	a = dtrace_agent_new();
	if (!a) {
		message_line("failed to start the agent: %s", strerror(ENOMEM));
		return STATUS_ERROR;
	}
	status = conf_read_agent(d, a);
	interrupted = a;
	catch_signals();
	if (!status && dtrace_agent_run(a, say, NULL)) {
		message_line("the agent cannot run: %s", dtrace_agent_error(a));
		status = STATUS_ERROR;
	}
	dtrace_agent_free(a);
	return status;
}
