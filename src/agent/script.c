// SPDX-License-Identifier: Apache-2.0
/* Checks the script of an instrument and the values of its parameters. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create() */
#endif
#include "agent/script.h"

#include <dtrace/script.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "agent/activation.h"
#include "agent/conf.h"
#include "agent/trusted.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/sha256.h"
#include "dtrace/dtrace.h"
#include "session/session.h"

#define SCRIPT_MOST (4 << 20) /* bytes; dtrace_script_read() reads no more */

/* ---- the script ---- */

static int seal(const struct buf *text)
{
	int fd = memfd_create("instrument", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	size_t done = 0;
	ssize_t n = 1;

	while (fd >= 0 && done < text->len && n > 0) {
		n = write(fd, text->data + done, text->len - done);
		done += n > 0 ? (size_t)n : 0;
	}
	if (fd >= 0 && done == text->len &&
		!fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL))
		return fd;
	n = -errno;
	if (fd >= 0)
		close(fd);
	return (int)n;
}

int script_open(struct arena *a, const struct instrument *i, int *fd, const char **problem)
{
	char hash[SHA256_TEXT + 1];
	struct buf text = {0};
	const char *why;
	int err = trusted_read(i->file, SCRIPT_MOST, &text, &why);

	buf_own(&text, a);
	if (err) {
		*problem = arena_printf(a, "failed to read %s: %s", i->file, why);
	} else {
		sha256_text(text.data, text.len, hash);
		if (strcmp(hash, i->sha256) != 0) {
			err = -EPERM;
			*problem = arena_printf(a,
				"the hash of %s is %s, which is not the one of instrument %s, %s",
				i->file, hash, i->name, i->where);
		}
	}
	if (!err) {
		*fd = seal(&text);
		err = *fd < 0 ? *fd : 0;
		if (err)
			*problem = arena_printf(
				a, "failed to keep the script in memory: %s", strerror(-err));
	}
	arena_release(a, &text);
	return err;
}

/* ---- parameters ---- */

/* Words and checks under way. */
struct wording {
	struct arena *arena;
	const struct instrument *instrument;
	const struct dtrace_script *script;
	struct dtrace *d; /* knows the types */
	struct script_words *out;
	const char *problem;
};

static void add(struct wording *w, const char *word)
{
	vec_push(w->arena, &w->out->list, word);
}

