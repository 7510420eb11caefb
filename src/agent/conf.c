// SPDX-License-Identifier: Apache-2.0
/* Reads the keys of [agent] and [instrument NAME], and checks them. */
#include "agent/conf.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "base/suggest.h"
#include "base/units.h"
#include "dtrace/dtrace.h"
#include "fleet/target.h"

#define SECOND 1000000000

enum agent_kind { KIND_TEXT, KIND_URL, KIND_TIME, KIND_PLACE };

static const struct {
	const char *name;
	enum agent_kind kind;
	const char *value, *otherwise;
} keys[AGENT_KEYS] = {
#define AGENT(name, kind, value, otherwise, help) \
	[AGENT_##name] = {#name, KIND_##kind, value, otherwise},
#include "agent/agent.def"
};

static const char *const instrument_keys[] = {
#define INSTRUMENT(name, ...) #name,
#include "agent/agent.def"
};

/* The limits that hold unless the section sets them. */
static const struct instrument_line defaults[] = {
#define LIMITED(name, otherwise) {#name, otherwise, NULL, NULL},
#include "agent/agent.def"
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int refuse(struct agent_conf *c, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
static int refuse(struct agent_conf *c, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	c->error = arena_vprintf(c->arena, fmt, ap);
	va_end(ap);
	return err;
}

void agent_conf_init(struct agent_conf *c, struct arena *a)
{
	*c = (struct agent_conf){.arena = a, .error = ""};
}

void agent_conf_fini(struct agent_conf *c)
{
	if (c->limits)
		dtrace_session_close(c->limits);
	c->limits = NULL;
}

const struct instrument *agent_conf_instrument(const struct agent_conf *c, const char *name)
{
	vec_for (i, &c->instruments)
		if (!strcmp((*i)->name, name))
			return *i;
	return NULL;
}

/* ---- sections ---- */

/* Names are in messages, rows and the names of programs: no blanks, no options. */
static bool is_name(const char *name)
{
	size_t len = strlen(name);

	if (!isalnum((unsigned char)*name) || len > INSTRUMENT_NAME)
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
		len;
}

static int begin_instrument(struct agent_conf *c, const char *name, const char *where)
{
	const struct instrument *other = agent_conf_instrument(c, name);
	struct instrument *i;

	if (!is_name(name))
		return refuse(c, -EINVAL,
			"the name of an instrument is up to %d letters, digits, '_', '.' and '-': '%s'",
			INSTRUMENT_NAME, name);
	/* the agent's own rows in `sends` have this name */
	if (!strcmp(name, "agent"))
		return refuse(c, -EINVAL, "no instrument can be called agent");
	if (other)
		return refuse(
			c, -EINVAL, "there is an instrument %s already, at %s", name, other->where);
	i = arena_new_obj(c->arena, struct instrument);
	i->name = arena_strdup(c->arena, name);
	i->where = arena_strdup(c->arena, where);
	vec_push(c->arena, &c->instruments, i);
	c->open = i;
	c->limits = dtrace_session_open();
	return c->limits ? 0 : refuse(c, -ENOMEM, "%s", strerror(ENOMEM));
}

int agent_conf_section(struct agent_conf *c, const char *name, const char *where)
{
	static const char instrument[] = "instrument";
	size_t len = sizeof(instrument) - 1;

	agent_conf_fini(c);
	c->open = NULL;
	if (!strncmp(name, instrument, len) && strchr(" \t", name[len]))
		return begin_instrument(c, name + len + strspn(name + len, " \t"), where);
	if (strcmp(name, "agent") != 0)
		return refuse(c, -EINVAL, "there is no section [%s]", name);
	if (c->where)
		return refuse(c, -EINVAL, "there is a section [agent] already, at %s", c->where);
	c->where = arena_strdup(c->arena, where);
	return 0;
}

/* ---- [agent] ---- */

static int unknown_key(struct agent_conf *c, const char *key, const char *section, bool limits)
{
	struct suggest s;
	const char *best;

	suggest_begin(&s, key);
	for (size_t i = 0; i < AGENT_KEYS && !limits; i++)
		suggest_offer(&s, keys[i].name);
	for (size_t i = 0; i < COUNT(instrument_keys) && limits; i++)
		suggest_offer(&s, instrument_keys[i]);
	for (size_t i = 0; i < COUNT(defaults) && limits; i++)
		suggest_offer(&s, defaults[i].name);
	best = suggest_best(&s);
	return refuse(c, -ENOENT, "there is no key '%s' in [%s]%s%s%s", key, section,
		best ? "; did you mean '" : "", best ? best : "", best ? "'?" : "");
}

static int set_time(struct agent_conf *c, enum agent_key key, const char *value)
{
	int64_t ns, most = key == AGENT_poll ? 300ll * SECOND : 3600ll * SECOND;

	if (units_parse_time(value, UNITS_DECIMAL, "s", &ns) || ns < SECOND || ns > most)
		return refuse(c, -EINVAL, "'%s' is no value of %s, which takes 1s to %s", value,
			keys[key].name, key == AGENT_poll ? "5m" : "1h");
	*(key == AGENT_poll ? &c->poll : &c->lease) = (uint64_t)ns;
	return 0;
}

static int set_place(struct agent_conf *c, const char *value)
{
	if (!strcmp(value, "database"))
		c->file = NULL;
	else if (!strncmp(value, "file:/", 6))
		c->file = arena_strdup(c->arena, value + 5);
	else
		return refuse(c, -EINVAL,
			"'%s' is no value of activations, which takes database or file:/PATH",
			value);
	return 0;
}

static int set_value(struct agent_conf *c, enum agent_key key, const char *value)
{
	const char *problem;

	switch (keys[key].kind) {
	case KIND_TIME:
		return set_time(c, key, value);
	case KIND_PLACE:
		return set_place(c, value);
	case KIND_URL:
		problem = target_problem(value);
		return problem ? refuse(c, -EINVAL, "%s", problem) : 0;
	case KIND_TEXT:
		break;
	}
	return *value == '/'
		? 0
		: refuse(c, -EINVAL, "'%s' is no value of %s, which takes a path from /", value,
			  keys[key].name);
}

static int set_agent(struct agent_conf *c, const char *name, const char *value, const char *where)
{
	size_t key = 0;
	int err;

	while (key < AGENT_KEYS && strcmp(keys[key].name, name) != 0)
		key++;
	if (key == AGENT_KEYS)
		return unknown_key(c, name, "agent", false);
	if (c->set_by[key])
		return refuse(c, -EEXIST, "%s is set already, by %s", name, c->set_by[key]);
	err = set_value(c, (enum agent_key)key, value);
	if (err)
		return err;
	c->set_by[key] = arena_strdup(c->arena, where);
	c->values[key] = arena_strdup(c->arena, value);
	return 0;
}

/* ---- [instrument NAME] ---- */

static int set_hash(struct agent_conf *c, const char *value)
{
	char *text = arena_strdup(c->arena, value);

	if (strlen(value) != SHA256_TEXT || strspn(value, "0123456789abcdefABCDEF") != SHA256_TEXT)
		return refuse(c, -EINVAL,
			"'%s' is no hash: it is the %d hexadecimal digits that sha256sum prints",
			value, SHA256_TEXT);
	for (char *p = text; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	c->open->sha256 = text;
	return 0;
}

/* Returns the word that *P begins with, as a string of its own, and moves *P after it. */
static const char *next_word(struct agent_conf *c, const char **p)
{
	size_t len = strcspn(*p, " \t");
	const char *word = arena_strndup(c->arena, *p, len);

	*p += len;
	*p += strspn(*p, " \t");
	return word;
}

static const struct instrument_line *line_of(const struct instrument *i, const char *name)
{
	vec_for (l, &i->fixed)
		if (!strcmp(l->name, name))
			return l;
	vec_for (l, &i->ranges)
		if (!strcmp(l->name, name))
			return l;
	return NULL;
}

static int add_parameter(struct agent_conf *c, const char *value, const char *where, bool range)
{
	struct instrument_line l = {.where = arena_strdup(c->arena, where)};
	const struct instrument_line *other;

	l.name = next_word(c, &value);
	l.value = range ? next_word(c, &value) : arena_strdup(c->arena, value);
	l.most = range ? next_word(c, &value) : NULL;
	if (!*l.name || !*l.value || (range && (!*l.most || *value)))
		return refuse(c, -EINVAL, "%s takes %s", range ? "range" : "parameter",
			range ? "NAME LEAST MOST" : "NAME VALUE");
	other = line_of(c->open, l.name);
	if (other)
		return refuse(
			c, -EEXIST, "parameter %s is set already, by %s", l.name, other->where);
	if (range)
		vec_push(c->arena, &c->open->ranges, l);
	else
		vec_push(c->arena, &c->open->fixed, l);
	return 0;
}

static int set_limit(struct agent_conf *c, const char *key, const char *value, const char *where)
{
	struct instrument_line l = {arena_strdup(c->arena, key), arena_strdup(c->arena, value),
		NULL, arena_strdup(c->arena, where)};
	int err = dtrace_limit_set(c->limits, key, value, where);

	if (err == -ENOENT)
		return unknown_key(
			c, key, arena_printf(c->arena, "instrument %s", c->open->name), true);
	if (err)
		return refuse(c, err, "%s", dtrace_session_error(c->limits));
	vec_push(c->arena, &c->open->limits, l);
	return 0;
}

static int set_instrument(
	struct agent_conf *c, const char *key, const char *value, const char *where)
{
	struct instrument *i = c->open;

	if (!strcmp(key, "parameter") || !strcmp(key, "range"))
		return add_parameter(c, value, where, *key == 'r');
	if ((!strcmp(key, "file") && i->file) || (!strcmp(key, "sha256") && i->sha256))
		return refuse(c, -EEXIST, "%s is set already", key);
	if (!strcmp(key, "sha256"))
		return set_hash(c, value);
	if (strcmp(key, "file") != 0)
		return set_limit(c, key, value, where);
	if (*value != '/')
		return refuse(
			c, -EINVAL, "'%s' is no value of file, which takes a path from /", value);
	i->file = arena_strdup(c->arena, value);
	return 0;
}

int agent_conf_set(struct agent_conf *c, const char *key, const char *value, const char *where)
{
	return c->open ? set_instrument(c, key, value, where) : set_agent(c, key, value, where);
}

/* ---- the whole ---- */

static bool has_limit(const struct instrument *i, const char *name)
{
	vec_for (l, &i->limits)
		if (!strcmp(l->name, name))
			return true;
	return false;
}

static int complete_instrument(struct agent_conf *c, struct instrument *i)
{
	if (!i->file || !i->sha256)
		return refuse(c, -EINVAL, "%s: instrument %s has no %s", i->where, i->name,
			i->file ? "sha256" : "file");
	for (size_t n = 0; n < COUNT(defaults); n++)
		if (!has_limit(i, defaults[n].name))
			vec_push(c->arena, &i->limits, defaults[n]);
	return 0;
}

int agent_conf_complete(struct agent_conf *c)
{
	int err = 0;

	if (!c->where)
		return refuse(c, -EINVAL, "there is no section [agent]");
	for (unsigned k = 0; k < AGENT_KEYS && !err; k++) {
		const char *otherwise = keys[k].otherwise;

		if (c->set_by[k] || !strcmp(otherwise, "none"))
			continue;
		if (!*otherwise)
			return refuse(c, -EINVAL, "%s: [agent] has no %s", c->where, keys[k].name);
		c->values[k] = otherwise;
		err = set_value(c, (enum agent_key)k, otherwise);
	}
	vec_for (i, &c->instruments)
		if (!err)
			err = complete_instrument(c, *i);
	if (!err && c->lease < c->poll)
		err = refuse(c, -EINVAL, "%s: lease is shorter than poll", c->where);
	return err;
}
