// SPDX-License-Identifier: Apache-2.0
/* Runs an activation: when it starts, when it ends, and what is said of it. */
#include "agent/slot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "agent/conf.h"
#include "agent/script.h"
#include "base/arena.h"

#define SECOND	      ((uint64_t)1000000000)
#define BACKOFF_FIRST (5 * SECOND)
#define BACKOFF_MOST  (300 * SECOND)
#define KEPT	      (60 * SECOND) /* after it was last seen */

const char *slot_state_name(enum slot_state s)
{
	static const char *const names[] = {
		[SLOT_REFUSED] = "refused",
		[SLOT_WAITING] = "waiting",
		[SLOT_RUNNING] = "running",
		[SLOT_ENDING] = "ending",
		[SLOT_ENDED] = "ended",
		[SLOT_FAILED] = "failed",
	};

	return names[s];
}

/* ---- messages ---- */

/* Says "NAME ID: TEXT"; the names are anybody's, so what a terminal could obey is not shown. */
static void say(const struct agent_slot *s, const struct slot_env *e, const char *text)
{
	char line[SLOT_TEXT + 2 * ACTIVATION_TEXT];
	int len = snprintf(line, sizeof(line), "%.64s %.200s: ", s->a.instrument, s->a.id);

	snprintf(line + len, sizeof(line) - (size_t)len, "%s", text);
	for (char *p = line; *p; p++)
		if (*p < ' ' || *p > '~')
			*p = '?';
	e->say(e->arg, line);
}

static void change(
	struct agent_slot *s, const struct slot_env *e, enum slot_state state, const char *problem)
{
	char text[SLOT_TEXT + 32];

	s->state = state;
	if (problem != s->problem)
		snprintf(s->problem, sizeof(s->problem), "%s", problem);
	*e->changed = true;
	snprintf(text, sizeof(text), "%s%s%s", slot_state_name(state), *s->problem ? ": " : "",
		s->problem);
	say(s, e, text);
}

/* ---- making ---- */

static void copy_activation(struct arena *a, const struct activation *from, struct activation *to)
{
	*to = *from;
	to->id = arena_strdup(a, from->id);
	to->instrument = arena_strdup(a, from->instrument);
	to->host = arena_strdup(a, from->host);
	for (unsigned i = 0; i < from->nparams; i++) {
		to->names[i] = arena_strdup(a, from->names[i]);
		to->values[i] = arena_strdup(a, from->values[i]);
	}
	to->problem = from->problem ? arena_strdup(a, from->problem) : NULL;
}

/* Sets when it ends.  Returns NULL, or why it is refused. */
static const char *set_end(struct agent_slot *s, const struct slot_env *e)
{
	const char *problem = s->a.problem;

	if (!problem && !agent_conf_instrument(e->conf, s->a.instrument))
		problem = "/etc/dtrace.conf has no instrument of this name";
	if (!problem)
		problem = activation_end(&s->a, s->first, &s->end);
	if (!problem)
		s->end_at = s->end > e->seconds ? e->now + (s->end - e->seconds) * SECOND : e->now;
	return problem;
}

static void refuse(struct agent_slot *s, const struct slot_env *e, const char *problem)
{
	if (s->child.pid)
		slot_stop(s, e, SLOT_REFUSED, problem);
	else
		change(s, e, SLOT_REFUSED, problem);
}

static void free_slot(void *s)
{
	slot_free(s);
}

struct agent_slot *slot_new(const struct slot_env *e, const struct activation *a)
{
	struct arena *arena = arena_new_below(e->conf->arena);
	struct agent_slot *s = calloc(1, sizeof(*s));
	const char *problem;

	if (!arena || !s) {
		arena_free(arena);
		free(s);
		return NULL;
	}
	s->arena = arena;
	arena_own(e->conf->arena, free_slot, s);
	copy_activation(arena, a, &s->a);
	arena_disown(e->conf->arena, s);
	s->hash = activation_hash(a);
	s->first = e->seconds;
	s->listed = true;
	s->state = SLOT_WAITING;
	s->start_at = e->now;
	problem = set_end(s, e);
	if (problem)
		refuse(s, e, problem);
	return s;
}

void slot_free(struct agent_slot *s)
{
	int status;

	if (s->child.pid) {
		kill(s->child.pid, SIGKILL);
		waitpid(s->child.pid, &status, 0);
		close(s->child.fd);
	}
	arena_free(s->arena);
	free(s);
}

void slot_renew(struct agent_slot *s, const struct slot_env *e, const struct activation *a)
{
	bool same = s->listed && a->made == s->a.made && a->until == s->a.until;
	const char *problem;

	s->listed = true;
	if (same)
		return;
	s->a.made = a->made;
	s->a.until = a->until;
	problem = set_end(s, e);
	if (problem) {
		if (s->state != SLOT_REFUSED)
			refuse(s, e, problem);
		return;
	}
	/* what ended by itself has been told already */
	if (s->state == SLOT_REFUSED || (s->state == SLOT_ENDED && s->stopped)) {
		s->state = SLOT_WAITING;
		s->start_at = e->now;
	} else if (s->state == SLOT_ENDING) {
		s->after = SLOT_WAITING;
	}
}

/* ---- the end ---- */

void slot_stop(
	struct agent_slot *s, const struct slot_env *e, enum slot_state after, const char *why)
{
	if (s->state == SLOT_RUNNING) {
		child_end(&s->child, e->now);
		s->after = after;
		change(s, e, SLOT_ENDING, why);
	} else if (s->state == SLOT_WAITING && after != SLOT_WAITING) {
		s->stopped = true;
		change(s, e, after, why);
	} else if (s->state == SLOT_ENDING && after != SLOT_WAITING) {
		s->after = after;
	}
}

