// SPDX-License-Identifier: Apache-2.0
/* Serves the page of a fleet. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "cmdline.h"
#include "message.h"
#include "session.h"

#define WAIT_MS 1000 /* a signal between the look at it and the wait ends this */

static volatile sig_atomic_t ended;

static void end(int sig)
{
	(void)sig;
	ended = 1;
}

static void catch_signals(void)
{
	static const int signals[] = {SIGINT, SIGTERM};
	struct sigaction old, act = {.sa_handler = end};

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

static void show_message(void *arg, const char *text)
{
	(void)arg;
	message_line("%s", text);
}

static int set_option(struct dtrace *d, const char *arg)
{
	char *name = strdup(arg), *value = name ? strchr(name, '=') : NULL;
	int err = name ? 0 : -ENOMEM;

	if (value)
		*value++ = '\0';
	if (!err)
		err = dtrace_option_set(d, name, value);
	if (err)
		message_failure(d, "failed to set -x %s", name ? name : arg);
	free(name);
	return err ? STATUS_ERROR : STATUS_OK;
}

int fleet_run(struct dtrace *d, const struct cmdline *cl)
{
	const char *address;
	int status = STATUS_OK, err = 0;
	uint16_t port = 0;

	for (int i = 0; i < cl->nflags && !status; i++) {
		if (cl->flags[i].letter == 'x')
			status = set_option(d, cl->flags[i].arg);
		else if (cl->flags[i].letter == FLAG_WEB)
			status = streams_port(cl->flags[i].arg, &port);
	}
	if (status)
		return status;
	dtrace_set_message_handler(d, show_message, NULL);
	if (dtrace_web_fleet(d, cl->fleet, port, &address)) {
		message_line("%s", dtrace_session_error(d));
		return STATUS_ERROR;
	}
	message_line("open %s", address);
	catch_signals();
	while (!ended && (!err || err == -EINTR))
		err = dtrace_web_fleet_work(d, WAIT_MS);
	if (ended)
		return STATUS_OK;
	message_line("%s", dtrace_session_error(d));
	return STATUS_ERROR;
}