static int refuse(struct wording *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int refuse(struct wording *w, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	w->problem = arena_vprintf(w->arena, fmt, ap);
	va_end(ap);
	return -EINVAL;
}

static const struct dtrace_param *declared(const struct dtrace_script *s, const char *name)
{
	for (unsigned i = 0; i < s->nparams; i++)
		if (!strcmp(s->params[i].name, name))
			return &s->params[i];
	return NULL;
}

static void add_value(struct wording *w, const struct dtrace_param *p, const char *value)
{
	bool is_long = p->name[1] != '\0';

	if (!p->word) {
		add(w, arena_printf(w->arena, "%s%s", is_long ? "--" : "-", p->name));
	} else if (is_long) {
		add(w, arena_printf(w->arena, "--%s=%s", p->name, value));
	} else {
		add(w, arena_printf(w->arena, "-%s", p->name));
		add(w, value);
	}
}

/* Gives P a value; *N is its number. */
static int take_value(
	struct wording *w, const struct dtrace_param *p, const char *value, int64_t *n)
{
	bool flag = !p->word, off = flag && !strcmp(value, "0");

	*n = 0;
	if (off)
		return 0;
	if (flag && strcmp(value, "1") != 0)
		return refuse(w, "parameter %s: it is 0 or 1, not '%s'", p->name, value);
	if (dtrace_script_set(w->d, p, flag ? NULL : value))
		return refuse(w, "parameter %s", dtrace_session_error(w->d));
	*n = vec_last(&w->d->compiling.params).number;
	add_value(w, p, value);
	return 0;
}

static bool is_text(const struct dtrace_param *p)
{
	return !strcmp(p->type, "string") || !strcmp(p->type, "cgroup") || !p->word;
}

static int read_bound(struct wording *w, const struct dtrace_param *p,
	const struct instrument_line *l, const char *text, int64_t *n)
{
	if (dtrace_script_set(w->d, p, text))
		return refuse(w, "%s: range %s", l->where, dtrace_session_error(w->d));
	*n = vec_last(&w->d->compiling.params).number;
	return 0;
}

static int check_range(struct wording *w, const struct dtrace_param *p, int64_t n,
	const char *value, const struct instrument_line *l)
{
	int64_t least, most;

	if (read_bound(w, p, l, l->value, &least) || read_bound(w, p, l, l->most, &most))
		return -EINVAL;
	if (n >= least && n <= most)
		return 0;
	return refuse(w, "parameter %s: '%s' is not from %s to %s, as %s says", p->name, value,
		l->value, l->most, l->where);
}

static int take_argument(struct wording *w, const char *name, const char *value)
{
	const struct dtrace_param *p = declared(w->script, name);
	int64_t n;
	int err;

	if (!p)
		return refuse(w, "instrument %s has no parameter '%s'", w->instrument->name, name);
	vec_for (l, &w->instrument->fixed)
		if (!strcmp(l->name, name))
			return refuse(w, "parameter %s is set by %s", name, l->where);
	err = take_value(w, p, value, &n);
	vec_for (l, &w->instrument->ranges)
		if (!err && !strcmp(l->name, name))
			err = check_range(w, p, n, value, l);
	return err;
}

/* What the administrator says about parameters must be about some. */
static int take_fixed(struct wording *w)
{
	int64_t n;

	vec_for (l, &w->instrument->fixed) {
		const struct dtrace_param *p = declared(w->script, l->name);

		if (!p)
			return refuse(w, "%s: the script has no parameter '%s'", l->where, l->name);
		if (take_value(w, p, l->value, &n))
			return refuse(w, "%s: %s", l->where, w->problem);
	}
	vec_for (l, &w->instrument->ranges) {
		const struct dtrace_param *p = declared(w->script, l->name);

		if (!p || is_text(p))
			return refuse(w, "%s: the script has no parameter '%s' that is a number",
				l->where, l->name);
	}
	return 0;
}

static int take_parameters(struct wording *w, const struct activation *a)
{
	int err;

	if (w->script->error)
		return refuse(w, "%s: line %u: %s", w->instrument->file, w->script->line,
			w->script->error);
	err = take_fixed(w);
	for (unsigned i = 0; i < a->nparams && !err; i++) {
		for (unsigned k = 0; k < i; k++)
			if (!strcmp(a->names[k], a->names[i]))
				return refuse(w, "parameter %s is given twice", a->names[i]);
		err = take_argument(w, a->names[i], a->values[i]);
	}
	return err;
}

/* ---- words ---- */

static void add_option(struct wording *w, const char *name, const char *value)
{
	add(w, "-x");
	add(w, arena_printf(w->arena, "%s=%s", name, value));
}

static void begin_words(struct wording *w, const struct agent_conf *c)
{
	add(w, "dtrace");
	add(w, "-q");
	vec_for (l, &w->instrument->limits)
		add(w, arena_printf(w->arena, "--limit=%s=%s", l->name, l->value));
	add_option(w, "program", w->instrument->name);
	add_option(w, "spool", c->values[AGENT_spool]);
	if (c->values[AGENT_credentials])
		add_option(w, "credentials", c->values[AGENT_credentials]);
	if (c->values[AGENT_cafile])
		add_option(w, "cafile", c->values[AGENT_cafile]);
	add(w, arena_printf(w->arena, "--output=clickhouse:%s", c->values[AGENT_url]));
	add(w, "-s");
	add(w, SCRIPT_PATH);
}

static void free_script(void *s)
{
	dtrace_script_free(s);
}

static void close_session(void *d)
{
	dtrace_session_close(d);
}

int script_words(struct arena *arena, const struct agent_conf *c, const struct instrument *i,
	const struct activation *a, int fd, struct script_words *out, const char **problem)
{
	struct wording w = {.arena = arena, .instrument = i, .out = out};
	const char *path = arena_printf(arena, "/proc/self/fd/%d", fd);
	struct dtrace_script *s = dtrace_script_read(path);
	int err;

	arena_own(arena, free_script, s);
	w.script = s;
	w.d = dtrace_session_open();
	arena_own(arena, close_session, w.d);
	if (!s || !w.d) {
		err = refuse(&w, "failed to read the script: %s", strerror(errno));
	} else {
		begin_words(&w, c);
		err = take_parameters(&w, a);
		add(&w, NULL);
	}
	*problem = w.problem;
	arena_release(arena, w.d);
	arena_release(arena, s);
	return err;
}