void slot_vanish(struct agent_slot *s, const struct slot_env *e)
{
	if (!s->listed)
		return;
	s->listed = false;
	s->gone_at = e->now;
	/* the database's clock may be a little ahead */
	slot_stop(s, e, SLOT_ENDED,
		e->now + 2 * SECOND >= s->end_at ? "its time is over" : "it was switched off");
}

bool slot_is_over(const struct agent_slot *s, const struct slot_env *e)
{
	return !s->listed && !s->child.pid && e->now - s->gone_at > KEPT;
}

static void fall(struct agent_slot *s, const struct slot_env *e, int signal)
{
	char text[SLOT_TEXT];

	s->backoff = s->backoff ? s->backoff * 2 : BACKOFF_FIRST;
	if (s->backoff > BACKOFF_MOST)
		s->backoff = BACKOFF_MOST;
	s->start_at = e->now + s->backoff;
	snprintf(text, sizeof(text),
		"dtrace was killed by signal %d; it starts again in %" PRIu64 "s", signal,
		s->backoff / SECOND);
	change(s, e, SLOT_WAITING, text);
}

/* Copies LINE to TEXT, with the name of the script's file in place of the copy's. */
static void name_script(const struct agent_slot *s, const struct slot_env *e, const char *line,
	char text[SLOT_TEXT])
{
	const struct instrument *i = agent_conf_instrument(e->conf, s->a.instrument);
	const char *at = strstr(line, SCRIPT_PATH);

	if (at)
		snprintf(text, SLOT_TEXT, "%.*s%s%s", (int)(at - line), line, i->file,
			at + strlen(SCRIPT_PATH));
	else
		snprintf(text, SLOT_TEXT, "%s", line);
}

/* Finds out why it ended. */
static void bury(struct agent_slot *s, const struct slot_env *e, int status)
{
	char text[SLOT_TEXT];

	if (s->state == SLOT_ENDING) {
		s->stopped = true;
		change(s, e, s->after, s->problem);
	} else if (WIFSIGNALED(status)) {
		fall(s, e, WTERMSIG(status));
	} else if (WEXITSTATUS(status) != 1 && WEXITSTATUS(status) != 2) {
		s->stopped = false;
		snprintf(text, sizeof(text), "the script called exit(%d)", WEXITSTATUS(status));
		change(s, e, SLOT_ENDED, text);
	} else { /* dtrace itself has these */
		snprintf(text, sizeof(text), "status %d", WEXITSTATUS(status));
		if (*s->child.last)
			name_script(s, e, s->child.last, text);
		change(s, e, SLOT_FAILED, text);
	}
}

/* ---- the beginning ---- */

/* A script that is about to be started, and the memory for its words. */
struct beginning {
	struct arena *arena;
	int fd;
};

static void end_beginning(void *arg)
{
	struct beginning *b = arg;

	if (b->fd >= 0)
		close(b->fd);
	arena_free(b->arena);
}

static void begin(struct agent_slot *s, const struct slot_env *e)
{
	const struct instrument *i = agent_conf_instrument(e->conf, s->a.instrument);
	struct beginning b = {.arena = arena_new_below(e->conf->arena), .fd = -1};
	struct script_words words = {0};
	const char *problem = strerror(ENOMEM);
	int err = -ENOMEM;
	char text[64];
	time_t end = (time_t)s->end;
	struct tm tm;

	arena_own(e->conf->arena, end_beginning, &b);
	if (b.arena)
		err = script_open(b.arena, i, &b.fd, &problem);
	if (!err)
		err = script_words(b.arena, e->conf, i, &s->a, b.fd, &words, &problem);
	if (err) {
		refuse(s, e, problem);
	} else {
		err = child_start(&s->child, words.list.data, b.fd);
		strftime(text, sizeof(text), "until %Y-%m-%dT%H:%M:%SZ", gmtime_r(&end, &tm));
		change(s, e, err ? SLOT_FAILED : SLOT_RUNNING, err ? strerror(-err) : text);
		if (!err)
			*s->problem = '\0'; /* the text was for the message */
	}
	arena_release(e->conf->arena, &b);
}

/* ---- work ---- */

/* A line of the child, which is said as one about its slot. */
struct heard {
	const struct agent_slot *slot;
	const struct slot_env *env;
};

static void hear(void *arg, const char *line)
{
	const struct heard *h = arg;
	char text[SLOT_TEXT];

	name_script(h->slot, h->env, line, text);
	say(h->slot, h->env, text);
}

static bool is_due(const struct agent_slot *s, const struct slot_env *e)
{
	/* a clock that was set back cannot make it longer; one that was set forward ends it */
	return e->now >= s->end_at || e->seconds >= s->end;
}

uint64_t slot_work(struct agent_slot *s, const struct slot_env *e, bool start)
{
	struct heard heard = {s, e};
	const struct child_ear ear = {hear, &heard};
	int status;

	child_work(&s->child, e->now, &ear);
	if (child_reap(&s->child, &status, &ear))
		bury(s, e, status);
	if ((s->state == SLOT_RUNNING || s->state == SLOT_WAITING) && is_due(s, e))
		slot_stop(s, e, SLOT_ENDED, "its time is over");
	if (s->state == SLOT_WAITING && start && e->now >= s->start_at)
		begin(s, e);
	if (s->state == SLOT_ENDING)
		return s->child.kill_at;
	if (s->state == SLOT_RUNNING)
		return s->end_at;
	return s->state == SLOT_WAITING && s->start_at > e->now ? s->start_at : UINT64_MAX;
}
