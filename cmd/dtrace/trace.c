// SPDX-License-Identifier: Apache-2.0
/* Takes a session from compiled programs to the end of the run. */
#include <dtrace/dtrace.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmdline.h"
#include "message.h"
#include "progress.h"
#include "session.h"

/* The session to interrupt on ^C: a signal handler has no argument for it. */
static struct dtrace *volatile interrupted;
static const struct session *running; /* of it */

static volatile sig_atomic_t interrupts;

static void catch_signals(int flags);

/*
 * One request may come as two signals: timeout(1) sends one to the process and one to its group, as
 * supervisors do.  So for this long after the first, others are the same.
 */
#define GRACE 100000000 /* ns */

/*
 * What has begun may take long, or wait for a reader.  So long after the second request, or the
 * first one at the end, the process ends, whatever it does.
 */
#define PATIENCE 300000000 /* ns */

static timer_t grace; /* made by trace_run() */
static volatile sig_atomic_t in_grace, is_last;

static void set_timer(long ns)
{
	const struct itimerspec once = {.it_value.tv_nsec = ns};

	in_grace = !timer_settime(grace, 0, &once, NULL);
}

/*
 * Before BEGIN there is nothing to end in order.  After the first signal a write still waits for
 * its reader, a pager for example; the second one interrupts it.
 */
static void interrupt(int sig)
{
	enum dtrace_stage stage = dtrace_session_stage(interrupted);
	int saved = errno;

	if (stage == DTRACE_STAGE_START) {
		signal(sig, SIG_DFL);
		raise(sig); /* when this function returns */
	} else if (!in_grace) {
		is_last = ++interrupts > 1 || stage == DTRACE_STAGE_END;
		set_timer(is_last ? PATIENCE : GRACE);
		dtrace_session_interrupt(interrupted);
	}
	errno = saved;
}

/* Does not wait for a reader. */
static void say_at_once(const char *text, size_t len)
{
	struct pollfd out = {STDERR_FILENO, POLLOUT, 0};

	if (poll(&out, 1, 0) == 1 && out.revents & POLLOUT && write(STDERR_FILENO, text, len) < 0)
		return;
}

static void end_grace(int sig)
{
	static const char text[] = "dtrace: interrupted: the rest of the results is not shown\n";
	int saved = errno;

	(void)sig;
	if (is_last) {
		top_abandon(running);
		say_at_once(text, sizeof(text) - 1);
		_exit(STATUS_OK);
	}
	in_grace = 0;
	catch_signals(0);
	errno = saved;
}

/* A signal that was ignored at the start stays ignored: nohup, a shell's "&". */
static void catch_signals(int flags)
{
	static const int signals[] = {SIGINT, SIGTERM};
	struct sigaction old, act = {.sa_handler = interrupt, .sa_flags = flags};

	sigemptyset(&act.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(signals[i], &act, NULL);
}

static int start_catching(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
	struct sigaction act = {.sa_handler = end_grace, .sa_flags = SA_RESTART};

	sigaction(SIGALRM, &act, NULL);
	if (timer_create(CLOCK_MONOTONIC, &event, &grace)) {
		message_line("failed to create a timer: %s", strerror(errno));
		return -1;
	}
	catch_signals(SA_RESTART);
	return 0;
}

static bool option_on(struct session *s, const char *name)
{
	int64_t value = 0;

	return !dtrace_option_get(s->d, name, &value) && value;
}

/* Print how many probes matched.  Returns false, after a message, if there are none. */
static bool announce(struct session *s)
{
	unsigned total = 0;

	for (int i = 0; i < s->ncommands; i++) {
		const struct command *c = &s->commands[i];
		unsigned n = dtrace_prog_matches(c->prog);

		total += n + (unsigned)dtrace_prog_awaits(c->prog);
		message_notice(s->d, "%s '%.*s' matched %u probe%s",
			c->letter == 's' ? "script" : "description", c->name_len, c->text, n,
			n == 1 ? "" : "s");
		if (s->verbose)
			report_program(s, c);
	}
	if (total || (s->ncommands && option_on(s, "zdefs")))
		return true;
	message_line("no probes %s", s->ncommands ? "matched" : "specified");
	return false;
}

static int consume(struct session *s)
{
	int r;

	while ((r = dtrace_session_work(s->d)) == DTRACE_WORK_OKAY) {
		if (session_flush(s, 0))
			return STATUS_ERROR;
		if (s->top)
			top_step(s);
		streams_fit(s); /* the window may have another size now */
		fault_step(s);
	}
	fault_flush(s);
	if (interrupts > 1) { /* discard the rest of the output */
		__fpurge(s->out);
		clearerr(s->out);
		r = r == -EINTR ? DTRACE_WORK_DONE : r;
	}
	if (session_flush(s, r < 0 ? -r : 0))
		return STATUS_ERROR;
	if (r < 0) {
		message_failure(s->d, "processing aborted");
		return STATUS_ERROR;
	}
	if (s->fail_on_drops && dtrace_session_dropped(s->d))
		return STATUS_ERROR;
	return dtrace_session_exit_status(s->d) & 0xff;
}

int trace_run(struct session *s)
{
	int err;

	if (!announce(s) || session_flush(s, 0))
		return STATUS_ERROR;
	running = s;
	interrupted = s->d;
	if (start_catching())
		return STATUS_ERROR;
	if (!option_on(s, "debug")) /* debug lines would mix with the progress line */
		progress_begin(&s->progress, s->d);
	err = dtrace_session_go(s->d);
	progress_end(&s->progress);
	if (err && session_flush(s, -err)) /* what BEGIN says could not be written */
		return STATUS_ERROR;
	if (err) {
		dtrace_session_print_log(s->d, stderr);
		message_failure(s->d, "could not enable tracing");
		message_hint(s->d);
		return STATUS_ERROR;
	}
	if (option_on(s, "bpflog"))
		dtrace_session_print_log(s->d, stderr);
	if (option_on(s, "destructive"))
		message_notice(s->d, "allowing destructive actions");
	if (s->top && top_open(s))
		return STATUS_ERROR;
	if (option_on(s, "confine") && dtrace_session_confine(s->d)) {
		message_failure(s->d, "could not enable tracing");
		return STATUS_ERROR;
	}
	return consume(s);
}
